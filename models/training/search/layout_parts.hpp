#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "models/training/job/training_job.hpp"
#include "models/training/memory/memory_parts.hpp"
#include "models/training/step/step_parts.hpp"

namespace bursar { inline namespace models {

/// Keys of the parts of step and memory that layouts of one job share. Properties that a search
/// does not vary (attention, recipe, offloaded states, GPipe, shard) are not included, nor are
/// offloaded layers, on which no part depends.

using LayoutKey = std::array<std::int64_t, 7>;

struct LayoutKeyHash {
    [[nodiscard]] std::size_t operator()(const LayoutKey& key) const;
};

/// Key of PassParts and ActivationParts.
[[nodiscard]] LayoutKey pass_key(const TrainingJob& job);
/// Key of ReplicaParts and StateParts.
[[nodiscard]] LayoutKey replica_key(const TrainingJob& job);
/// Key of message_time.
[[nodiscard]] LayoutKey message_key(const TrainingJob& job);

/// Memory and step of one job under many layouts: shared parts are computed once, at first use.
/// Equal to memory_use() and step_time() to the last bit.
class LayoutParts {
  public:
    /// All arguments must outlive it.
    LayoutParts(const Cluster& cluster,
                const StackProfile& profile,
                const MemoryOverheads& overheads)
        : cluster_{cluster}, profile_{profile}, overheads_{overheads},
          constants_{memory_constants(overheads)} {}

    /// Memory of the most loaded rank. job: with a layout that passed check_layout; jobs of one
    /// LayoutParts differ only in what a LayoutSpace varies.
    [[nodiscard]] ByteVolume memory(const TrainingJob& job);

    /// The same for the step. Throws as step_time does.
    [[nodiscard]] Seconds step(const TrainingJob& job);

  private:
    template <class Part>
    using Rows = std::unordered_map<LayoutKey, Part, LayoutKeyHash>;

    const Cluster& cluster_;
    const StackProfile& profile_;
    const MemoryOverheads& overheads_;
    MemoryConstants constants_;
    Rows<ActivationParts> activations_;
    Rows<StateParts> states_;
    Rows<PassParts> passes_;
    Rows<ReplicaParts> replicas_;
    Rows<Seconds> messages_;
};

}} // namespace bursar::models
