#include "scenarios/compile/features/stragglers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "models/random/philox.hpp"

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

bool has_stragglers(const Scenario& scenario) {
    return std::ranges::any_of(scenario.fleet,
                               [](const PoolSpec& pool) { return pool.stragglers.has_value(); });
}

/// Draws which nodes are slow. A node's draw depends only on the seed, its pool and its number.
void draw_slow_nodes(const Scenario& scenario, Plan& plan) {
    const RandomStream random{scenario.policy.seed, Stream::slow_nodes};
    for (std::uint64_t pool = 0; pool < scenario.fleet.size(); ++pool) {
        const PoolSpec& spec = scenario.fleet[pool];
        plan.slow_begin.push_back(static_cast<std::uint32_t>(plan.slow_nodes.size()));
        for (std::int64_t node = 0; node < spec.nodes; ++node)
            plan.slow_nodes.push_back(
                spec.stragglers && random.uniform(pool, static_cast<std::uint32_t>(node)) <
                                       spec.stragglers->share
                    ? 1
                    : 0);
    }
}

/// Rows of classes with two sets of speeds: for gangs with a slow node and without one.
class SlowRows {
  public:
    SlowRows(const Scenario& scenario, Compiled& compiled)
        : scenario_{scenario}, compiled_{compiled}, plan_{compiled.plan}, classes_{plan_.classes},
          speeds_{std::move(plan_.speeds)}, is_taken_(classes_.size()) {
        plan_.speeds.clear();
        for (PlanClass& row : plan_.classes)
            row.speed_row = 0; // no job has this row
    }

    /// The row for jobs with `slots` slots that had `row`: `row` itself for the first number of
    /// slots.
    std::uint16_t row_of(std::uint16_t row, std::int64_t slots) {
        const auto [known, is_new] = rows_.try_emplace({row, slots}, row);
        if (!is_new)
            return known->second;
        if (is_taken_[row]) {
            if (plan_.classes.size() == 0x10000)
                fail_input({scenario_.file, 0, 0},
                           "workload.classes",
                           mistake("more than 65,536 distinct pairs of a class and a gang size",
                                   "each has speeds of its own where nodes are slow",
                                   "match fewer gang sizes"));
            plan_.classes.push_back(classes_[row]);
            compiled_.scenario_class.push_back(compiled_.scenario_class[row]);
            known->second = static_cast<std::uint16_t>(plan_.classes.size() - 1);
        } else {
            is_taken_[row] = true;
        }
        plan_.classes[known->second].speed_row = add_speeds(classes_[row].speed_row, slots);
        return known->second;
    }

  private:
    std::uint16_t add_speeds(std::uint16_t old_row, std::int64_t slots) {
        const std::size_t num_pools = plan_.pools.size();
        for (std::size_t pool = 0; pool < num_pools; ++pool) {
            const auto old = [&](std::size_t level) {
                return old_row == 0
                           ? PlanSpeed{}
                           : speeds_[((old_row - 1U) * num_pools + pool) * plan_.num_levels +
                                     level];
            };
            const auto& stragglers = scenario_.fleet[pool].stragglers;
            for (std::size_t level = 0; level < plan_.num_levels; ++level)
                plan_.speeds.push_back(old(level));
            for (std::size_t level = 0; level < plan_.num_levels; ++level)
                plan_.speeds.push_back(stragglers
                                           ? with_slow_node(old(level), slots, stragglers->slowdown)
                                           : old(level));
        }
        return static_cast<std::uint16_t>(plan_.speeds.size() / (num_pools * plan_.num_paces()));
    }

    const Scenario& scenario_;
    Compiled& compiled_;
    Plan& plan_;
    std::vector<PlanClass> classes_; ///< as they were
    std::vector<PlanSpeed> speeds_;  ///< likewise
    std::vector<bool> is_taken_;     ///< by row
    std::map<std::pair<std::uint16_t, std::int64_t>, std::uint16_t> rows_;
};

void note(const Scenario& scenario, Compiled& compiled) {
    const Plan& plan = compiled.plan;
    for (std::size_t pool = 0; pool < scenario.fleet.size(); ++pool) {
        const PoolSpec& spec = scenario.fleet[pool];
        if (!spec.stragglers)
            continue;
        const auto first = plan.slow_nodes.begin() + plan.slow_begin[pool];
        compiled.notes.assumed.push_back(
            fmt::format("pool {}: {} of {} nodes slow for the whole run: there, and in gangs with "
                        "one, work takes {:g} times as long; no policy knows which they are",
                        spec.name,
                        std::count(first, first + spec.nodes, 1),
                        spec.nodes,
                        spec.stragglers->slowdown));
    }
}

} // namespace

PlanSpeed with_slow_node(const PlanSpeed& at_pace, std::int64_t slots, double slowdown) {
    const auto part = [&](std::int64_t whole) {
        return static_cast<std::int64_t>(std::floor(static_cast<double>(whole) / slowdown));
    };
    PlanSpeed out = at_pace;
    out.speed = std::max<std::int64_t>(part(at_pace.speed), 1);
    std::int64_t rest = slots - part(slots - at_pace.all_stalled_slots());
    for (std::size_t stall = 0; stall < num_stalls; ++stall) {
        out.stalled_slots[stall] = part(at_pace.stalled_slots[stall]);
        rest -= out.stalled_slots[stall];
    }
    out.stalled_slots[static_cast<std::size_t>(Stall::sync)] += rest;
    return out;
}

void plan_stragglers(const CompileInput& input, Compiled& compiled) {
    const Scenario& scenario = input.scenario;
    if (!has_stragglers(scenario))
        return;
    Plan& plan = compiled.plan;
    SlowRows rows{scenario, compiled};
    draw_slow_nodes(scenario, plan);
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        plan.job_class[job] =
            rows.row_of(plan.job_class[job], plan.shapes[plan.shape[job]].slots());
    for (PlanForm& form : plan.forms)
        form.job_class = rows.row_of(form.job_class, plan.shapes[form.shape].slots());
    note(scenario, compiled);
}

}} // namespace bursar::scenarios
