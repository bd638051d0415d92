#include "models/training/step/generic_step.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "models/errors/model_error.hpp"
#include "models/training/memory/states.hpp"
#include "models/training/step/data_parallel.hpp"
#include "models/training/step/input_stall.hpp"
#include "models/training/step/kernel_time.hpp"
#include "models/training/step/step_parts.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {
namespace {

struct Size {
    const char* name;
    double value;
};

void check(const GenericJob& job) {
    const std::array sizes{Size{"batch", real(job.batch)},
                           Size{"passes", real(job.passes)},
                           Size{"gpus", real(job.gpus)},
                           Size{"flops_per_sample", job.network.flops_per_sample.count()},
                           Size{"parameters", job.network.parameters}};
    for (const Size& size : sizes)
        if (!(size.value > 0))
            throw ModelError{size.name, "is not above zero", "give at least 1"};
}

// The ranks of plain data parallel, as the transformer terms know them.
TrainingJob data_parallel_job(const GenericJob& job) {
    TrainingJob laid;
    laid.layout.data = job.gpus;
    laid.layout.micro_batch = job.batch;
    laid.layout.micro_batches = job.passes;
    laid.precision = job.precision;
    laid.recipe = job.recipe;
    laid.compilation = job.compilation;
    return laid;
}

// Slower vector units are fully used even by shapes that leave a matrix unit half idle.
FlopRate reached_rate(const Gpu& gpu, Precision precision, double matrix_efficiency) {
    const bool vector = precision == Precision::fp32;
    return achievable_peak(gpu, precision) * (vector ? 1.0 : matrix_efficiency);
}

} // namespace

StepTime
generic_step_time(const GenericJob& job, const Cluster& cluster, const StackProfile& profile) {
    check(job);
    const TrainingJob laid = data_parallel_job(job);
    const TrainingRank rank = place_rank(laid, cluster, profile);
    const GenericNetwork& network = job.network;
    const double samples = real(job.batch) * real(job.passes);
    const FlopRate rate =
        reached_rate(cluster.gpu, rank.precision.linear, network.matrix_efficiency);
    const double wider = rank.precision.element_bytes / 2;

    StepTime step;
    step.gemm = network.flops_per_sample * samples / rate;
    step.memory_bound =
        network.traffic_per_sample * (samples * wider * rank.traffic_share) / rank.memory;
    const Seconds busy = step.gemm + step.memory_bound;
    const Seconds host = network.host_per_pass * (real(job.passes) * rank.host_share);
    // host_step is for transformer training loops; the network has its own host time per pass.
    step.host = launch_wait(host, busy);
    if (job.gpus > 1) {
        // Two thirds of a pass are backward, and only the last one has traffic to hide.
        const Seconds backward = busy * (2.0 / 3.0 / real(job.passes));
        const double bytes = state_bytes(job.recipe).gradients * network.parameters;
        const ReplicaLinks links = replica_links(rank);
        step.data_comm = bucket_traffic(links, bytes).beside(backward, links.hiding).exposed;
    }
    step.optimizer = ByteVolume{profile.optimizer_traffic * network.parameters} / rank.memory;
    step.straggler = straggler_wait(step.total(), profile.straggler_sigma, real(job.gpus));
    if (job.input) {
        const double on_node = real(std::min(job.gpus, cluster.gpus_per_host));
        step.input =
            input_stall(*job.input, {samples * on_node, samples}, step.total(), cluster.host_link);
    }
    return step;
}

}} // namespace bursar::models
