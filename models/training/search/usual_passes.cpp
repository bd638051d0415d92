#include "models/training/search/usual_passes.hpp"

#include <algorithm>
#include <utility>

#include "models/errors/number_text.hpp"
#include "models/training/job/check_layout.hpp"
#include "models/training/memory/memory.hpp"
#include "models/training/memory/memory_fit.hpp"

namespace bursar { inline namespace models {
namespace {

/// Share of the GPU's memory that the job needs; 0 if that is not known.
double
memory_share(const TrainingJob& job, const Cluster& cluster, const MemoryOverheads& overheads) {
    if (!cluster.gpu.memory_gb || layout_fault(job, cluster))
        return 0;
    return memory_use(job, overheads).total() / volume_of(memory(cluster.gpu));
}

/// "1.6 times the GPU's memory"
std::string times_text(double share) {
    return number_text(share, std::chars_format::general, 3) + " times the GPU's memory";
}

struct UsualMicroBatch {
    std::int64_t size{1};
    std::string why; ///< why not twice that
};

/// job: with its passes where no batch is stated.
UsualMicroBatch usual_micro_batch(TrainingJob job,
                                  const std::optional<std::int64_t>& batch,
                                  const Cluster& cluster,
                                  const MemoryOverheads& overheads) {
    constexpr std::int64_t most = 16;
    UsualMicroBatch found;
    for (std::int64_t size = 2; size <= most; size *= 2) {
        const std::string twice = std::to_string(size);
        if (batch && *batch % size != 0)
            return {found.size,
                    twice + " does not divide the " + std::to_string(*batch) +
                        " sequences of a replica"};
        job.layout.micro_batch = size;
        if (batch)
            job.layout.micro_batches = *batch / size;
        const bool enough_passes =
            job.layout.pipeline == 1 || job.layout.micro_batches >= 4 * job.layout.pipeline;
        if (!enough_passes)
            return {found.size, twice + " leaves the pipeline fewer than 4 passes per stage"};
        const double share = memory_share(job, cluster, overheads);
        if (share > 1 - overheads.reserve)
            return {found.size,
                    twice + " needs " + times_text(share) +
                        (share > 1
                             ? ""
                             : ", of which " + four_digits(overheads.reserve) + " are left alone")};
        found.size = size;
    }
    found.why = "the largest tried";
    return found;
}

/// Sets micro-batch and passes of `job` with its recompute.
void settle_batch(TrainingJob& job,
                  const StatedPasses& stated,
                  const Cluster& cluster,
                  const MemoryOverheads& overheads,
                  PassReasons& why) {
    Layout& layout = job.layout;
    if (!stated.batch) {
        layout.micro_batches = stated.passes.value_or(
            layout.pipeline > 1 ? usual_micro_batches_per_stage * layout.pipeline : 1);
        if (!stated.passes)
            why.passes = layout.pipeline > 1
                             ? "no batch is stated (" +
                                   std::to_string(usual_micro_batches_per_stage) + " per stage)"
                             : "no batch is stated";
    }
    const bool has_whole_passes =
        stated.batch && stated.passes && *stated.batch % *stated.passes == 0;
    if (stated.micro_batch)
        layout.micro_batch = *stated.micro_batch;
    else if (has_whole_passes)
        layout.micro_batch = *stated.batch / *stated.passes;
    else {
        UsualMicroBatch usual = usual_micro_batch(job, stated.batch, cluster, overheads);
        layout.micro_batch = usual.size;
        why.micro_batch = "not stated (" + usual.why + ")";
    }
    if (!stated.batch)
        return;
    layout.micro_batch = std::min(layout.micro_batch, *stated.batch);
    layout.micro_batches = (*stated.batch + layout.micro_batch - 1) / layout.micro_batch;
    if (*stated.batch % layout.micro_batch != 0)
        why.passes = "the last not full";
}

} // namespace

std::vector<std::string> PassReasons::assumptions(const TrainingJob& job) const {
    const Layout& layout = job.layout;
    std::vector<std::string> lines;
    if (std::string copied = kv_head_copies(job); !copied.empty())
        lines.push_back(std::move(copied));
    const auto add =
        [&lines](const char* key, const std::string& value, const std::string& reason) {
            if (!reason.empty())
                lines.push_back(std::string{key} + ": " + value + ", " + reason);
        };
    add("micro_batch", std::to_string(layout.micro_batch), micro_batch);
    add("passes", std::to_string(layout.micro_batches), passes);
    add("recompute", recompute_text(layout.recompute), recompute);
    add("offload_layers", std::to_string(layout.offload_layers), offload_layers);
    return lines;
}

PassReasons settle_passes(TrainingJob& job,
                          const StatedPasses& stated,
                          const Cluster& cluster,
                          const MemoryOverheads& overheads) {
    PassReasons why;
    const auto share_with = [&](const Recomputation& recompute) {
        job.layout.recompute = recompute;
        why = {};
        settle_batch(job, stated, cluster, overheads, why);
        return memory_share(job, cluster, overheads);
    };
    const double share = share_with(stated.recompute.value_or(Recompute::none));
    if (stated.recompute)
        return why;
    why.recompute = "not stated";
    if (job.layout.offload_layers > 0) {
        why.recompute += " (activations are offloaded)";
        return why;
    }
    if (share > 1 - overheads.reserve) {
        const auto memory = [&](const TrainingJob& with) {
            return memory_use(with, overheads).total();
        };
        const ByteVolume usable = usable_memory(cluster.gpu, overheads);
        if (const auto layout = with_offload(job, cluster, usable, memory)) {
            job.layout = *layout;
            why.offload_layers =
                "not stated (without them " + times_text(share) +
                "; usual with this stack fully sharded over a host link of " +
                number_text(cluster.host_link.count() / 1e9, std::chars_format::general, 3) +
                " GB/s)";
            return why;
        }
    }
    // Larger than the error of the memory model on nine of ten published runs (VALIDATION.md).
    constexpr double far_too_much = 4.0 / 3.0;
    if (share > far_too_much) {
        if (!job.model.experts || share_with(Recompute::operators) > far_too_much)
            share_with(Recompute::full);
        why.recompute = "not stated (without it " + times_text(share) + ")";
    } else if (share > 1) {
        why.recompute = "not stated (needs " + times_text(share) + ")";
    }
    return why;
}

}} // namespace bursar::models
