#include "tools/model/memory_parts.hpp"

#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace bursar { inline namespace tools {
namespace {

struct MemoryPart {
    const char* key;
    const char* label;
    ByteVolume MemoryUse::*volume;
    const char* meaning;
};

constexpr std::array memory_parts{
    MemoryPart{"weights_b", "weights", &MemoryUse::weights, "models/FORMULAS.md section 3.1"},
    MemoryPart{"gradients_b", "gradients", &MemoryUse::gradients, "section 3.1"},
    MemoryPart{"optimizer_b", "optimizer states", &MemoryUse::optimizer, "section 3.1"},
    MemoryPart{
        "gathered_b", "gathered layers", &MemoryUse::gathered, "alive unsharded under ZeRO-3"},
    MemoryPart{"step_b",
               "optimizer step",
               &MemoryUse::step,
               "copies of gradients and temporaries (section 3.3)"},
    MemoryPart{"activations_b",
               "activations",
               &MemoryUse::activations,
               "of all passes in flight (Korthikanti 2022 Table 2)"},
    MemoryPart{"working_b",
               "working set",
               &MemoryUse::working,
               "of the layer in its backward pass; the larger of it and the loss counts"},
    MemoryPart{
        "logits_b", "logits and loss", &MemoryUse::logits, "on the last stage (section 3.2)"},
    MemoryPart{"fragmentation_b", "fragmentation", &MemoryUse::fragmentation, "of the allocator"},
    MemoryPart{"buffers_b", "buffers", &MemoryUse::buffers, "workspaces, gradient buckets"},
    MemoryPart{"context_b", "context", &MemoryUse::context, "of the driver"},
    MemoryPart{"communicators_b", "communicators", &MemoryUse::communicators, "of NCCL"},
};

std::string fragmentation_note(const MemoryOverheads& overheads) {
    const std::string of = "times activations and temporaries; ";
    if (overheads.fitted_on.empty())
        return of + "1.05-1.15 [unverified] (section 3.3)";
    return of + "fitted on " + overheads.fitted_on.front().source + " (section 3.3)";
}

Fact bytes(const char* key, const char* label, ByteVolume volume, std::string note = {}) {
    return {key, label, volume.count(), "B", std::move(note)};
}

/// A generic network is always data parallel.
MemoryVerdict generic_verdict(const JobQuestion& asked, const MemoryOverheads& overheads) {
    const TrainingJob& job = asked.job;
    MemoryVerdict verdict{memory_use(*asked.generic,
                                     job.recipe,
                                     job.precision,
                                     job.layout.sharding,
                                     job.layout.data,
                                     job.layout.micro_batch,
                                     overheads),
                          usable_memory(asked.cluster.gpu, overheads),
                          {},
                          {}};
    if (verdict.use.total() > verdict.capacity)
        verdict.headline = "does not fit: needs " + gigabytes(verdict.use.total()) + " of the " +
                           gigabytes(verdict.capacity) + " usable on " + asked.cluster.gpu.name +
                           " (" + gigabytes(verdict.use.total() - verdict.capacity) +
                           " too much); `bursar model batch` says what fits";
    return verdict;
}

} // namespace

Facts memory_section(const MemoryUse& use,
                     ByteVolume capacity,
                     const std::optional<MemoryError>& error) {
    Facts section{"memory", "Memory of the fullest GPU", {}};
    for (const MemoryPart& part : memory_parts)
        section.values.push_back(bytes(part.key, part.label, use.*part.volume, part.meaning));
    section.values.push_back(
        bytes("total_b", "total", use.total(), fmt::format("at its peak, on stage {}", use.stage)));
    section.values.push_back(bytes("capacity_b", "usable", capacity, "without the reserve"));
    section.values.push_back(bytes("headroom_b", "headroom", capacity - use.total()));
    section.values.push_back({"fits", "fits", use.total() <= capacity, "", ""});
    section.values.push_back(
        {"fit_chance",
         "chance that it fits",
         fit_chance(use.total(), capacity, error)
             .value_or(std::numeric_limits<double>::quiet_NaN()),
         "fraction",
         error ? fmt::format("the total is {:.1f} % off {}", 100 * error->share, error->source)
               : std::string{"not known: held against no measured run of this stack"}});
    return section;
}

Facts overheads_section(const MemoryOverheads& overheads) {
    Facts section{"overheads", "Figures of the software stack", {}};
    section.values = {
        bytes("context_b",
              "CUDA context",
              overheads.context,
              "PyTorch 2.1, lazy; 0.47-1.78 GiB by release (ml-engineering 744d01e18b)"),
        bytes("communicators_b",
              "NCCL",
              overheads.communicators,
              "after the first collective, two ranks (ml-engineering 744d01e18b)"),
        bytes("workspace_b",
              "workspace",
              overheads.workspace,
              "0.5-1 GiB [unverified] (models/FORMULAS.md section 3.3)"),
        {"fragmentation",
         "fragmentation",
         overheads.fragmentation,
         "",
         fragmentation_note(overheads)},
        {"reserve", "reserve", overheads.reserve, "fraction", "left alone (section 3.3)"},
        {"logit_bytes",
         "bytes per logit",
         overheads.logit_bytes,
         "B",
         overheads.chunked_loss      ? "of one chunk: fused linear cross-entropy"
         : overheads.logit_bytes > 6 ? "16-bit logits, fp32 softmax and its gradient (section 3.2)"
                                     : "16-bit logits, fp32 softmax (section 3.2)"}};
    return section;
}

MemoryVerdict memory_verdict(const JobQuestion& asked) {
    const MemoryOverheads& overheads = asked.overheads;
    if (asked.generic)
        return generic_verdict(asked, overheads);
    MemoryFit fit = what_fits(asked.job, asked.cluster, overheads);
    const std::string headline =
        fit.fits() ? std::string{} : "does not fit: " + describe(fit, asked.cluster);
    return {fit.use, fit.capacity, std::move(fit.remedies), headline};
}

}} // namespace bursar::tools
