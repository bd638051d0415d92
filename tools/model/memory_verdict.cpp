#include "tools/model/memory_verdict.hpp"

#include <utility>

namespace bursar { inline namespace tools {
namespace {

/// Data parallel is the only way such a network is laid out.
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

MemoryVerdict memory_verdict(const JobQuestion& asked) {
    const MemoryOverheads overheads = memory_overheads_of(asked.profile, asked.job.compilation);
    if (asked.generic)
        return generic_verdict(asked, overheads);
    MemoryFit fit = what_fits(asked.job, asked.cluster, overheads);
    const std::string headline =
        fit.fits() ? std::string{} : "does not fit: " + describe(fit, asked.cluster);
    return {fit.use, fit.capacity, std::move(fit.remedies), headline};
}

}} // namespace bursar::tools
