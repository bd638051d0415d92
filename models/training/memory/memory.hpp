#pragma once

#include <algorithm>
#include <cstdint>

#include "models/training/job/cluster.hpp"
#include "models/training/job/generic_network.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/memory/memory_overheads.hpp"

namespace bursar { inline namespace models {

/// Device memory of the most loaded rank at its peak (FORMULAS 3).
struct MemoryUse {
    ByteVolume weights;
    ByteVolume gradients;
    ByteVolume optimizer;
    ByteVolume gathered;      ///< unsharded layers alive under ZeRO-3
    ByteVolume step;          ///< copies of gradients and temporaries of the optimizer's step
    ByteVolume activations;   ///< of all passes in flight
    ByteVolume working;       ///< of the layer in its backward pass
    ByteVolume logits;        ///< on the last stage; never at the same time as `working`
    ByteVolume fragmentation; ///< allocator overhead on activations and temporaries
    ByteVolume buffers;       ///< workspaces, gradient buckets
    ByteVolume context;       ///< of the device's driver
    ByteVolume communicators;
    std::int64_t stage{}; ///< the pipeline stage it was found on

    [[nodiscard]] BURSAR_HD ByteVolume states() const {
        return weights + gradients + optimizer + gathered + step;
    }
    [[nodiscard]] BURSAR_HD ByteVolume temporaries() const { return std::max(working, logits); }
    [[nodiscard]] BURSAR_HD ByteVolume overhead() const {
        return fragmentation + buffers + context + communicators;
    }
    /// Memory of tensors in the framework's allocator.
    [[nodiscard]] BURSAR_HD ByteVolume allocated() const {
        return states() + activations + temporaries() + buffers;
    }
    /// Memory held by the allocator: without context and communicators.
    [[nodiscard]] BURSAR_HD ByteVolume reserved() const { return allocated() + fragmentation; }
    [[nodiscard]] BURSAR_HD ByteVolume total() const {
        return reserved() + context + communicators;
    }
};

/// Peak memory of the most loaded pipeline stage. Throws ModelError for an impossible layout
/// (check_layout).
[[nodiscard]] MemoryUse memory_use(const TrainingJob& job, const MemoryOverheads& overheads = {});

/// A network trained by data parallel: states by recipe and sharding over `data` GPUs, activations
/// affine in `batch`, samples per GPU. batch, data: >= 1.
[[nodiscard]] MemoryUse memory_use(const GenericNetwork& network,
                                   StateRecipe recipe,
                                   Precision precision,
                                   Sharding sharding,
                                   std::int64_t data,
                                   std::int64_t batch,
                                   const MemoryOverheads& overheads = {});

/// Usable memory of the GPU: all but the reserve. Throws UnknownFact.
[[nodiscard]] ByteVolume usable_memory(const Gpu& gpu, const MemoryOverheads& overheads = {});

}} // namespace bursar::models
