#include "scenarios/measurements/measured_layout.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/training/memory/memory.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Fewer KV heads than tensor ranks are copied, so that each rank has one.
void settle_kv_heads(TrainingJob& job, Assumptions& assumptions) {
    Transformer& model = job.model;
    if (model.kv_heads % job.layout.tensor == 0 || model.heads % job.layout.tensor != 0)
        return;
    model.kv_heads = job.layout.tensor > model.kv_heads ? job.layout.tensor : model.heads;
    assumptions.push_back(
        fmt::format("kv_heads: copied to {} for the tensor ranks", model.kv_heads));
}

void settle_degrees(const TrainingMeasurement& row, TrainingJob& job, Assumptions& assumptions) {
    Layout& layout = job.layout;
    layout.tensor = row.tensor.value_or(1);
    layout.pipeline = row.pipeline.value_or(1);
    layout.context = row.context.value_or(1);
    layout.expert = job.model.experts ? row.expert.value_or(1) : 1;
    const std::int64_t replica = layout.tensor * layout.pipeline * layout.context;
    if (row.gpus && *row.gpus % replica != 0)
        throw ModelError{"gpus",
                         fmt::format("{} GPUs do not hold whole replicas of {} (tp {} pp {} cp {})",
                                     *row.gpus,
                                     replica,
                                     layout.tensor,
                                     layout.pipeline,
                                     layout.context),
                         ""};
    layout.data = row.gpus ? *row.gpus / replica : row.data.value_or(1);
    if (row.data && *row.data != layout.data)
        assumptions.push_back(fmt::format(
            "dp: {}, not the {} published, as {} GPUs leave", layout.data, *row.data, *row.gpus));
    if (layout.data % layout.expert != 0) {
        layout.expert = 1;
        assumptions.emplace_back("ep: 1, the published degree does not divide dp");
    }
    settle_kv_heads(job, assumptions);
    layout.chunks = layout.pipeline > 1 ? row.chunks.value_or(1) : 1;
}

/// The stated group that shares the states, where it divides the ranks that hold the same weights.
void settle_shard(const TrainingMeasurement& row, TrainingJob& job, Assumptions& assumptions) {
    Layout& layout = job.layout;
    if (layout.shard == 0 || layout.replicas() % layout.shard == 0)
        return;
    assumptions.push_back(fmt::format(
        "sharding: over all ranks, \"{}\" does not divide {}", row.sharding, layout.replicas()));
    layout.shard = 0;
}

/// Share of the GPU's memory that the job needs; 0 if the catalogue lacks its size.
double
memory_share(const TrainingJob& job, const Cluster& cluster, const MemoryOverheads& overheads) {
    if (!cluster.gpu.memory_gb)
        return 0;
    return memory_use(job, overheads).total().count() /
           static_cast<double>(memory(cluster.gpu).count());
}

bool fits(const TrainingJob& job, const Cluster& cluster, const MemoryOverheads& overheads) {
    constexpr double usable = 0.94; // the rest is for allocator and context
    return memory_share(job, cluster, overheads) <= usable;
}

/// The rule for a micro-batch that was not published. batch: sequences per replica and step; 0:
/// not published either.
std::int64_t usual_micro_batch(TrainingJob job,
                               std::int64_t batch,
                               const Cluster& cluster,
                               const MemoryOverheads& overheads) {
    std::int64_t best = 1;
    for (std::int64_t size = 1; size <= 16; size *= 2) {
        if (batch > 0 && batch % size != 0)
            break;
        job.layout.micro_batch = size;
        job.layout.micro_batches = batch > 0 ? batch / size : 1;
        const bool enough_passes =
            job.layout.pipeline == 1 || job.layout.micro_batches >= 4 * job.layout.pipeline;
        if (size > 1 && (!enough_passes || !fits(job, cluster, overheads)))
            break;
        best = size;
    }
    return best;
}

/// Lays out `job` with the recompute it has.
void settle_layout(const TrainingMeasurement& row,
                   const Cluster& cluster,
                   TrainingJob& job,
                   Assumptions& assumptions) {
    settle_degrees(row, job, assumptions);
    Layout& layout = job.layout;
    layout.tensor_across_nodes = true; // it was run, so it is intended
    settle_shard(row, job, assumptions);
    const bool whole = row.global_batch && *row.global_batch % layout.data == 0;
    const std::int64_t batch =
        row.global_batch ? std::max<std::int64_t>(1, *row.global_batch / layout.data) : 0;
    if (row.global_batch && !whole)
        assumptions.push_back(fmt::format("global_batch: {} sequences per replica", batch));
    if (row.micro_batch) {
        layout.micro_batch = *row.micro_batch;
    } else if (batch > 0 && row.grad_accum && batch % *row.grad_accum == 0) {
        layout.micro_batch = batch / *row.grad_accum;
    } else {
        layout.micro_batch =
            usual_micro_batch(job, batch, cluster, memory_overheads_of(row.framework));
        assumptions.push_back(fmt::format("micro_batch: {}", layout.micro_batch));
    }
    if (batch > 0) {
        layout.micro_batch = std::min(layout.micro_batch, batch);
        layout.micro_batches = (batch + layout.micro_batch - 1) / layout.micro_batch;
        if (batch % layout.micro_batch != 0)
            assumptions.push_back(
                fmt::format("passes: {}, the last not full", layout.micro_batches));
        return;
    }
    layout.micro_batches = row.grad_accum.value_or(1);
    if (!row.grad_accum)
        assumptions.emplace_back("grad_accum: 1");
}

} // namespace

void lay_out(const TrainingMeasurement& row,
             const Cluster& cluster,
             TrainingJob& job,
             Assumptions& assumptions) {
    std::optional<Recompute> stated = stated_recompute(row.recompute);
    if (!stated && is_jax(row.framework)) {
        // MaxText's default is to compute all layers again (remat_policy, configs/base.yml).
        assumptions.emplace_back("recompute: full, the default of JAX stacks");
        stated = Recompute::full;
    }
    const MemoryOverheads overheads = memory_overheads_of(row.framework);
    const TrainingJob open = job;
    Assumptions laid;
    job.layout.recompute = stated.value_or(Recompute::none);
    settle_layout(row, cluster, job, laid);
    // By more than the memory model errs on nine published runs of ten (VALIDATION.md).
    constexpr double far_too_much = 4.0 / 3.0;
    const double share = memory_share(job, cluster, overheads);
    if (!stated && share > far_too_much) {
        job = open;
        job.layout.recompute = Recompute::full;
        laid.clear();
        settle_layout(row, cluster, job, laid);
        laid.push_back(fmt::format(
            "recompute: full, not published; without it {:.2g} times the GPU's memory", share));
    } else if (!stated) {
        laid.push_back(fmt::format("recompute: none, not published{}",
                                   share > 1 ? fmt::format("; {:.2f} times the GPU's memory", share)
                                             : std::string{}));
    }
    assumptions.insert(assumptions.end(), laid.begin(), laid.end());
}

}} // namespace bursar::scenarios
