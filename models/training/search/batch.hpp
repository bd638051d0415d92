#pragma once

#include <cstdint>

#include "models/training/memory/memory.hpp"

namespace bursar { inline namespace models {

/// A micro-batch is rounded down to a multiple of this; below it, to 1.
enum class BatchRounding : std::uint8_t { none, multiple_of_8, power_of_two };

/// The largest batch of a GPU.
struct LargestBatch {
    std::int64_t batch{}; ///< sequences or samples per GPU and pass; 0: not even one fits
    std::int64_t exact{}; ///< before rounding
    MemoryUse use;        ///< with `batch`, or with 1 if none fits
    ByteVolume capacity;  ///< usable memory
    ByteVolume fixed;     ///< memory that does not depend on the batch
    ByteVolume per_unit;  ///< memory of one more sequence

    [[nodiscard]] ByteVolume headroom() const { return capacity - use.total(); }
};

/// The largest micro-batch of `job` whose memory stays within `capacity` (FORMULAS 3.4): from the
/// affine form, then verified with the full formula. The job's own micro_batch does not matter; its
/// number of micro-batches stays. At most 2^24. Throws ModelError for an impossible layout.
[[nodiscard]] LargestBatch largest_micro_batch(const TrainingJob& job,
                                               ByteVolume capacity,
                                               BatchRounding rounding = BatchRounding::none,
                                               const MemoryOverheads& overheads = {});

/// The same for a network trained by data parallel over `data` GPUs. Throws ModelError if its
/// activations per sample are unknown, as any batch would seem to fit.
[[nodiscard]] LargestBatch largest_batch(const GenericNetwork& network,
                                         StateRecipe recipe,
                                         Precision precision,
                                         Sharding sharding,
                                         std::int64_t data,
                                         ByteVolume capacity,
                                         BatchRounding rounding = BatchRounding::none,
                                         const MemoryOverheads& overheads = {});

/// `batch` rounded down, never below 1 for a batch of at least 1.
[[nodiscard]] std::int64_t rounded_batch(std::int64_t batch, BatchRounding rounding);

}} // namespace bursar::models
