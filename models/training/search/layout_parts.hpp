#pragma once

#include <unordered_map>

#include "models/training/memory/memory_parts.hpp"
#include "models/training/search/layout_keys.hpp"
#include "models/training/step/step_parts.hpp"

namespace bursar { inline namespace models {

/// Memory and step of one job under many layouts: what they have in common is worked out once, when
/// the first of them asks. Equal to memory_use() and step_time() to the last bit.
class LayoutParts {
  public:
    /// All of them must outlive it.
    LayoutParts(const Cluster& cluster,
                const StackProfile& profile,
                const MemoryOverheads& overheads)
        : cluster_{cluster}, profile_{profile}, overheads_{overheads},
          constants_{memory_constants(overheads)} {}

    /// Of the most loaded rank. job: laid out and passed by check_layout; jobs of one LayoutParts
    /// differ in what a LayoutSpace varies alone.
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
