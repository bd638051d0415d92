#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/plan/stop_cause.hpp"

namespace bursar { inline namespace sim {

/// What a node is doing.
enum class NodePhase : std::uint8_t {
    off,         ///< not there, not paid for
    booting,     ///< launched, not in service yet
    up,          ///< in service
    draining,    ///< takes no more work; ends soon
    down,        ///< out of service by a fault
    maintenance, ///< worked on
    closed,      ///< takes no more work until it has been worked on; what runs there goes on
    spare,       ///< kept aside
};
inline constexpr int num_node_phases = 8;

/// One node of a pool.
struct NodeLife {
    std::int64_t paid_from_ms{};   ///< its launch; unless off
    std::int64_t spare_since_ms{}; ///< since when a node of the ring of idle ones is idle
    std::uint32_t num_launches{};  ///< so far
    NodePhase phase{NodePhase::off};
    StopCause cause{StopCause::none}; ///< why it is down or worked on
    bool is_due{};                    ///< its phase ends by itself
};

/// When the phase of a node ends by itself.
struct NodeDue {
    std::int64_t time_ms{};
    std::uint32_t node{}; ///< of all pools
    bool ends{};          ///< after those that come, so that what must leave may go there

    [[nodiscard]] BURSAR_HD std::uint32_t slot() const { return node; }
    friend BURSAR_HD bool operator<(const NodeDue& a, const NodeDue& b) {
        if (a.time_ms != b.time_ms)
            return a.time_ms < b.time_ms;
        return a.ends != b.ends ? b.ends : a.node < b.node;
    }
};

/// The nodes of one pool together.
struct PoolLife {
    std::uint32_t first_node{}; ///< among the nodes of all pools
    std::uint32_t num_in[num_node_phases]{};
    std::uint32_t supply{};    ///< nodes that can be had
    bool has_ended{};          ///< no more nodes are launched
    CauseSet closed_by{};      ///< if any: no job starts there, and its nodes are not needed
    std::uint32_t min_nodes{}; ///< launched whether anybody waits or not
    std::uint32_t least_launched{~std::uint32_t{0}};
    std::uint32_t most_launched{};
    std::uint32_t num_spare{};   ///< idle nodes: a ring in NodeLife
    std::uint32_t spare_begin{}; ///< of the one that has been so for longest
    std::int64_t launched_ms{-1};
    std::int64_t launch_due_ms{};
    std::uint64_t unused_at_change{~std::uint64_t{0}}; ///< demand changes when a node ended unused
    std::uint64_t num_launches{};
    std::uint64_t num_failed_launches{};
    std::uint64_t num_reclaimed{};
    std::uint64_t num_failures{};
    std::int64_t paid_ms{}; ///< of nodes that have ended, minimum and steps included
    bool launches_fail{};   ///< until an event says that they do not: what is launched is not there
    std::int64_t retry_ms{};  ///< nothing is launched before; after a launch that failed
    std::int64_t waited_ms{}; ///< for it: the next wait is twice as long; 0: the last one came up

    [[nodiscard]] BURSAR_HD std::uint32_t num(NodePhase phase) const {
        return num_in[static_cast<int>(phase)];
    }
    /// Nodes that are launched whether anybody waits or not, as of now.
    [[nodiscard]] BURSAR_HD std::uint32_t min_nodes_now() const {
        return closed_by.is_empty() ? min_nodes : 0;
    }
    /// Nodes that take work, will soon, or are not done with it.
    [[nodiscard]] BURSAR_HD std::uint32_t num_in_place() const {
        return num(NodePhase::up) + num(NodePhase::booting) + num(NodePhase::closed);
    }
    /// Nodes that are paid for.
    [[nodiscard]] BURSAR_HD std::uint32_t num_launched() const {
        std::uint32_t num = 0;
        for (int phase = 1; phase < num_node_phases; ++phase)
            num += num_in[phase];
        return num;
    }
    BURSAR_HD void note_launched() {
        const std::uint32_t num = num_launched();
        least_launched = num < least_launched ? num : least_launched;
        most_launched = num > most_launched ? num : most_launched;
    }
};

}} // namespace bursar::sim
