#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/training/step/generic_step.hpp"

#include "tests/models/training/step_example.hpp"

namespace bursar::generic_step_test {
using doctest::Approx;

namespace {

// 24.6 GFLOP a training image at 224 x 224 (FORMULAS 2.3); traffic of norms and activations such
// that A100 with mixed precision trains 2,470 images a second.
GenericJob resnet_50() {
    GenericJob job;
    job.network.name = "resnet-50";
    job.network.flops_per_sample = Flops{24.6e9};
    job.network.parameters = 25.6e6;
    job.network.traffic_per_sample = ByteVolume{375e6};
    job.batch = 256;
    job.precision = Precision::fp16;
    return job;
}

StackProfile quick_host() {
    StackProfile profile;
    profile.host_step = Seconds{1e-3};
    profile.data_overlap = 1;
    return profile;
}

double images_per_second(const GenericJob& job, const Gpu& gpu) {
    const StepTime step = generic_step_time(job, example_cluster(gpu), quick_host());
    return static_cast<double>(job.batch * job.gpus) / step.total().count();
}

} // namespace

TEST_CASE("ResNet-50 on the GPUs NVIDIA published") {
    // DeepLearningExamples ResNet-50 v1.5 (21.03): A100 AMP 2,470 and TF32 938 images a second,
    // V100 AMP 1,200; the model uses only FLOP and traffic.
    GenericJob job = resnet_50();
    CHECK(images_per_second(job, a100()) == Approx(2470).epsilon(0.1));
    CHECK(images_per_second(job, v100()) == Approx(1200).epsilon(0.25));
    job.precision = Precision::tf32;
    CHECK(images_per_second(job, a100()) == Approx(938).epsilon(0.35));
}

TEST_CASE("mixed precision gains less than the ratio of the peaks") {
    GenericJob job = resnet_50();
    const double mixed = images_per_second(job, v100());
    job.precision = Precision::fp32;
    const double gain = mixed / images_per_second(job, v100());
    CHECK(gain > 2); // measured: 3.24
    CHECK(gain < 4); // peaks: 8
}

TEST_CASE("eight GPUs do nearly eight times as much") {
    GenericJob job = resnet_50();
    const double one = images_per_second(job, a100());
    job.gpus = 8;
    const double eight = images_per_second(job, a100());
    CHECK(eight / one > 7);
    CHECK(eight / one < 8);
}

TEST_CASE("a network of many small kernels waits for the host until it is compiled") {
    GenericJob job = resnet_50();
    job.batch = 8;
    job.network.host_per_pass = Seconds{30e-3};
    const Cluster cluster = example_cluster(a100());
    const StepTime eager = generic_step_time(job, cluster, quick_host());
    CHECK(eager.host > eager.gemm + eager.memory_bound);
    job.compilation = Compilation::compiled;
    CHECK(generic_step_time(job, cluster, quick_host()).total() < 0.5 * eager.total());
}

TEST_CASE("sizes below one and unknown formats are errors") {
    const Cluster cluster = example_cluster(v100());
    GenericJob job = resnet_50();
    job.precision = Precision::bf16;
    CHECK_THROWS_AS((void)generic_step_time(job, cluster, StackProfile{}), ModelError);
    job = resnet_50();
    job.batch = 0;
    CHECK_THROWS_WITH_AS((void)generic_step_time(job, cluster, StackProfile{}),
                         "batch: is not above zero; give at least 1",
                         ModelError);
    job = resnet_50();
    job.network.flops_per_sample = Flops{-1};
    CHECK_THROWS_AS((void)generic_step_time(job, cluster, StackProfile{}), ModelError);
}

} // namespace bursar::generic_step_test
