#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "sim/plan/job_group.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar {

/// The order in which a queue policy serves a plan's jobs, as far as it is fixed before the run;
/// worked out once.
///
/// With fixed keys, jobs are laid out shape by shape, inside a shape by (key, submit order). A
/// queue is then a set of positions, and "the best pending job of a shape" is the first member of a
/// range: nothing is ever sorted while time moves. 16 bytes per job. For an order of tenants they
/// are laid out group by group instead (job_groups.hpp). 12 bytes per job.
struct JobOrder {
    std::vector<std::uint32_t> position; ///< job -> position
    std::vector<std::uint32_t> job_at;   ///< position -> job
    /// Shape s owns positions [shape_begin[s], shape_begin[s+1]); with groups, as many of them.
    std::vector<std::uint32_t> shape_begin;
    std::vector<std::uint64_t> key; ///< job -> its key, to compare jobs of two shapes; fixed keys

    std::vector<JobGroup> groups;            ///< orders of tenants only, tenant by tenant
    std::vector<std::uint32_t> group_of;     ///< job -> its group
    std::vector<std::uint32_t> tenant_begin; ///< tenant t owns groups [tenant_begin[t], [t+1])
};

/// One job to be sorted. Halves of the key side by side keep it at 12 bytes where {uint64, uint32}
/// would pad to 16.
struct KeyedJob {
    std::uint32_t high{}, low{}, job{};

    KeyedJob() = default;
    KeyedJob(std::uint64_t key, std::uint32_t of_job)
        : high{static_cast<std::uint32_t>(key >> 32U)}, low{static_cast<std::uint32_t>(key)},
          job{of_job} {}
    auto operator<=>(const KeyedJob&) const = default;
};

/// Sorts `jobs` by (key_of(job), job). Keys are first dealt into buckets by their leading 11 bits,
/// which keeps order and suits run times, whose logarithms spread evenly; what is left to sort fits
/// the cache. Scratch: 12 bytes per job.
void sort_by_key(std::span<std::uint32_t> jobs, std::vector<KeyedJob>& scratch, auto key_of) {
    const auto bucket_of = [](std::uint64_t key) {
        const auto width = static_cast<unsigned>(std::bit_width(key | 1023U));
        return (width - 10) * 1024 + static_cast<unsigned>(key >> (width - 10) & 1023U);
    };
    constexpr std::size_t num_buckets = (64 - 10 + 1) * 1024;
    std::vector<std::uint32_t> begin(num_buckets + 1, 0);
    bool sorted = true;
    std::uint64_t last = 0;
    for (const std::uint32_t job : jobs) {
        const std::uint64_t key = key_of(job);
        sorted = sorted && key >= last;
        last = key;
        ++begin[bucket_of(key) + 1];
    }
    if (sorted)
        return;
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    scratch.resize(jobs.size());
    std::vector<std::uint32_t> next{begin.begin(), begin.end() - 1};
    for (const std::uint32_t job : jobs) {
        const std::uint64_t key = key_of(job);
        scratch[next[bucket_of(key)]++] = KeyedJob{key, job};
    }
    for (std::size_t bucket = 0; bucket < num_buckets; ++bucket)
        std::sort(scratch.begin() + begin[bucket], scratch.begin() + begin[bucket + 1]);
    std::transform(scratch.begin(), scratch.end(), jobs.begin(), [](const KeyedJob& keyed) {
        return keyed.job;
    });
}

/// Orders the jobs of `plan` by `policy.key(JobView) -> uint64`, least first, ties by submit order.
template <class Policy>
JobOrder order_jobs(const Plan& plan, const Policy& policy) {
    const auto num_jobs = static_cast<std::uint32_t>(plan.num_jobs());
    const PlanView view = view_of(plan);
    JobOrder order;
    order.key.resize(num_jobs);
    for (std::uint32_t job = 0; job < num_jobs; ++job)
        order.key[job] = policy.key(view.view(job));
    order.shape_begin.assign(plan.shapes.size() + 1, 0);
    for (const std::uint16_t shape : plan.shape)
        ++order.shape_begin[shape + 1U];
    std::partial_sum(order.shape_begin.begin(), order.shape_begin.end(), order.shape_begin.begin());

    order.job_at.resize(num_jobs);
    std::vector<std::uint32_t> next{order.shape_begin.begin(), order.shape_begin.end() - 1};
    for (std::uint32_t job = 0; job < num_jobs; ++job)
        order.job_at[next[plan.shape[job]]++] = job;

    {
        std::vector<KeyedJob> scratch; // gone before `position` is asked for
        for (std::size_t shape = 0; shape < plan.shapes.size(); ++shape) {
            sort_by_key(std::span{order.job_at}.subspan(order.shape_begin[shape],
                                                        order.shape_begin[shape + 1] -
                                                            order.shape_begin[shape]),
                        scratch,
                        [&](std::uint32_t job) { return order.key[job]; });
        }
    }
    order.position.resize(num_jobs);
    for (std::uint32_t at = 0; at < num_jobs; ++at)
        order.position[order.job_at[at]] = at;
    return order;
}

} // namespace bursar
