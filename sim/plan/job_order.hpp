#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/plan/plan.hpp"

namespace bursar {

/// The order in which a queue policy with fixed keys serves a plan's jobs, worked out once.
///
/// Jobs are laid out shape by shape, inside a shape by (key, submit order). A queue is then a set
/// of positions, and "the best pending job of a shape" is the first member of a range: nothing is
/// ever sorted while time moves. 8 bytes per job.
struct JobOrder {
    std::vector<std::uint32_t> position; ///< job -> position
    std::vector<std::uint32_t> job_at;   ///< position -> job
    std::vector<std::uint32_t>
        shape_begin; ///< shape s owns positions [shape_begin[s], shape_begin[s+1])
};

/// Orders the jobs of `plan` by `policy.key(JobView) -> uint64`, least first, ties by submit order.
/// Cost: one counting pass, then a sort per shape. Scratch: 12 bytes per job of the largest shape.
template <class Policy>
JobOrder order_jobs(const Plan& plan, const Policy& policy) {
    const auto num_jobs = static_cast<std::uint32_t>(plan.num_jobs());
    JobOrder order;
    order.shape_begin.assign(plan.shapes.size() + 1, 0);
    for (const std::uint16_t shape : plan.shape)
        ++order.shape_begin[shape + 1U];
    std::partial_sum(order.shape_begin.begin(), order.shape_begin.end(), order.shape_begin.begin());

    order.job_at.resize(num_jobs);
    std::vector<std::uint32_t> next{order.shape_begin.begin(), order.shape_begin.end() - 1};
    for (std::uint32_t job = 0; job < num_jobs; ++job)
        order.job_at[next[plan.shape[job]]++] = job;

    // Halves of the key side by side keep an entry at 12 bytes where {uint64, uint32} would pad
    // to 16.
    struct Entry {
        std::uint32_t high, low, job;
        auto operator<=>(const Entry&) const = default;
    };
    std::vector<Entry> entries;
    for (std::size_t shape = 0; shape < plan.shapes.size(); ++shape) {
        const auto range = [&](auto& v) { return v.begin() + order.shape_begin[shape]; };
        const std::uint32_t count = order.shape_begin[shape + 1] - order.shape_begin[shape];
        entries.clear();
        entries.reserve(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t job = *(range(order.job_at) + i);
            const std::uint64_t key = policy.key(plan.view(job));
            entries.push_back(
                {static_cast<std::uint32_t>(key >> 32U), static_cast<std::uint32_t>(key), job});
        }
        if (std::is_sorted(entries.begin(), entries.end()))
            continue;
        std::sort(entries.begin(), entries.end());
        std::transform(entries.begin(), entries.end(), range(order.job_at), [](const Entry& entry) {
            return entry.job;
        });
    }

    order.position.resize(num_jobs);
    for (std::uint32_t at = 0; at < num_jobs; ++at)
        order.position[order.job_at[at]] = at;
    return order;
}

} // namespace bursar
