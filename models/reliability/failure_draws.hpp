#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/market/life_law.hpp"
#include "models/units/units.hpp"

/// Failures of nodes in a simulated run: drawn per seed and node in calendar time, independent of
/// jobs (FORMULAS 6.5).
namespace bursar { inline namespace models {

/// Limit of a rate: once a minute. Higher ones are mistakes of unit.
inline constexpr double max_failures_per_hour = 60;

/// What a failure does to the jobs on its nodes.
enum class FailureEffect : std::uint8_t {
    stops, ///< they end at once
    hangs, ///< they stall until the failure is detected
    slows, ///< they continue more slowly: a straggler
};

/// How repairs spread beyond the shortest one.
enum class RepairLaw : std::uint8_t {
    exponential,
    lognormal, ///< heavy-tailed: a few repairs take most of the time
    weibull,   ///< likewise
};

/// The duration of a repair: `least` plus a time of a law.
struct RepairTime {
    Duration least{}; ///< >= 0
    Duration mean{};  ///< >= least
    RepairLaw law{};
    Duration median{}; ///< of the whole repair; of heavy-tailed ones only: least < median < mean

    /// The law of the time beyond `least`; absent where all repairs take that long. Throws
    /// ModelError for times out of range.
    [[nodiscard]] std::optional<LifeLaw> beyond_least() const;
};

/// The same repair, where it begins that much later.
[[nodiscard]] RepairTime delayed(const RepairTime& repair, Duration delay);

/// A component that fails. Rates are of GPUs or nodes past their infant mortality.
struct FailureComponent {
    std::string name;
    double per_gpu_hour{};  ///< 0 .. max_failures_per_hour, as all rates
    double per_node_hour{}; ///< in addition to that of the GPUs
    RepairTime repair{};
    FailureEffect effect{FailureEffect::stops};
};

/// Infant mortality after a repair: the rate is that of the components times
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
    /// Bad nodes: standard deviation of the nodes' rates over their mean, which are gamma
    /// distributed, so that numbers of failures of nodes are negative binomial. 0 (all nodes are
    /// alike) .. 10.
    double node_spread{};
};

/// The machines that fail.
struct FailingPool {
    std::uint32_t pool{};
    std::uint32_t nodes{};
    std::uint32_t gpus_per_node{8};
    Duration age{}; ///< of the nodes at time 0, since their last repair; >= 0
};

/// A failure of one node. It may overlap with a failure of its rack.
struct NodeFailure {
    std::int64_t time_ms{};
    std::int64_t repair_ms{}; ///< from time_ms until the node is repaired
    std::uint32_t pool{};
    std::uint32_t node{};
    std::uint32_t component{}; ///< of the model; number of components: its rack
    FailureEffect effect{};

    friend bool operator==(const NodeFailure&, const NodeFailure&) = default;
};

/// A time for which a node of a log was out of service. Those of one node do not overlap.
struct LoggedFault {
    std::uint32_t node{};
    std::uint32_t kind{};
    std::int64_t begin_ms{}; ///< since the log's begin
    std::int64_t end_ms{};   ///< >= begin_ms

    friend bool operator==(const LoggedFault&, const LoggedFault&) = default;
};

/// The failures of the pools from 0 until `horizon`, by time, pool, node and component. Failure n
/// of a node is drawn per (seed, pool, node, n): more nodes, other pools and a longer horizon do
/// not change them. How bad a node is, is drawn per (seed, pool, node). A node under repair fails
/// only with its rack. Throws ModelError for rates and times out of range.
[[nodiscard]] std::vector<NodeFailure> draw_failures(const FailureModel& model,
                                                     std::span<const FailingPool> pools,
                                                     Duration horizon,
                                                     std::uint64_t seed);

/// About how many failures draw_failures() draws for one pool: those of its nodes or of its racks,
/// whichever are more. Infant mortality, which adds some, is not counted.
[[nodiscard]] double
expected_failures(const FailureModel& model, const FailingPool& pool, Duration horizon);

/// The run times at which job `job` fails by its own fault, independent of its size (bugs, the
/// scheduler), drawn by job_failures.hpp; ascending, until `work`. Throws ModelError for a rate out
/// of range.
[[nodiscard]] std::vector<std::int64_t>
draw_job_failures(double per_job_hour, std::uint32_t job, Duration work, std::uint64_t seed);

}} // namespace bursar::models
