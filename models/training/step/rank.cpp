#include "models/training/step/rank.hpp"

#include "models/training/step/measured_kernels.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {
namespace {

MatrixUnit matrix_unit(const Cluster& cluster,
                       Precision precision,
                       double element_bytes,
                       ByteRate memory,
                       const StackProfile& profile) {
    const Gpu& gpu = cluster.gpu;
    return {achievable_peak(gpu, precision) * profile.gemm_efficiency,
            profile.gemm_half_size,
            memory,
            element_bytes,
            real(gpu.multiprocessors.value_or(0)),
            cluster.operators == nullptr
                ? nullptr
                : &cluster.operators->kernels[static_cast<std::size_t>(precision)]};
}

double host_share(Compilation compilation, const StackProfile& profile) {
    switch (compilation) {
    case Compilation::eager:
        return 1;
    case Compilation::compiled:
        return profile.compiled_host;
    case Compilation::cuda_graphs:
        break;
    }
    return profile.graph_host;
}

} // namespace

TrainingRank
place_rank(const TrainingJob& job, const Cluster& cluster, const StackProfile& profile) {
    const Layout& layout = job.layout;
    const PrecisionPlan plan = plan_precision(cluster.gpu, job.precision, job.fp8_scaling);
    const ByteRate memory = memory_bandwidth(cluster.gpu) * profile.memory_efficiency;
    MatrixUnit linear = matrix_unit(cluster, plan.linear, plan.element_bytes, memory, profile);
    linear.rate = linear.rate * plan.rate_share(job.model);
    const std::int64_t replica = layout.tensor * layout.context;
    return {.job = job,
            .cluster = cluster,
            .profile = profile,
            .precision = plan,
            .linear = linear,
            .core = matrix_unit(cluster, plan.core, plan.element_bytes, memory, profile),
            .memory = memory,
            .tuning = {profile.link_efficiency, profile.phase_overlap},
            .tokens = static_cast<double>(layout.micro_batch * job.sequence) /
                      static_cast<double>(layout.context),
            .tensor = static_cast<double>(layout.tensor),
            .host_share = host_share(job.compilation, profile),
            .traffic_share = job.compilation == Compilation::eager ? 1.0 : profile.compiled_traffic,
            .tensor_group = {layout.tensor, 1},
            .context_group = {layout.context, layout.tensor},
            .expert_group = {layout.expert, replica},
            .data_group = {layout.context * layout.data, layout.tensor},
            .expert_data_group = {layout.context * layout.data / layout.expert,
                                  layout.tensor * layout.expert},
            .pipeline_group = {layout.pipeline, replica * layout.data}};
}

}} // namespace bursar::models
