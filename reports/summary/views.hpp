#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "models/units/int128.hpp"

#include "sim/ledger/leaf.hpp"

namespace bursar { inline namespace reports {

/// A set of leaves as a bit mask.
constexpr std::uint32_t leaves(std::initializer_list<Leaf> members) {
    std::uint32_t mask = 0;
    for (const Leaf leaf : members)
        mask |= std::uint32_t{1} << static_cast<unsigned>(leaf);
    return mask;
}

/// Every leaf of some groups.
constexpr std::uint32_t leaves_of(std::initializer_list<LeafGroup> groups) {
    std::uint32_t mask = 0;
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
        for (const LeafGroup group : groups) {
            if (group_of(static_cast<Leaf>(leaf)) == group)
                mask |= std::uint32_t{1} << leaf;
        }
    }
    return mask;
}

/// A row of a view: the sum of some leaves.
struct ViewRow {
    std::string_view name;
    std::uint32_t members; ///< bit per leaf

    [[nodiscard]] constexpr int128 sum(const std::array<int128, num_leaves>& by_leaf) const {
        int128 total = 0;
        for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
            total += (members >> leaf & 1) != 0 ? by_leaf[leaf] : 0;
        return total;
    }
};

/// How another tool would sort the same GPU-hours.
struct LeafView {
    std::string_view name;
    std::string_view title;
    std::span<const ViewRow> rows;
};

/// Slurm's `sreport cluster utilization`; every leaf is in one row.
inline constexpr std::array slurm_rows{
    ViewRow{"allocated",
            leaves_of(
                {LeafGroup::overhead, LeafGroup::stalled, LeafGroup::lost, LeafGroup::productive})},
    ViewRow{"down", leaves({Leaf::unavail_down, Leaf::unavail_provisioning})},
    ViewRow{"planned_down",
            leaves({Leaf::unavail_maintenance,
                    Leaf::unavail_asleep,
                    Leaf::unavail_spare,
                    Leaf::unavail_reserved_unlaunched})},
    ViewRow{
        "planned",
        leaves(
            {Leaf::idle_gang, Leaf::idle_fragmented, Leaf::idle_latency, Leaf::idle_ineligible})},
    ViewRow{"idle", leaves({Leaf::idle_no_demand})},
};

/// Badput in the terms of Google's ML goodput measurement; productive and idle time are in no row.
inline constexpr std::array badput_rows{
    ViewRow{"startup", leaves({Leaf::over_startup})},
    ViewRow{"data_loading", leaves({Leaf::stall_input})},
    ViewRow{"checkpoint_save", leaves({Leaf::over_checkpoint})},
    ViewRow{"wasted_progress", leaves({Leaf::lost_failure, Leaf::lost_preempt})},
    ViewRow{"recovery", leaves({Leaf::over_recovery})},
};

inline constexpr std::array leaf_views{
    LeafView{"slurm", "as Slurm's sreport counts it", slurm_rows},
    LeafView{"badput", "badput as Google counts it", badput_rows},
};

}} // namespace bursar::reports
