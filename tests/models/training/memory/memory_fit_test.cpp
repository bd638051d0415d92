#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/training/job/check_layout.hpp"
#include "models/training/memory/memory_fit.hpp"

#include "tests/models/training/memory/memory_fixture.hpp"
#include "tests/properties.hpp"

namespace bursar::memory_fit_test {
namespace {

using test::a100_cluster;
using test::gpt;
using test::megatron;

} // namespace

TEST_CASE("how sure it is that a job fits follows from what is left and the error of its stack") {
    const ByteVolume capacity{80e9};
    CHECK_FALSE(fit_chance(ByteVolume{40e9}, capacity, std::nullopt).has_value());
    const MemoryError error{0.1, {}};
    CHECK(*fit_chance(capacity, capacity, error) == doctest::Approx(0.5));
    // One standard deviation, 0.1 sqrt(pi / 2) = 12.53 % of the need, is left: 84.13 %.
    CHECK(*fit_chance(ByteVolume{80e9 / 1.12533}, capacity, error) ==
          doctest::Approx(0.8413).epsilon(0.001));
    CHECK(*fit_chance(ByteVolume{40e9}, capacity, error) > 0.999);
    CHECK(*fit_chance(ByteVolume{120e9}, capacity, error) < 0.01);
    CHECK(*fit_chance(ByteVolume{75e9}, capacity, MemoryError{0.02, {}}) > 0.99);
    CHECK(*fit_chance(likely_capacity(capacity, error), capacity, error) == likely_fit);
    CHECK(likely_capacity(capacity, std::nullopt) == capacity);
}

TEST_CASE("the memory of offloaded layers and of products in 8 bits is less sure") {
    const MemoryOverheads measured = memory_overheads_of("Megatron-LM");
    TrainingJob job = megatron(gpt(48, 8192, 64), {});
    const auto share = [&job](const MemoryOverheads& overheads) {
        const std::optional<MemoryError> error = memory_error(job, overheads);
        return error ? error->share : 0;
    };
    CHECK(share(measured) == measured.error->share);
    job.layout.offload_layers = 1;
    CHECK(share(measured) == 0.1);
    const double loose = memory_overheads_of("OneFlow-GPT").error->share;
    CHECK(loose > 0.1);
    CHECK(share(memory_overheads_of("OneFlow-GPT")) == loose);
    job.layout.offload_layers = 0;
    job.precision = Precision::fp8;
    CHECK(share(measured) == 0.1);
    job.compilation = Compilation::compiled;
    CHECK(share(measured) == measured.error->share);
    CHECK(share(MemoryOverheads{}) == 0);
}

TEST_CASE("proposed changes fit, with the same GPUs and global batch") {
    CHECK(check_property([] {
        const Cluster cluster = a100_cluster();
        TrainingJob job = megatron(gpt(48, 8192, 64), {});
        job.layout.tensor = drawn::one_of(1, 2, 4, 8);
        job.layout.pipeline = drawn::one_of(1, 2, 4);
        job.layout.data = drawn::one_of(1, 4, 16, 64);
        job.layout.micro_batch = drawn::in_range(1, 9);
        job.layout.micro_batches = 8;
        const MemoryFit fit = what_fits(job, cluster);
        RC_ASSERT(fit.fits() == (fit.use.total() <= usable_memory(cluster.gpu)));
        RC_ASSERT(!fit.fits() || fit.remedies.empty());
        for (const MemoryRemedy& remedy : fit.remedies) {
            TrainingJob changed = job;
            changed.layout = remedy.layout;
            RC_ASSERT(!layout_fault(changed, cluster));
            RC_ASSERT(memory_use(changed).total() <= fit.capacity);
            RC_ASSERT(memory_use(changed).total() == remedy.use.total());
            RC_ASSERT(remedy.layout.gpus() == job.layout.gpus());
            RC_ASSERT(remedy.layout.global_batch() == job.layout.global_batch());
        }
    }));
}

TEST_CASE("the message states the missing memory and remedies") {
    const Cluster cluster = a100_cluster();
    TrainingJob job = megatron(test::llama_8b(), {.data = 64, .micro_batch = 1});
    job.attention = Attention::flash2;
    const MemoryFit fit = what_fits(job, cluster);
    REQUIRE_FALSE(fit.fits());
    CHECK(fit.missing().count() > 0);
    REQUIRE_FALSE(fit.remedies.empty());
    CHECK(fit.remedies.front().change == "sharding zero1");
    const std::string text = describe(fit, cluster);
    CAPTURE(text);
    CHECK(text.starts_with("needs "));
    CHECK(text.find(" GB of the 78.4 GB usable on A100-SXM4-80GB (") != std::string::npos);
    CHECK(text.find("; fits with sharding zero1, or with ") != std::string::npos);
    CHECK(text.find("tensor 4 instead of 1") != std::string::npos);
}

TEST_CASE("where no single change suffices, several together may") {
    const Cluster cluster = a100_cluster();
    // 175B on 64 GPUs: 18 bytes a parameter are 3.1 TB of 5.
    TrainingJob job = megatron(gpt(96, 12288, 96), {.data = 64});
    const MemoryFit fit = what_fits(job, cluster);
    REQUIRE(fit.remedies.size() == 1);
    CHECK(fit.remedies.front().change.find("together") != std::string::npos);
}

TEST_CASE("a job without a remedy nearby is reported as such") {
    const Cluster cluster = a100_cluster();
    const TrainingJob job = megatron(gpt(96, 12288, 96), {.data = 8});
    const MemoryFit fit = what_fits(job, cluster);
    CHECK(fit.remedies.empty());
    CHECK(describe(fit, cluster)
              .ends_with("nothing near it fits: give more GPUs, or GPUs with more memory"));
}

TEST_CASE("a job that fits needs no remedy") {
    const Cluster cluster = a100_cluster();
    const MemoryFit fit = what_fits(megatron(gpt(12, 768, 12), {}), cluster);
    CHECK(fit.fits());
    CHECK(fit.missing() < ByteVolume{});
    CHECK(describe(fit, cluster).ends_with("usable on A100-SXM4-80GB"));
}

TEST_CASE("an impossible layout is not a question of memory") {
    CHECK_THROWS_AS((void)what_fits(megatron(gpt(12, 768, 12), {.tensor = 16}), a100_cluster()),
                    ModelError);
}

} // namespace bursar::memory_fit_test
