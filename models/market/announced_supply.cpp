#include "models/market/announced_supply.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <deque>
#include <vector>

namespace bursar { inline namespace models {

SupplySeries announced(const SupplySeries& supply, Duration notice) {
    const std::span<const SupplyStep> steps = supply.steps();
    assert(steps.front().time_ms == 0 && notice >= Duration{});
    std::vector<std::int64_t> times;
    for (const SupplyStep& step : steps) {
        times.push_back(step.time_ms);
        times.push_back(std::max<std::int64_t>(0, step.time_ms - notice.count()));
    }
    std::ranges::sort(times);
    times.erase(std::ranges::unique(times).begin(), times.end());

    // Steps inside [time, time + notice], of which the front has the fewest nodes.
    std::deque<std::size_t> window;
    std::size_t next = 0;
    std::vector<SupplyStep> out;
    for (const std::int64_t time : times) {
        for (; next < steps.size() && steps[next].time_ms <= time + notice.count(); ++next) {
            while (!window.empty() && steps[window.back()].nodes >= steps[next].nodes)
                window.pop_back();
            window.push_back(next);
        }
        while (window.front() + 1 < steps.size() && steps[window.front() + 1].time_ms <= time)
            window.pop_front();
        out.push_back({time, steps[window.front()].nodes});
    }
    return {std::move(out), supply.end()};
}

SupplySeries since(const SupplySeries& supply, Duration zero) {
    std::vector<SupplyStep> steps{{0, supply.at(zero)}};
    for (const SupplyStep& step : supply.steps())
        if (step.time_ms > zero.count())
            steps.push_back({step.time_ms - zero.count(), step.nodes});
    return {std::move(steps), std::max(supply.end() - zero, Duration{1})};
}

}} // namespace bursar::models
