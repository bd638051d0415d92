#include "scenarios/compile/declared_speeds.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/compile/plan_class_row.hpp"
#include "scenarios/compile/plan_speed.hpp"
#include "scenarios/errors/fail_input.hpp"

namespace bursar::inline scenarios {
namespace {

/// By level of the plan the largest factor that a class names at a narrower one, 1 where it names
/// none. Throws ScenarioError for a level that is faster than a narrower one.
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

/// The factor of a pool's own level: that of the narrowest of its names; where the class does not
/// name it, that of the next narrower level.
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

DeclaredSpeeds::DeclaredSpeeds(const Scenario& scenario, const LocalityPlan& places, Plan& plan)
    : scenario_{scenario}, places_{places}, plan_{plan} {
    for (const ClassSpec& spec : scenario.classes)
        factors_.push_back(spec.slowdown.empty() ? std::vector<double>{}
                                                 : factors_of(spec, places, plan.pools.size()));
}

std::uint16_t DeclaredSpeeds::plan_class(std::uint16_t job_class, std::uint32_t gpus) {
    if (job_class >= factors_.size() ||
        (factors_[job_class].empty() && scenario_.classes[job_class].speed.empty()))
        return job_class;
    const auto [row, is_new] = rows_.try_emplace({job_class, gpus});
    if (is_new)
        row->second = add_class(job_class, gpus);
    return row->second;
}

double DeclaredSpeeds::factor_of(std::uint16_t job_class,
                                 std::uint32_t gpus,
                                 std::size_t pool,
                                 std::size_t level) {
    if (factors_[job_class].empty())
        return 1;
    const bool holds = plan_.pools[pool].num_gpus() >= gpus;
    const std::size_t narrowest = holds ? places_.narrowest_level(pool, gpus) : 0;
    // One GPU is nowhere spread out.
    const std::size_t reached = gpus == 1 ? narrowest : std::max(level, narrowest);
    return factors_[job_class][pool * plan_.num_levels + reached];
}

std::uint16_t DeclaredSpeeds::add_class(std::uint16_t job_class, std::uint32_t gpus) {
    const ClassSpec& spec = scenario_.classes[job_class];
    std::vector<PlanSpeed> speeds;
    for (std::size_t pool = 0; pool < plan_.pools.size(); ++pool) {
        const double speed = speed_on(spec, scenario_.fleet[pool].gpu).value_or(1);
        for (std::size_t level = 0; level < plan_.num_levels; ++level) {
            const double factor = factor_of(job_class, gpus, pool, level);
            StallShares shares{};
            shares[static_cast<std::size_t>(Stall::communication)] = 1 - 1 / factor;
            speeds.push_back(plan_speed(speed / factor, shares, gpus));
        }
    }
    return add_class_row(plan_, job_class, speeds, spec.place);
}

} // namespace bursar::inline scenarios
