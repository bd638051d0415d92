#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenarios/document/override.hpp"

#include "tools/simulate/load_scenario.hpp"

namespace bursar { inline namespace tools {

/// The predicted training of a class's gang at a level of a pool.
struct RunForecast {
    std::size_t job_class{};
    std::int64_t gpus{};
    std::size_t pool{};
    std::size_t level{}; ///< of the pool; 0 without places
    double seconds{};
    double usd{}; ///< at the pool's price

    /// Whether it is the same gang at the same place.
    [[nodiscard]] bool is_of(const RunForecast& other) const {
        return job_class == other.job_class && gpus == other.gpus && pool == other.pool &&
               level == other.level;
    }
};

/// The properties of a pool that affect other jobs, and the cost of idle GPUs.
struct PoolForecast {
    std::string gpu;
    MoneyRate rate;
    bool is_always_paid{}; ///< its nodes are paid for even when idle
};

/// Predictions for a scenario before it is run.
struct ScenarioForecast {
    std::size_t number{};
    std::string other_keys{};        ///< everything in it except how and on what its models are
                                     ///< trained
    std::vector<RunForecast> runs{}; ///< by class, size, pool and level; never empty
    std::vector<PoolForecast> pools{};
    bool trains_all{}; ///< TrainingForecast::trains_all
};

/// Whether `better` beats `worse` by that share, > 0 and < 1. Every run that differs must be faster
/// and cheaper by it, and at least one must differ. No capacity that is paid for when idle may be
/// dearer, and jobs without a model must not be affected. A strict order.
[[nodiscard]] bool
is_beaten_by(const ScenarioForecast& worse, const ScenarioForecast& better, double margin);

/// Finds the scenarios of a sweep that need not be simulated, from predictions of the training
/// models on the host alone. They are the same on every machine, for every shard and any number of
/// threads.
class SweepPruning {
  public:
    /// margin: > 0, < 1.
    explicit SweepPruning(double margin) : margin_{margin} {}

    /// Adds the next scenario of the sweep, with the values of its axes. One that cannot run is not
    /// reported here, but by its run.
    void add(const LoadedScenario& loaded,
             std::span<const Override> sets,
             std::span<const std::uint64_t> seeds);

    /// By scenario, why it is not simulated; empty: it is. A scenario that fits in some of its
    /// seeds is simulated in all of them. The first unbeaten scenario that beats another is named.
    [[nodiscard]] std::vector<std::string> reasons();

  private:
    bool forecast(const LoadedScenario& loaded,
                  std::span<const std::uint64_t> seeds,
                  ScenarioForecast& found);
    void compare(std::vector<const ScenarioForecast*> alike);

    double margin_;
    std::vector<std::string> reasons_;
    std::vector<ScenarioForecast> forecasts_; ///< of those that fit
};

}} // namespace bursar::tools
