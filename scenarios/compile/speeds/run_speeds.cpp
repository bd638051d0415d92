#include "scenarios/compile/speeds/run_speeds.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/compile/speeds/plan_speed.hpp"
#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// For each level of the plan, the largest factor that a class names at a narrower level; 1 if
/// there is none. Throws ScenarioError for a level that is faster than a narrower one.
std::vector<double> factors_below(const ClassSpec& spec, const LocalityPlan& places) {
    std::vector<double> below(places.num_levels(), 1.0);
    for (const LevelSlowdown& slowdown : spec.slowdown)
        for (std::size_t level = *places.level(slowdown.level) + 1U; level < below.size(); ++level)
            below[level] = std::max(below[level], slowdown.factor);
    for (const LevelSlowdown& slowdown : spec.slowdown)
        if (const double narrower = below[*places.level(slowdown.level)];
            slowdown.factor < narrower)
            fail_input(
                slowdown.written.place,
                slowdown.written.path,
                mistake(fmt::format("{:g} is less than at a narrower level", slowdown.factor),
                        fmt::format("which has {:g}", narrower),
                        "wider levels are slower"));
    return below;
}

/// The factor of a pool's own level: that of the narrowest of its names. If the class does not name
/// it, that of the next narrower level.
double own_factor(const LocalityLevel& level,
                  const ClassSpec& spec,
                  const LocalityPlan& places,
                  const std::vector<double>& below) {
    const std::string& name = *std::ranges::min_element(
        level.names, {}, [&](const std::string& each) { return *places.level(each); });
    const auto named = std::ranges::find(spec.slowdown, name, &LevelSlowdown::level);
    return named != spec.slowdown.end() ? named->factor : below[*places.level(name)];
}

/// Factors by pool and level of the plan.
std::vector<double>
factors_of(const ClassSpec& spec, const LocalityPlan& places, std::size_t num_pools) {
    const std::vector<double> below = factors_below(spec, places);
    std::vector<double> factors;
    for (std::size_t pool = 0; pool < num_pools; ++pool)
        for (std::size_t level = 0; level < places.num_levels(); ++level)
            factors.push_back(own_factor(
                places.locality(pool).levels[places.own_level(pool, level)], spec, places, below));
    return factors;
}

} // namespace

RunSpeeds::RunSpeeds(const Scenario& scenario,
                     const LocalityPlan& places,
                     const GpuSpeeds& gpu_speeds,
                     Plan& plan)
    : scenario_{scenario}, places_{places}, gpu_speeds_{gpu_speeds}, plan_{plan} {
    for (const ClassSpec& spec : scenario.classes)
        factors_.push_back(spec.slowdown.empty() ? std::vector<double>{}
                                                 : factors_of(spec, places, plan.pools.size()));
    factors_.resize(std::max<std::size_t>(1, factors_.size()));
    const bool is_format_known = scenario.run_times.precision.has_value();
    for (const ClassSpec& spec : scenario.classes)
        takes_given_time_.push_back(spec.slowdown.empty() && spec.speed.empty() &&
                                    !spec.training.precision && !is_format_known);
    if (scenario.classes.empty())
        takes_given_time_.push_back(!is_format_known);
}

PlannedRuns RunSpeeds::of(const RunKind& kind) {
    if (kind.ran_on == 0 && takes_given_time_[kind.job_class]) // most traces: no look-up by kind
        return {kind.job_class, ~std::uint64_t{0}};
    const auto [known, is_new] = planned_.try_emplace(kind);
    if (is_new)
        known->second = plan(kind);
    return known->second;
}

PlannedRuns RunSpeeds::plan(const RunKind& kind) {
    PlannedRuns out{kind.job_class, ~std::uint64_t{0}};
    for (std::size_t pool = 0; pool < plan_.pools.size(); ++pool)
        if (gpu_speeds_.on(kind, pool).never_runs)
            out.permitted &= ~(std::uint64_t{1} << pool);
    const std::vector<PlanSpeed> speeds = speeds_of(kind);
    if (!is_class_row(kind, speeds))
        out.plan_class =
            add_class_row(plan_,
                          kind.job_class,
                          speeds,
                          scenario_.classes.empty() ? Place{scenario_.file}
                                                    : scenario_.classes[kind.job_class].place);
    return out;
}

/// Whether the class's own row holds: it declares nothing, and all speeds are 1.
bool RunSpeeds::is_class_row(const RunKind& kind, const std::vector<PlanSpeed>& speeds) const {
    const bool declares =
        !factors_[kind.job_class].empty() || (kind.job_class < scenario_.classes.size() &&
                                              !scenario_.classes[kind.job_class].speed.empty());
    return !declares && std::ranges::all_of(speeds, [](const PlanSpeed& speed) {
        return speed.speed == reference_speed;
    });
}

double RunSpeeds::factor_of(const RunKind& kind, std::size_t pool, std::size_t level) const {
    if (factors_[kind.job_class].empty())
        return 1;
    const bool holds = plan_.pools[pool].num_gpus() >= kind.gpus;
    const std::size_t narrowest = holds ? places_.narrowest_level(pool, kind.gpus) : 0;
    // A single GPU is never spread.
    const std::size_t reached = kind.gpus == 1 ? narrowest : std::max(level, narrowest);
    return factors_[kind.job_class][pool * plan_.num_levels + reached];
}

std::vector<PlanSpeed> RunSpeeds::speeds_of(const RunKind& kind) const {
    std::vector<PlanSpeed> speeds;
    for (std::size_t pool = 0; pool < plan_.pools.size(); ++pool) {
        const double speed = gpu_speeds_.on(kind, pool).speed();
        for (std::size_t level = 0; level < plan_.num_levels; ++level) {
            const double factor = factor_of(kind, pool, level);
            StallShares shares{};
            shares[static_cast<std::size_t>(Stall::communication)] = 1 - 1 / factor;
            speeds.push_back(plan_speed(speed / factor, shares, kind.gpus));
        }
    }
    return speeds;
}

}} // namespace bursar::scenarios
