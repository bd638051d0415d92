#include "sim/plan/job_order.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <compare>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

namespace bursar::inline sim {
namespace {

/// One job to be sorted. Halves of the key side by side keep it at 12 bytes where {uint64, uint32}
/// would pad to 16.
struct KeyedJob {
    std::uint32_t high{}, low{}, job{};

    KeyedJob() = default;
    KeyedJob(std::uint64_t key, JobId of_job)
        : high{static_cast<std::uint32_t>(key >> 32U)}, low{static_cast<std::uint32_t>(key)},
          job{of_job} {}
    auto operator<=>(const KeyedJob&) const = default;
};

/// Sorts `jobs` by (key_of(job), job). Keys are first dealt into buckets by their leading 11 bits,
/// which keeps order and suits run times, whose logarithms spread evenly; what is left to sort fits
/// the cache. Scratch: 12 bytes per job.
void sort_by_key(std::span<JobId> jobs, std::vector<KeyedJob>& scratch, auto key_of) {
    const auto bucket_of = [](std::uint64_t key) {
        const auto width = static_cast<unsigned>(std::bit_width(key | 1023U));
        return (width - 10) * 1024 + static_cast<unsigned>(key >> (width - 10) & 1023U);
    };
    constexpr std::size_t num_buckets = (64 - 10 + 1) * 1024;
    std::vector<std::uint32_t> begin(num_buckets + 1, 0);
    bool sorted = true;
    std::uint64_t last = 0;
    for (const JobId job : jobs) {
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
    for (const JobId job : jobs) {
        const std::uint64_t key = key_of(job);
        scratch[next[bucket_of(key)]++] = KeyedJob{key, job};
    }
    for (std::size_t bucket = 0; bucket < num_buckets; ++bucket)
        std::sort(scratch.begin() + begin[bucket], scratch.begin() + begin[bucket + 1]);
    std::transform(scratch.begin(), scratch.end(), jobs.begin(), [](const KeyedJob& keyed) {
        return JobId{keyed.job};
    });
}

} // namespace

JobOrder order_by_keys(const Plan& plan, std::vector<std::uint64_t> key) {
    assert(key.size() == plan.num_jobs());
    const auto num_jobs = static_cast<std::uint32_t>(plan.num_jobs());
    JobOrder order;
    order.key = std::move(key);
    order.shape_begin.assign(plan.shapes.size() + 1, 0);
    for (const std::uint16_t shape : plan.shape)
        ++order.shape_begin[shape + 1U];
    std::partial_sum(order.shape_begin.begin(), order.shape_begin.end(), order.shape_begin.begin());

    order.job_at.resize(num_jobs);
    std::vector<std::uint32_t> next{order.shape_begin.begin(), order.shape_begin.end() - 1};
    for (JobId job{0}; job < num_jobs; ++job)
        order.job_at[next[plan.shape[job]]++] = job;

    {
        std::vector<KeyedJob> scratch; // gone before `position` is asked for
        for (std::size_t shape = 0; shape < plan.shapes.size(); ++shape) {
            sort_by_key(std::span{order.job_at}.subspan(order.shape_begin[shape],
                                                        order.shape_begin[shape + 1] -
                                                            order.shape_begin[shape]),
                        scratch,
                        [&](JobId job) { return order.key[job]; });
        }
    }
    order.position.resize(num_jobs);
    for (std::uint32_t at = 0; at < num_jobs; ++at)
        order.position[order.job_at[at]] = at;
    return order;
}

} // namespace bursar::inline sim
