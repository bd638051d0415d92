#include "tools/sweep/sweep_pruning.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "scenarios/compile/forecast_training.hpp"

namespace bursar { inline namespace tools {
namespace {

/// Keys of a class that say how its model is trained, not which one or for how long.
constexpr std::array<std::string_view, 9> how_keys{"attention",
                                                   "batch",
                                                   "compile",
                                                   "fp8_scaling",
                                                   "micro_batch",
                                                   "parallelism",
                                                   "precision",
                                                   "recompute",
                                                   "stack"};
/// Keys of a pool that say which GPUs it has and at which price.
constexpr std::array<std::string_view, 4> pool_keys{"gpu", "network", "owned", "price"};

/// "workload", "classes", "0", "batch" of "workload.classes[0].batch".
std::vector<std::string> steps_of(std::string path) {
    std::erase(path, ']');
    std::ranges::replace(path, '[', '.');
    std::vector<std::string> steps(1);
    for (const char c : path) {
        if (c == '.')
            steps.emplace_back();
        else
            steps.back() += c;
    }
    return steps;
}

bool trains(const Scenario& scenario, const std::string& number) {
    std::size_t job_class = scenario.classes.size();
    std::from_chars(number.data(), number.data() + number.size(), job_class);
    return job_class < scenario.classes.size() &&
           scenario.classes[job_class].training.model.has_value();
}

/// Whether a path changes only how models are trained, on which GPUs or at which price.
bool is_how(const std::string& path, const Scenario& scenario) {
    const std::vector<std::string> steps = steps_of(path);
    if (steps.size() >= 3 && steps[0] == "fleet")
        return std::ranges::count(pool_keys, steps[2]) > 0;
    return steps.size() >= 4 && steps[0] == "workload" && steps[1] == "classes" &&
           std::ranges::count(how_keys, steps[3]) > 0 && trains(scenario, steps[2]);
}

/// Prices that change, and energy, are known only after the run.
bool has_known_price(const Scenario& scenario) {
    return !scenario.asks_for_energy() &&
           std::ranges::none_of(scenario.fleet, &PoolSpec::price_varies);
}

double usd_of(double seconds, std::int64_t gpus, MoneyRate rate) {
    return seconds / seconds_per_hour * real(gpus) * static_cast<double>(rate.count()) /
           static_cast<double>(nano_usd_per_usd);
}

void add_runs(const TrainedGang& gang, const Scenario& scenario, ScenarioForecast& to) {
    for (const TrainedOn& on : gang.pools)
        for (std::size_t level = 0; level < std::max<std::size_t>(1, on.step_at.size()); ++level) {
            const double seconds = on.total_of(on.step_of(level)).count();
            to.runs.push_back({gang.job_class,
                               on.gpus,
                               on.pool,
                               level,
                               seconds,
                               usd_of(seconds, on.gpus, scenario.fleet[on.pool].rate)});
        }
}

} // namespace

bool is_beaten_by(const ScenarioForecast& worse, const ScenarioForecast& better, double margin) {
    bool differ = false;
    const auto beats = [&](const RunForecast& slow, const RunForecast& fast) {
        if (!fast.is_of(slow))
            return false;
        if (fast.seconds == slow.seconds && fast.usd == slow.usd)
            return true;
        differ = true;
        return fast.seconds <= (1 - margin) * slow.seconds && fast.usd <= (1 - margin) * slow.usd;
    };
    const bool affects_others = !worse.trains_all || !better.trains_all;
    const auto is_no_worse = [&](const PoolForecast& old, const PoolForecast& with) {
        if (affects_others && old.gpu != with.gpu)
            return false;
        const bool counts = affects_others || old.is_always_paid || with.is_always_paid;
        return !counts || with.rate <= old.rate;
    };
    return std::ranges::equal(worse.runs, better.runs, beats) && differ &&
           std::ranges::equal(worse.pools, better.pools, is_no_worse);
}

void SweepPruning::add(const LoadedScenario& loaded,
                       std::span<const Override> sets,
                       std::span<const std::uint64_t> seeds) {
    const Scenario& scenario = loaded.scenario;
    const std::size_t number = reasons_.size();
    reasons_.emplace_back();
    if (std::ranges::none_of(scenario.classes,
                             [](const ClassSpec& spec) { return spec.training.model.has_value(); }))
        return;
    ScenarioForecast found{.number = number, .trains_all = true};
    try {
        if (!forecast(loaded, seeds, found))
            return;
    } catch (const ScenarioError&) {
        return;
    }
    if (!has_known_price(scenario) || found.runs.empty())
        return;
    for (const PoolSpec& pool : scenario.fleet)
        found.pools.push_back({pool.gpu, pool.rate, !pool.launches()});
    for (const Override& set : sets)
        if (!is_how(set.path, scenario))
            found.other_keys += fmt::format("{}={}\n", set.path, set.value);
    forecasts_.push_back(std::move(found));
}

/// Predicts the scenario over its seeds; false: it is not compared with others.
bool SweepPruning::forecast(const LoadedScenario& loaded,
                            std::span<const std::uint64_t> seeds,
                            ScenarioForecast& found) {
    std::size_t num_misfits = 0;
    std::string first;
    for (const std::uint64_t seed : seeds) {
        const TrainingForecast forecast = forecast_training(
            loaded.scenario, *loaded.catalogue, *loaded.workloads->of(loaded.scenario, seed));
        if (!forecast.misfits.empty()) {
            if (num_misfits++ == 0)
                first = forecast.misfits.front().text();
            continue;
        }
        if (num_misfits > 0 || !forecast.is_whole)
            return false;
        found.trains_all = found.trains_all && forecast.trains_all;
        for (const TrainedGang& gang : forecast.gangs)
            add_runs(gang, loaded.scenario, found);
    }
    if (num_misfits == seeds.size())
        reasons_[found.number] = first;
    return num_misfits == 0;
}

std::vector<std::string> SweepPruning::reasons() {
    std::map<std::string, std::vector<const ScenarioForecast*>> alike;
    for (const ScenarioForecast& one : forecasts_)
        alike[one.other_keys].push_back(&one);
    for (auto& [other_keys, scenarios] : alike)
        compare(std::move(scenarios));
    return reasons_;
}

/// Compares in the order of the total time of all runs: no scenario is beaten by a later one.
void SweepPruning::compare(std::vector<const ScenarioForecast*> alike) {
    const auto all_seconds = [](const ScenarioForecast* one) {
        double sum = 0;
        for (const RunForecast& run : one->runs)
            sum += run.seconds;
        return sum;
    };
    std::ranges::stable_sort(alike, {}, all_seconds);
    std::vector<const ScenarioForecast*> unbeaten;
    for (const ScenarioForecast* one : alike) {
        const ScenarioForecast* by = nullptr;
        for (const ScenarioForecast* other : unbeaten)
            if ((by == nullptr || other->number < by->number) &&
                is_beaten_by(*one, *other, margin_))
                by = other;
        if (by == nullptr)
            unbeaten.push_back(one);
        else
            reasons_[one->number] = fmt::format(
                "scenario {} trains at least {:g} % faster and cheaper wherever the two "
                "differ",
                by->number,
                100 * margin_);
    }
}

}} // namespace bursar::tools
