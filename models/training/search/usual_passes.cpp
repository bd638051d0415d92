#include "models/training/search/usual_passes.hpp"

#include <algorithm>

#include "models/errors/number_text.hpp"
#include "models/training/job/check_layout.hpp"
#include "models/training/memory/memory.hpp"

namespace bursar { inline namespace models {
namespace {

/// Share of the GPU's memory that the job needs; 0 if that is not known.
double
memory_share(const TrainingJob& job, const Cluster& cluster, const MemoryOverheads& overheads) {
    if (!cluster.gpu.memory_gb || layout_fault(job, cluster))
        return 0;
    return memory_use(job, overheads).total() / volume_of(memory(cluster.gpu));
}

/// job: with its passes where no batch is stated.
std::int64_t usual_micro_batch(TrainingJob job,
                               const std::optional<std::int64_t>& batch,
                               const Cluster& cluster,
                               const MemoryOverheads& overheads) {
    constexpr double usable = 0.94; // the rest is left to the allocator
    std::int64_t best = 1;
    for (std::int64_t size = 2; size <= 16 && batch.value_or(size) % size == 0; size *= 2) {
        job.layout.micro_batch = size;
        if (batch)
            job.layout.micro_batches = *batch / size;
        const bool enough_passes =
            job.layout.pipeline == 1 || job.layout.micro_batches >= 4 * job.layout.pipeline;
        if (!enough_passes || memory_share(job, cluster, overheads) > usable)
            break;
        best = size;
    }
    return best;
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
        why.passes = stated.passes ? "" : "no batch is stated";
    }
    const bool has_whole_passes =
        stated.batch && stated.passes && *stated.batch % *stated.passes == 0;
    if (stated.micro_batch)
        layout.micro_batch = *stated.micro_batch;
    else if (has_whole_passes)
        layout.micro_batch = *stated.batch / *stated.passes;
    else {
        layout.micro_batch = usual_micro_batch(job, stated.batch, cluster, overheads);
        why.micro_batch = "not stated";
    }
    if (!stated.batch)
        return;
    layout.micro_batch = std::min(layout.micro_batch, *stated.batch);
    layout.micro_batches = (*stated.batch + layout.micro_batch - 1) / layout.micro_batch;
    if (*stated.batch % layout.micro_batch != 0)
        why.passes = "the last not full";
}

/// "1.6 times the GPU's memory"
std::string times_text(double share) {
    return number_text(share, std::chars_format::general, 3) + " times the GPU's memory";
}

} // namespace

std::vector<std::string> PassReasons::assumptions(const Layout& layout) const {
    std::vector<std::string> lines;
    const auto add =
        [&lines](const char* key, const std::string& value, const std::string& reason) {
            if (!reason.empty())
                lines.push_back(std::string{key} + ": " + value + ", " + reason);
        };
    add("micro_batch", std::to_string(layout.micro_batch), micro_batch);
    add("passes", std::to_string(layout.micro_batches), passes);
    add("recompute", recompute_text(layout.recompute), recompute);
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
    // Larger than the error of the memory model on nine of ten published runs (VALIDATION.md).
    constexpr double far_too_much = 4.0 / 3.0;
    if (share > far_too_much) {
        if (!job.model.experts || share_with(Recompute::operators) > far_too_much)
            share_with(Recompute::full);
        why.recompute = "not stated; without it " + times_text(share);
    } else {
        why.recompute = share > 1 ? "not stated; needs " + times_text(share) : "not stated";
    }
    return why;
}

}} // namespace bursar::models
