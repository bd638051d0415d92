#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "sim/plan/job_order.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/priority_level.hpp"

namespace bursar::inline sim {

/// Numbers for `values` that compare as they do and are below 2^bits: themselves where they are,
/// else their places among the different ones.
inline void compress(std::vector<std::uint64_t>& values, unsigned bits) {
    const auto largest = std::max_element(values.begin(), values.end());
    if (largest == values.end() || *largest >> bits == 0)
        return;
    std::vector<std::uint64_t> different = values;
    std::sort(different.begin(), different.end());
    different.erase(std::unique(different.begin(), different.end()), different.end());
    for (std::uint64_t& value : values) {
        const auto place = std::lower_bound(different.begin(), different.end(), value);
        value = static_cast<std::uint64_t>(place - different.begin());
    }
}

/// Orders the jobs of `plan` by priority, highest first; those of one priority by key, least
/// first, ties by submit order. The keys of the order hold each job's PriorityLevel. key: one per
/// job.
inline JobOrder order_by_priority(const Plan& plan, std::vector<std::uint64_t> key) {
    compress(key, PriorityLevel::shift);

    std::vector<std::int32_t> levels = plan.priority;
    std::sort(levels.begin(), levels.end(), std::greater{});
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    for (std::size_t job = 0; job < plan.priority.size(); ++job) {
        const auto level =
            std::lower_bound(levels.begin(), levels.end(), plan.priority[job], std::greater{});
        key[job] |= PriorityLevel::key_of(static_cast<std::uint64_t>(level - levels.begin()));
    }
    return order_by_keys(plan, std::move(key));
}

} // namespace bursar::inline sim
