#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// The victims of a job that does not fit, by priority, by value or by tenants' shares, as the
/// policies describe; all attempts are sorted for each query.
class NaiveVictims {
  public:
    NaiveVictims(const Cluster& cluster, const NaiveRules& rules)
        : cluster_{cluster}, rules_{rules} {}

    [[nodiscard]] bool are_taken() const { return rules_.takes_victims(); }
    /// Whether it will release its GPUs: it saves, or works for its grace.
    [[nodiscard]] bool leaves(std::size_t job) const {
        const JobState& state = cluster_.jobs[job];
        return state.phase == Phase::stopped ||
               (state.phase == Phase::running && state.notice_ms.has_value());
    }
    [[nodiscard]] bool someone_leaves() const {
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            if (leaves(job))
                return true;
        return false;
    }
    /// Free GPUs once leaving attempts have released theirs.
    [[nodiscard]] std::vector<FreeGpus> free_ahead() const {
        std::vector<FreeGpus> ahead = cluster_.free;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            if (leaves(job))
                ahead[cluster_.jobs[job].pool].give_back(cluster_.jobs[job].shares);
        return ahead;
    }

    /// When an attempt becomes, or ceases to be, a possible victim.
    [[nodiscard]] std::optional<std::int64_t> next_standing_ms(std::size_t job) const {
        const JobState& state = cluster_.jobs[job];
        if (rules_.stop == Stop::never || rules_.allocates() || state.phase != Phase::running)
            return std::nullopt;
        const std::int64_t work_end = cluster_.work_end_ms(job);
        if (state.notice_ms)
            return *state.notice_ms < work_end ? state.notice_ms : std::nullopt;
        const std::int64_t stoppable = state.start_ms + rules_.limits.min_run_ms;
        if (stoppable >= work_end || state.num_preemptions >= rules_.limits.max_per_job)
            return std::nullopt;
        if (stoppable > cluster_.now_ms)
            return stoppable;
        return work_end > cluster_.now_ms ? std::optional{work_end} : std::nullopt;
    }

    /// The attempts to stop for `job` on `pool` with these free GPUs; absent if that does not help.
    /// claims: the jobs that wait for their victims.
    [[nodiscard]] std::optional<std::vector<std::size_t>>
    choose(const FreeGpus& free,
           std::size_t job,
           std::size_t pool,
           const std::vector<std::size_t>& claims) const {
        if (rules_.stop == Stop::share)
            return choose_by_share(free, job, pool, claims);
        std::vector<std::size_t> line;
        for (std::size_t other = 0; other < cluster_.jobs.size(); ++other)
            if (may_stop(other, job, pool))
                line.push_back(other);
        std::sort(line.begin(), line.end(), [&](std::size_t a, std::size_t b) {
            return goes_first(a, b, job, pool);
        });
        const auto fits_without = [&](const std::vector<std::size_t>& gone) {
            return fits(free, job, gone);
        };
        std::vector<std::size_t> gone;
        while (!fits_without(gone)) {
            if (gone.size() == line.size())
                return std::nullopt;
            gone.push_back(line[gone.size()]);
        }
        spare(gone, fits_without);
        __int128 sum = 0;
        for (const std::size_t other : gone)
            sum += rules_.stop == Stop::value ? toll(other, job, pool) : 0;
        if (rules_.stop == Stop::value && sum >= cluster_.requests[job].value)
            return std::nullopt;
        return gone;
    }

  private:
    [[nodiscard]] bool
    fits(FreeGpus free, std::size_t job, const std::vector<std::size_t>& gone) const {
        for (const std::size_t other : gone)
            free.give_back(cluster_.jobs[other].shares);
        return cluster_.place_in(free, job).has_value();
    }
    /// Spares victims that are not needed after all, the last first.
    template <class Fits>
    static void spare(std::vector<std::size_t>& gone, const Fits& fits_without) {
        for (std::size_t i = gone.size(); i-- > 0;) {
            std::vector<std::size_t> fewer = gone;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (fits_without(fewer))
                gone = std::move(fewer);
        }
    }

    struct Fraction {
        __int128 part{};
        __int128 whole{1};
        friend bool operator<(const Fraction& a, const Fraction& b) {
            return a.part * b.whole < b.part * a.whole;
        }
    };

    /// What a tenant holds of GPUs, or with drf of its dominant resource, over its weight: by jobs
    /// that run and are not preempted, and by `others`.
    [[nodiscard]] Fraction share_of(std::size_t tenant,
                                    const std::vector<std::size_t>& gone,
                                    const std::vector<std::size_t>& others) const {
        std::int64_t gpus = 0;
        std::int64_t cpu = 0;
        std::int64_t memory = 0;
        const auto add = [&](std::size_t job) {
            const Request& request = cluster_.requests[job];
            if (request.tenant != tenant)
                return;
            gpus += request.gpus;
            cpu += request.cpu_milli;
            memory += request.memory_mib;
        };
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            if (cluster_.holds_gpus(job) && !leaves(job) &&
                std::find(gone.begin(), gone.end(), job) == gone.end())
                add(job);
        for (const std::size_t job : others)
            add(job);
        const __int128 weight =
            tenant < rules_.tenant_weight.size() ? rules_.tenant_weight[tenant] : 1;
        if (rules_.order != Order::drf)
            return {gpus, weight};
        std::int64_t all_gpus = 0;
        std::int64_t all_cpu = 0;
        std::int64_t all_memory = 0;
        for (const Pool& pool : cluster_.pools) {
            all_gpus += pool.nodes * pool.gpus_per_node;
            all_cpu += pool.nodes * pool.cpu_milli;
            all_memory += pool.nodes * pool.memory_mib;
        }
        Fraction largest;
        for (const auto& [held, all] :
             {std::pair{gpus, all_gpus}, std::pair{cpu, all_cpu}, std::pair{memory, all_memory}})
            if (all > 0)
                largest = std::max(largest, Fraction{held, all * weight});
        return largest;
    }

    [[nodiscard]] std::optional<std::vector<std::size_t>>
    choose_by_share(const FreeGpus& free,
                    std::size_t job,
                    std::size_t pool,
                    const std::vector<std::size_t>& claims) const {
        const std::size_t own = cluster_.requests[job].tenant;
        std::vector<std::size_t> with_job = claims;
        with_job.push_back(job);
        const Fraction bound = share_of(own, {}, with_job);
        if (!(share_of(own, {}, claims) < bound))
            return std::nullopt;
        std::vector<std::size_t> gone;
        const auto share_now = [&](std::size_t other) {
            return share_of(cluster_.requests[other].tenant, gone, claims);
        };
        const auto goes_before = [&](std::size_t a, std::size_t b) {
            if (share_now(a) < share_now(b) || share_now(b) < share_now(a))
                return share_now(b) < share_now(a);
            const std::int64_t priority_a = cluster_.requests[a].priority;
            const std::int64_t priority_b = cluster_.requests[b].priority;
            if (priority_a != priority_b)
                return priority_a < priority_b;
            const std::int64_t start_a = cluster_.jobs[a].start_ms;
            const std::int64_t start_b = cluster_.jobs[b].start_ms;
            return start_a != start_b ? start_a > start_b : a > b;
        };
        while (!fits(free, job, gone)) {
            std::optional<std::size_t> best;
            for (std::size_t other = 0; other < cluster_.jobs.size(); ++other) {
                if (cluster_.requests[other].tenant == own || !may_stop(other, job, pool) ||
                    cluster_.jobs[other].start_ms == cluster_.now_ms ||
                    std::find(gone.begin(), gone.end(), other) != gone.end())
                    continue;
                std::vector<std::size_t> more = gone;
                more.push_back(other);
                const bool keeps_enough =
                    !(share_of(cluster_.requests[other].tenant, more, claims) < bound);
                if (keeps_enough && (!best || goes_before(other, *best)))
                    best = other;
            }
            if (!best)
                return std::nullopt;
            gone.push_back(*best);
        }
        spare(gone, [&](const std::vector<std::size_t>& fewer) { return fits(free, job, fewer); });
        return gone;
    }

    [[nodiscard]] bool may_stop(std::size_t other, std::size_t job, std::size_t pool) const {
        const JobState& state = cluster_.jobs[other];
        const std::int64_t stoppable = state.start_ms + rules_.limits.min_run_ms;
        return cluster_.can_be_stopped(other) && state.pool == pool && !state.notice_ms &&
               stoppable <= cluster_.now_ms && stoppable < cluster_.work_end_ms(other) &&
               state.num_preemptions < rules_.limits.max_per_job &&
               (rules_.stop != Stop::priority ||
                cluster_.requests[other].priority < cluster_.requests[job].priority);
    }

    [[nodiscard]] bool
    goes_first(std::size_t a, std::size_t b, std::size_t job, std::size_t pool) const {
        const Request& first = cluster_.requests[a];
        const Request& second = cluster_.requests[b];
        if (rules_.stop == Stop::value) {
            const __int128 per_gpu = toll(a, job, pool) / first.gpus;
            const __int128 other_per_gpu = toll(b, job, pool) / second.gpus;
            return per_gpu != other_per_gpu ? per_gpu < other_per_gpu : a > b;
        }
        const __int128 loss = __int128{first.gpus} * loss_ms(a);
        const __int128 other_loss = __int128{second.gpus} * loss_ms(b);
        if (first.priority != second.priority)
            return first.priority < second.priority;
        if (loss != other_loss)
            return loss < other_loss;
        return first.gpus != second.gpus ? first.gpus > second.gpus : a > b;
    }

    /// Work since the last durable state (the whole attempt if there is none), the save, and the
    /// recovery.
    [[nodiscard]] std::int64_t loss_ms(std::size_t job) const {
        const Request& request = cluster_.requests[job];
        if (request.saving == Saving::when_preempted)
            return request.save_ms + request.write_ms + request.recovery_ms;
        const JobState& state = cluster_.jobs[job];
        const std::int64_t held = cluster_.now_ms - state.start_ms;
        const std::int64_t at_work = std::max<std::int64_t>(held - state.restart_left, 0);
        const std::int64_t lasts = cluster_.lasting_ms(job, at_work);
        return (lasts == 0 ? held : at_work - lasts) + request.recovery_ms;
    }

    /// v(i) (T(p) + C(i)) / R(i), rounded up.
    [[nodiscard]] __int128 toll(std::size_t other, std::size_t job, std::size_t pool) const {
        const JobState& state = cluster_.jobs[other];
        const std::int64_t needs = std::max<std::int64_t>(cluster_.needed_ms(job, pool), 1);
        const std::int64_t left =
            std::max<std::int64_t>(state.start_ms + state.needed_at_start_ms - cluster_.now_ms, 1);
        return (__int128{cluster_.requests[other].value} * (needs + loss_ms(other)) + left - 1) /
               left;
    }

    const Cluster& cluster_;
    const NaiveRules& rules_;
};

} // namespace bursar::oracle
