#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenarios/document/override.hpp"

#include "tools/simulate/load_scenario.hpp"

namespace bursar { inline namespace tools {

/// A class's gang at a level of a pool, as its model foresees it.
struct ForeseenRun {
    std::size_t job_class{};
    std::int64_t gpus{};
    std::size_t pool{};
    std::size_t level{}; ///< of the pool; 0 where places do not matter
    double seconds{};
    double usd{}; ///< at the pool's price

    /// The same gang at the same place.
    [[nodiscard]] bool is_of(const ForeseenRun& other) const {
        return job_class == other.job_class && gpus == other.gpus && pool == other.pool &&
               level == other.level;
    }
};

/// A pool as far as other jobs, and hours in which nobody uses it, see it.
struct ForeseenPool {
    std::string gpu;
    MoneyRate rate;
    bool is_always_paid{}; ///< its nodes are there whether anybody uses them or not
};

/// What is known of a scenario before it is run.
struct ForeseenScenario {
    std::size_t number{};
    std::string but_how{};           ///< all it says, but how and on what its models are trained
    std::vector<ForeseenRun> runs{}; ///< by class, size, pool and level; never empty
    std::vector<ForeseenPool> pools{};
    bool trains_all{}; ///< TrainingForecast::trains_all
};

/// Whether every run that is not the same in both is faster and cheaper under `better` by that
/// share of it, > 0 and < 1, and one is; nothing that is paid for whether it is used or not is
/// dearer, and jobs that train no model do not see the difference. A strict order.
[[nodiscard]] bool
is_beaten_by(const ForeseenScenario& worse, const ForeseenScenario& better, double margin);

/// Finds the scenarios of a sweep that need not be simulated, from what the training models say of
/// them on the host alone: the same on every machine, for every shard and any number of threads.
class SweepPruning {
  public:
    /// margin: > 0, < 1.
    explicit SweepPruning(double margin) : margin_{margin} {}

    /// The next scenario of the sweep, with the values of its axes; one that cannot be run is left
    /// to its run to say.
    void add(const LoadedScenario& loaded,
             std::span<const Override> sets,
             std::span<const std::uint64_t> seeds);

    /// By scenario why it is not simulated; empty: it is. One that some of its seeds fit is
    /// simulated in all of them. A scenario is beaten by the first of those that nothing beats.
    [[nodiscard]] std::vector<std::string> reasons();

  private:
    bool foresee(const LoadedScenario& loaded,
                 std::span<const std::uint64_t> seeds,
                 ForeseenScenario& found);
    void compare(std::vector<const ForeseenScenario*> alike);

    double margin_;
    std::vector<std::string> reasons_;
    std::vector<ForeseenScenario> foreseen_; ///< of those that fit
};

}} // namespace bursar::tools
