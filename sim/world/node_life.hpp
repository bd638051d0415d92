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
    down,        ///< out of service after a fault
    maintenance, ///< in maintenance
    closed,      ///< takes no more work until its maintenance; attempts on it continue
    spare,       ///< kept aside
};
inline constexpr int num_node_phases = 8;

/// One node of a pool.
struct NodeLife {
    std::int64_t paid_from_ms{};  ///< its launch; unless off
    std::int64_t idle_since_ms{}; ///< in the ring of idle nodes: since when it is idle
    std::uint32_t num_launches{}; ///< so far
    NodePhase phase{NodePhase::off};
    StopCause cause{StopCause::none}; ///< why it is down or in maintenance
    bool is_due{};                    ///< its phase has a known end
};

/// The known end of a node's phase.
struct NodeDue {
    std::int64_t time_ms{};
    std::uint32_t node{}; ///< among the nodes of all pools
    bool ends{};          ///< sorts after nodes that come up, so that attempts may move to those

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
    std::uint32_t supply{}; ///< nodes that the provider offers
    CauseSet closed_by{};   ///< if not empty: no job starts there, and no nodes are kept for jobs
    std::uint32_t min_nodes{}; ///< launched even if no job waits
    std::uint32_t least_launched{~std::uint32_t{0}};
    std::uint32_t most_launched{};
    std::uint32_t num_idle{};   ///< idle nodes: a ring in NodeLife
    std::uint32_t idle_begin{}; ///< the one that has been idle longest
    std::int64_t launched_ms{-1};
    std::int64_t launch_due_ms{};
    std::uint64_t unused_at_change{
        ~std::uint64_t{0}}; ///< number of demand changes when a node ended unused
    std::uint64_t num_launches{};
    std::uint64_t num_failed_launches{};
    std::uint64_t num_reclaimed{};
    std::uint64_t num_failures{};
    std::int64_t paid_ms{};   ///< of nodes that have ended, minimum and steps included
    bool launches_fail{};     ///< set by events: launched nodes do not come up
    std::int64_t retry_ms{};  ///< after a failed launch: none before this
    std::int64_t waited_ms{}; ///< last wait; the next is twice as long; 0: no failure

    [[nodiscard]] BURSAR_HD std::uint32_t num(NodePhase phase) const {
        return num_in[static_cast<int>(phase)];
    }
    /// Nodes that are currently launched even if no job waits.
    [[nodiscard]] BURSAR_HD std::uint32_t min_nodes_now() const {
        return closed_by.is_empty() ? min_nodes : 0;
    }
    /// Nodes that take work, will do so soon, or still run some.
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
