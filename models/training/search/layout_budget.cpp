#include "models/training/search/layout_budget.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "models/errors/model_error.hpp"
#include "models/training/search/run_cost.hpp"

namespace bursar { inline namespace models {
namespace {

FleetPlan
plan_of(const FleetOption& option, std::size_t index, const RankedLayout& layout, double steps) {
    const RunCost run = run_cost(layout.step, steps, option.gpus, option.price);
    return {index, layout, run.duration, run.usd};
}

bool dominates(const FleetPlan& a, const FleetPlan& b) {
    const auto cost = [](const FleetPlan& plan) {
        return std::array{plan.duration.count(), plan.usd, plan.layout.memory.count()};
    };
    const auto of_a = cost(a);
    const auto of_b = cost(b);
    const bool no_worse = std::equal(
        of_a.begin(), of_a.end(), of_b.begin(), [](double x, double y) { return x <= y; });
    return no_worse && of_a != of_b;
}

std::vector<FleetPlan> front(const std::vector<FleetPlan>& plans) {
    std::vector<FleetPlan> kept;
    for (const FleetPlan& plan : plans) {
        const bool beaten = std::any_of(plans.begin(), plans.end(), [&](const FleetPlan& other) {
            return dominates(other, plan);
        });
        if (!beaten)
            kept.push_back(plan);
    }
    std::stable_sort(kept.begin(), kept.end(), [](const FleetPlan& a, const FleetPlan& b) {
        return a.duration < b.duration;
    });
    return kept;
}

LayoutSpace space_of(const FleetOption& option, LayoutSpace space) {
    space.gpus = option.gpus;
    std::erase_if(space.precisions,
                  [&](Precision precision) { return !supports(option.cluster.gpu, precision); });
    return space;
}

} // namespace

bool meets(const FleetPlan& plan, const TrainingGoal& goal) {
    return (!goal.budget_usd || plan.usd <= *goal.budget_usd) &&
           (!goal.deadline || plan.duration <= *goal.deadline);
}

FleetSearch search_fleets(const TrainingJob& job,
                          const std::vector<FleetOption>& options,
                          const StackProfile& profile,
                          const LayoutSpace& space,
                          const TrainingGoal& goal,
                          const MemoryOverheads& overheads) {
    if (!(goal.tokens > 0))
        throw ModelError{"tokens", "there is nothing to train", "give more than 0"};
    if (options.empty())
        throw ModelError{"gpus", "no GPUs to choose from", "give at least one option"};
    const double per_step = static_cast<double>(space.global_batch * job.sequence);
    FleetSearch search;
    std::vector<FleetPlan> fronts;
    for (std::size_t i = 0; i < options.size(); ++i) {
        TrainingJob on = job;
        on.attention = options[i].attention.value_or(job.attention);
        on.fp8_scaling = options[i].fp8_scaling.value_or(job.fp8_scaling);
        const LayoutSearch found = search_layouts(
            on, options[i].cluster, profile, space_of(options[i], space), 1, overheads);
        search.evaluated += found.evaluated;
        search.excluded_by_rule += found.excluded_by_rule;
        search.excluded_by_memory += found.excluded_by_memory;
        const double steps = std::ceil(goal.tokens / per_step);
        for (const RankedLayout& layout : found.best)
            search.plans.push_back(plan_of(options[i], i, layout, steps));
        for (const RankedLayout& layout : found.pareto)
            fronts.push_back(plan_of(options[i], i, layout, steps));
    }
    std::stable_sort(
        search.plans.begin(), search.plans.end(), [&](const FleetPlan& a, const FleetPlan& b) {
            return std::tuple{!meets(a, goal), a.usd} < std::tuple{!meets(b, goal), b.usd};
        });
    search.pareto = front(fronts);
    return search;
}

std::size_t settled_shape(std::size_t first,
                          const std::function<std::size_t(double)>& shape_at,
                          const std::function<double(std::size_t)>& utilisation_of) {
    struct Visit {
        std::size_t shape;
        double utilisation;
    };
    std::vector<Visit> visits;
    auto cycle = visits.end();
    for (std::size_t shape = first;
         (cycle = std::ranges::find(visits, shape, &Visit::shape)) == visits.end();
         shape = shape_at(visits.back().utilisation))
        visits.push_back({shape, utilisation_of(shape)});
    return std::ranges::min_element(cycle, visits.end(), {}, &Visit::utilisation)->shape;
}

}} // namespace bursar::models
