#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/reliability/failure_draws.hpp"

/// Failure models fitted to logs of faults (FORMULAS 6.6).
namespace bursar { inline namespace models {

/// How long repairs take; quantiles are the nearest rank.
struct RepairFigures {
    double median_s{};
    double mean_s{};
    double p90_s{};
    double p99_s{};
};

/// What a log says, or a model that is drawn over its nodes and its time.
struct FailureFigures {
    double faults{};
    double per_node_day{};             ///< over all time, repairs included
    double down_share{};               ///< of the nodes' time
    double variance_over_mean{};       ///< of the numbers of faults of nodes; 1: chance alone
    double daily_variance_over_mean{}; ///< of the numbers of faults of days
    double again_in_a_day{};           ///< share of the repairs that a fault of the node follows
    RepairFigures repair;              ///< begun in that time; in full, even past its end
};

/// A law of repairs with the log's median and mean.
struct FittedRepair {
    RepairTime repair;
    RepairFigures figures;
    double distance{}; ///< greatest difference of the shares of repairs below some time
};

struct FailureFit {
    FailureFigures log;
    FailureFigures drawn;              ///< of `model`, the mean over num_failure_seeds seeds
    std::vector<FittedRepair> repairs; ///< lognormal, weibull; the first of the least distance
                                       ///< is that of `model`
    FailureModel model;                ///< one component
};

inline constexpr int num_failure_seeds = 40;

/// Fits a rate, bad nodes and infant mortality by maximum likelihood: the gamma factor of a node
/// can be integrated. Bad nodes and infant mortality are kept only if Akaike's criterion says so.
/// Repairs are the law with the log's median and mean that is nearest to its repairs.
///
/// faults: as LoggedFault says, by begin; at least 10. nodes: that the log covers, above every
/// fault's. length: of the log. Throws ModelError otherwise, and where repairs are not heavy-tailed
/// (their mean is not above their median).
[[nodiscard]] FailureFit
fit_failures(std::span<const LoggedFault> faults, std::uint32_t nodes, Duration length);

}} // namespace bursar::models
