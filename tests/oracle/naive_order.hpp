#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_lists.hpp"
#include "tests/oracle/naive_rules.hpp"
#include "tests/oracle/naive_tenants.hpp"

namespace bursar::oracle {

inline constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::max();

/// The queue's order now. Times are believed ones.
class NaiveOrder {
  public:
    NaiveOrder(const Cluster& cluster, const NaiveRules& rules)
        : use{cluster, rules}, cluster_{cluster}, rules_{rules}, lists_{cluster, rules} {}
    NaiveOrder(const NaiveOrder&) = default;

    /// Whether `a` ranks strictly above `b`, before any rule for ties.
    [[nodiscard]] bool is_above(std::size_t a, std::size_t b) const {
        const Request& first = cluster_.requests[a];
        const Request& second = cluster_.requests[b];
        switch (rules_.order) {
        case Order::fifo:
        case Order::turns:
            return false;
        case Order::by_key:
            return first.key < second.key;
        case Order::sjf:
            return first.believed_work_ms() < second.believed_work_ms();
        case Order::srtf:
            return cluster_.remaining_ms(a) < cluster_.remaining_ms(b);
        case Order::srtf_gpu_time:
            return cluster_.remaining_ms(a) * first.gpus < cluster_.remaining_ms(b) * second.gpus;
        case Order::smallest:
            return first.gpus < second.gpus;
        case Order::las:
        case Order::gittins:
            return lists_.goes_before(lists_.list_of(a), lists_.list_of(b));
        case Order::priority:
            return first.priority > second.priority;
        case Order::edf:
            return first.deadline_ms.value_or(no_time) < second.deadline_ms.value_or(no_time);
        case Order::value_density:
            return is_denser(a, b);
        case Order::fair_share:
            return use.use(first.tenant) * use.weight(second.tenant) <
                   use.use(second.tenant) * use.weight(first.tenant);
        case Order::drf:
            return use.has_less(first.tenant, second.tenant);
        case Order::multifactor:
            return merit(a) > merit(b);
        case Order::ftf:
            return is_treated_worse(a, b);
        }
        return false;
    }

    /// The same in a run with victims: priority, or value density, is compared first; ties in input
    /// order.
    [[nodiscard]] bool is_before(std::size_t a, std::size_t b) const {
        if (rules_.stop == Stop::priority &&
            cluster_.requests[a].priority != cluster_.requests[b].priority)
            return cluster_.requests[a].priority > cluster_.requests[b].priority;
        if (rules_.stop == Stop::value && (is_denser(a, b) || is_denser(b, a)))
            return is_denser(a, b);
        if (is_above(a, b) || is_above(b, a))
            return is_above(a, b);
        return a < b;
    }

    /// The first waiting job for which `test` holds.
    template <class Test>
    [[nodiscard]] std::optional<std::size_t> first_where(const Test& test) const {
        std::optional<std::size_t> first;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            if (cluster_.jobs[job].phase == Phase::pending && test(job) &&
                (!first || is_before(job, *first)))
                first = job;
        return first;
    }

    [[nodiscard]] const ServiceLists& lists() const { return lists_; }

    TenantUse use;

  private:
    /// More value per GPU time of the whole job; zero time comes first, zero value last.
    [[nodiscard]] bool is_denser(std::size_t a, std::size_t b) const {
        const auto gpu_time = [&](std::size_t job) {
            return __int128{cluster_.requests[job].gpus} * cluster_.whole_job_ms(job);
        };
        const __int128 value_a = cluster_.requests[a].value;
        const __int128 value_b = cluster_.requests[b].value;
        if (value_a == 0 || value_b == 0)
            return value_a > 0 && value_b == 0;
        if (gpu_time(a) == 0 || gpu_time(b) == 0)
            return gpu_time(a) == 0 && gpu_time(b) > 0;
        return value_a * gpu_time(b) > value_b * gpu_time(a);
    }

    /// Factors are from 0 to 2^24, truncated; ages are those at the last end of a period.
    [[nodiscard]] __int128 merit(std::size_t job) const {
        constexpr std::int64_t one = std::int64_t{1} << 24;
        const Request& request = cluster_.requests[job];
        const FactorWeights& weights = rules_.factors;
        std::int64_t lowest = 0;
        std::int64_t highest = 0;
        for (const Request& other : cluster_.requests) {
            lowest = std::min(&other == cluster_.requests.data() ? other.priority : lowest,
                              other.priority);
            highest = std::max(&other == cluster_.requests.data() ? other.priority : highest,
                               other.priority);
        }
        const std::int64_t range = std::max<std::int64_t>(highest - lowest, 1);
        const std::int64_t age = std::clamp<std::int64_t>(
            use.period_begin_ms() - *cluster_.eligible_ms(job), 0, weights.max_age_ms);
        const std::int64_t size = request.gpus * slots_in_gpu * one / use.fleet_slots();
        return __int128{weights.age} * (age * one / weights.max_age_ms) +
               __int128{weights.size} * (weights.favors_small ? one - size : size) +
               __int128{weights.share} * use.share_factor(request.tenant) +
               __int128{weights.priority} * ((request.priority - lowest) * one / range);
    }

    /// By (elapsed + remaining) over the time on its share of the fleet. The latter is the run time
    /// times a stretch in units of 2^-16, truncated, at most a million.
    [[nodiscard]] bool is_treated_worse(std::size_t a, std::size_t b) const {
        std::int64_t weight_in_system = 0;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            if (cluster_.jobs[job].phase == Phase::pending || cluster_.holds_gpus(job))
                weight_in_system += use.weight(cluster_.requests[job].tenant);
        const auto taken = [&](std::size_t job) {
            return __int128{cluster_.now_ms - *cluster_.eligible_ms(job) +
                            cluster_.believed_left_ms(job)};
        };
        const auto isolated = [&](std::size_t job) {
            constexpr __int128 one = 1 << 16;
            const Request& request = cluster_.requests[job];
            const __int128 stretch = one * request.gpus * slots_in_gpu * weight_in_system /
                                     (__int128{use.fleet_slots()} * use.weight(request.tenant));
            return std::clamp<__int128>(stretch, one, (__int128{1} << 36) - 1) *
                   std::max<std::int64_t>(request.believed_work_ms(), 1);
        };
        return taken(a) * isolated(b) > taken(b) * isolated(a);
    }

    const Cluster& cluster_;
    const NaiveRules& rules_;
    ServiceLists lists_;
};

} // namespace bursar::oracle
