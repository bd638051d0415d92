#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/training/job/cluster.hpp"
#include "models/training/memory/memory.hpp"

namespace bursar { inline namespace models {

/// One change with which a job fits, and its memory.
struct MemoryRemedy {
    std::string change; ///< in the words of options: "tensor 8 instead of 4"
    Layout layout;      ///< the same number of GPUs and the same global batch
    MemoryUse use;
};

/// Whether a job fits into a GPU, by how much it does not, and what would fit.
struct MemoryFit {
    ByteVolume capacity; ///< usable memory: the GPU's without the reserve
    MemoryUse use;
    std::vector<MemoryRemedy> remedies; ///< empty if the job fits, or no near change does

    [[nodiscard]] bool fits() const { return use.total() <= capacity; }
    /// > 0 where it does not fit.
    [[nodiscard]] ByteVolume missing() const { return use.total() - capacity; }
};

/// The nearest changes that fit, the cheapest in time first: a smaller micro-batch, sharding of
/// the optimizer, selective recompute, more tensor parallel inside a node, more pipeline stages,
/// further sharding, every second layer or all recomputed, activations (over links faster than
/// PCIe) or the optimizer on the host; if none suffices alone, all savings of one kind together.
/// Every remedy passes check_layout on `cluster`.
///
/// Throws ModelError for an impossible layout, UnknownFact if the GPU's memory is unknown.
[[nodiscard]] MemoryFit
what_fits(const TrainingJob& job, const Cluster& cluster, const MemoryOverheads& overheads = {});

/// Memory of the most loaded rank of a job whose layout passed check_layout.
using MemoryOf = std::function<ByteVolume(const TrainingJob&)>;

/// The layout of a job that does not fit, with the activations of the fewest layers on the host
/// with which it fits. Absent: none fit, or its stack does not put them there by itself: it does
/// (TrainingJob::offloads_activations) for fully sharded layouts without a pipeline, over host
/// links faster than PCIe. Nothing is recomputed then.
[[nodiscard]] std::optional<Layout> with_offload(const TrainingJob& job,
                                                 const Cluster& cluster,
                                                 ByteVolume capacity,
                                                 const MemoryOf& memory);

/// How far the modelled memory of `job` may be off: as on the measured runs of its stack, but no
/// less than on published recipes where none of them is like it: with activations offloaded, or
/// products in 8 or 4 bits of other than compiled jobs. Absent: that is not known.
[[nodiscard]] std::optional<MemoryError> memory_error(const TrainingJob& job,
                                                      const MemoryOverheads& overheads);

/// Probability that `need` fits into `capacity`, with a normal error of the mean absolute error
/// given, in thousandths. Absent: that is not known. need: > 0.
[[nodiscard]] std::optional<double>
fit_chance(ByteVolume need, ByteVolume capacity, const std::optional<MemoryError>& error);

/// The chance from which on layouts are ranked as ones that fit.
inline constexpr double likely_fit = 0.8;

/// The most memory that fits into `capacity` with a chance of likely_fit; all of it where the error
/// is not known.
[[nodiscard]] ByteVolume likely_capacity(ByteVolume capacity,
                                         const std::optional<MemoryError>& error);

/// "93.1 GB".
[[nodiscard]] std::string gigabytes(ByteVolume volume);

/// For people: "needs 93.1 GB of the 78.4 GB usable on A100-SXM4-80GB (14.7 GB too much); fits
/// with recompute selective, or with tensor 8 instead of 4".
[[nodiscard]] std::string describe(const MemoryFit& fit, const Cluster& cluster);

}} // namespace bursar::models
