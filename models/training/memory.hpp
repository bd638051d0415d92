#pragma once

#include "models/training/cluster.hpp"
#include "models/training/training_job.hpp"

namespace bursar {

/// Device memory of the most loaded rank (models.md 3).
struct MemoryUse {
    ByteVolume weights;
    ByteVolume gradients;
    ByteVolume optimizer;
    ByteVolume gathered;    ///< unsharded layers alive under ZeRO-3
    ByteVolume activations; ///< of all passes in flight
    ByteVolume logits;
    ByteVolume overhead; ///< context, communicators, workspaces, fragmentation

    [[nodiscard]] ByteVolume states() const { return weights + gradients + optimizer + gathered; }
    [[nodiscard]] ByteVolume total() const { return states() + activations + logits + overhead; }
};

/// Throws ModelError for a layout that cannot be.
MemoryUse memory_use(const TrainingJob& job);

} // namespace bursar
