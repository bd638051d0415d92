#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/units/units.hpp"

/// When which nodes fail, for a run that is simulated: draws that belong to a seed and a node in
/// calendar time, whatever runs there (FORMULAS 6.5).
namespace bursar { inline namespace models {

/// No machine fails more often than once a minute: a rate above it was meant otherwise.
inline constexpr double max_failures_per_hour = 60;

/// What a failure does to the jobs on its nodes.
enum class FailureEffect : std::uint8_t {
    stops, ///< they end at once
    hangs, ///< they stand still until somebody notices
    slows, ///< they go on at a part of their speed: a straggler
};

/// How long a repair takes: `least`, and what is exponential beyond it.
struct RepairTime {
    Duration least{}; ///< >= 0
    Duration mean{};  ///< >= least
};

/// A part of a machine that fails. Rates are of GPUs or of nodes that are past their infancy.
struct FailureComponent {
    std::string name;
    double per_gpu_hour{};  ///< 0 .. max_failures_per_hour, as all rates
    double per_node_hour{}; ///< beside that of the GPUs
    RepairTime repair{};
    FailureEffect effect{FailureEffect::stops};
};

/// What was repaired fails more often at first: the rate is that of the components times
/// 1 + (factor - 1) e^(-age / fades), with the age counted from the end of the node's last repair.
struct InfantMortality {
    double factor{1}; ///< >= 1; 1: none
    Duration fades{}; ///< > 0 where the factor is above 1
};

/// A failure that takes all nodes of a rack: a switch, a power supply. Repaired together.
struct RackFailures {
    std::uint32_t nodes_per_rack{}; ///< 0: none. Nodes 0 .. n-1 are the first rack, and so on
    double per_rack_hour{};
    RepairTime repair{};
    FailureEffect effect{FailureEffect::stops};
};

struct FailureModel {
    std::vector<FailureComponent> components;
    InfantMortality infancy{};
    RackFailures racks{};
};

/// The machines that fail.
struct FailingPool {
    std::uint32_t pool{};
    std::uint32_t nodes{};
    std::uint32_t gpus_per_node{8};
    Duration age{}; ///< of the nodes at time 0, since their last repair; >= 0
};

/// One node that fails. Failures of one node may overlap where one is its rack's.
struct NodeFailure {
    std::int64_t time_ms{};
    std::int64_t repair_ms{}; ///< from time_ms until it may work again
    std::uint32_t pool{};
    std::uint32_t node{};
    std::uint32_t component{}; ///< of the model; number of components: its rack
    FailureEffect effect{};

    friend bool operator==(const NodeFailure&, const NodeFailure&) = default;
};

/// The failures of the pools from 0 until `horizon`, by time, pool, node and component. Failure n
/// of a node belongs to (seed, pool, node, n): more nodes, other pools and a longer horizon move
/// none. A node that is being repaired does not fail again by itself. Throws ModelError for rates
/// and times out of range.
[[nodiscard]] std::vector<NodeFailure> draw_failures(const FailureModel& model,
                                                     std::span<const FailingPool> pools,
                                                     Duration horizon,
                                                     std::uint64_t seed);

/// The times at which job `job` fails by itself, whatever its size (its own mistakes, the
/// scheduler's), as job_failures.hpp draws them: times it has run, ascending, until `work`. Throws
/// ModelError for a rate out of range.
[[nodiscard]] std::vector<std::int64_t>
draw_job_failures(double per_job_hour, std::uint32_t job, Duration work, std::uint64_t seed);

}} // namespace bursar::models
