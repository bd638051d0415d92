#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/workload_spec.hpp"

namespace bursar { inline namespace scenarios {

/// A job of a trial: its smoke test, its run up to a rung, or its whole run.
struct TrialJob {
    std::uint32_t trial{};
    std::uint32_t stage{}; ///< jobs of a stage wait for those of the one before
    std::int64_t gpus{};
    std::int64_t duration_ms{};
    JobEnd end{JobEnd::completed};
    std::int64_t spared_gpu_ms{}; ///< as in Labels

    bool operator==(const TrialJob&) const = default;
};

/// The jobs of an entry with trials, stage by stage, each by trial.
///
/// What is stopped is decided by metrics alone, never by the schedule. Drawn metrics are
/// f + (1 - f) exp(-x / t) at the share x of the full run: f even in 0 .. 1, the logarithm of t
/// even between those of 0.02 and 0.5, so that curves cross, and the best at first may end behind.
/// Of equal metrics the first trial is the better one.
///
/// Successive halving: each rung keeps `keep` of those that reached it, rounded down, and at least
/// one. Source: Jamieson and Talwalkar, "Non-stochastic best arm identification and hyperparameter
/// optimization", AISTATS 2016; synchronous, as in Li et al., "Hyperband", JMLR 18(185), 2018.
///
/// job: with trials and a duration. entry: its number in the list, for the draws.
[[nodiscard]] std::vector<TrialJob>
trial_jobs(const ListedJob& job, std::uint64_t entry, std::uint64_t seed);

}} // namespace bursar::scenarios
