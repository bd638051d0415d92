#include "models/market/supply_series.hpp"

#include <algorithm>
#include <cassert>

#include "models/errors/model_error.hpp"

namespace bursar { inline namespace models {
namespace {

void check_steps(const std::vector<SupplyStep>& steps, Duration end) {
    if (steps.empty())
        throw ModelError{"supply", "has no steps", "give at least one time with its nodes"};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].nodes < 0)
            throw ModelError{
                "supply", "fewer nodes than none", "nodes that can be had are 0 or more"};
        if (i > 0 && steps[i].time_ms <= steps[i - 1].time_ms)
            throw ModelError{"supply", "times do not ascend", "one step per time, in order"};
    }
    if (end.count() < steps.back().time_ms)
        throw ModelError{"supply", "ends before its last step", "give a later end"};
    if (end.count() == steps.front().time_ms)
        throw ModelError{"supply", "lasts for no time", "give at least two instants"};
}

} // namespace

SupplySeries::SupplySeries(std::vector<SupplyStep> steps, Duration end)
    : steps_{std::move(steps)}, end_{end} {
    check_steps(steps_, end_);
    const auto same = std::ranges::unique(steps_, {}, &SupplyStep::nodes);
    steps_.erase(same.begin(), same.end());
    max_nodes_ = std::ranges::max(steps_, {}, &SupplyStep::nodes).nodes;
}

std::size_t SupplySeries::step_at(Duration when) const {
    const auto next = std::ranges::upper_bound(steps_, when.count(), {}, &SupplyStep::time_ms);
    return next == steps_.begin() ? 0 : static_cast<std::size_t>(next - steps_.begin()) - 1;
}

std::int32_t SupplySeries::at(Duration when) const {
    return steps_[step_at(when)].nodes;
}

int128 SupplySeries::node_ms(Duration from, Duration until) const {
    assert(from <= until);
    int128 sum = 0;
    std::int64_t at = from.count();
    for (std::size_t i = step_at(from); at < until.count(); ++i) {
        const std::int64_t next =
            i + 1 < steps_.size() ? std::min(steps_[i + 1].time_ms, until.count()) : until.count();
        sum += int128{next - at} * steps_[i].nodes;
        at = next;
    }
    return sum;
}

SupplySeries inverted(const SupplySeries& supply) {
    std::vector<SupplyStep> steps{supply.steps().begin(), supply.steps().end()};
    for (SupplyStep& step : steps)
        step.nodes = std::max(1, supply.max_nodes()) - step.nodes;
    return {std::move(steps), supply.end()};
}

}} // namespace bursar::models
