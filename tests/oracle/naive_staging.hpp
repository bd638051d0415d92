#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// The next jobs in order stage data ahead of their start, onto GPUs that are predicted to become
/// free. After each pass all is planned anew, except what has begun.
class NaiveStaging {
  public:
    NaiveStaging(Cluster& cluster, const NaiveRules& rules, const NaiveOrder& order)
        : cluster_{cluster}, rules_{rules}, order_{order} {
        cluster_.saved_at_start = [this](std::size_t job, std::size_t pool) {
            return saved_at_start(job, pool);
        };
    }
    NaiveStaging(const NaiveStaging&) = delete; // the cluster refers to it

    /// After its GPUs were released. ended: its job has.
    void note_release(std::size_t job, bool ended) {
        for (auto& [other, staging] : staged_)
            if (staging.awaited == job)
                staging.awaited.reset();
        if (ended)
            works_[cluster_.requests[job].of_class].push_back(cluster_.now_ms - work_begin_ms(job));
    }

    void plan() {
        if (rules_.num_staging == 0)
            return;
        for (std::size_t pool = 0; pool < cluster_.pools.size(); ++pool)
            drop_taken(pool);
        const std::vector<std::size_t> next = next_jobs();
        for (const std::size_t job : jobs_staging())
            if (std::ranges::find(next, job) == next.end() || !has_begun(staged_.at(job)))
                end(job, false);
        std::vector<Line> lines = lines_of_pools();
        for (const std::size_t job : next) {
            const auto own = staged_.find(job);
            std::vector<std::size_t> pools;
            if (own != staged_.end())
                pools = {own->second.pool};
            else
                for (const std::size_t pool : rules_.pools_for(job))
                    if (cluster_.may_use(job, pool))
                        pools.push_back(pool);
            std::optional<std::size_t> best;
            for (const std::size_t pool : pools)
                if (lines[pool].when(cluster_.requests[job].gpus) != no_time &&
                    (!best || lines[pool].when(cluster_.requests[job].gpus) <
                                  lines[*best].when(cluster_.requests[job].gpus)))
                    best = pool;
            if (!best)
                continue;
            const auto [start_ms, awaited] = lines[*best].take(cluster_.requests[job].gpus);
            if (own == staged_.end() && may_stage_ms(job) > 0)
                staged_[job] = {
                    std::max(cluster_.now_ms, start_ms - may_stage_ms(job)), *best, awaited};
        }
    }

    /// The run ends.
    void close() {
        for (const std::size_t job : jobs_staging())
            end(job, false);
    }

  private:
    struct Staging {
        std::int64_t begin_ms{};
        std::size_t pool{};
        std::optional<std::size_t> awaited{}; ///< the job that holds the last of its GPUs
    };
    /// The GPUs of a pool that become free, in order, and those that are taken.
    struct Line {
        std::vector<std::tuple<std::int64_t, std::optional<std::size_t>, std::int64_t>> ends;
        std::int64_t taken{};

        [[nodiscard]] std::size_t place(std::int64_t gpus) const {
            std::int64_t sum = 0;
            for (std::size_t at = 0; at < ends.size(); ++at) {
                sum += std::get<2>(ends[at]);
                if (sum >= taken + gpus)
                    return at;
            }
            return ends.size();
        }
        [[nodiscard]] std::int64_t when(std::int64_t gpus) const {
            const std::size_t at = place(gpus);
            return at == ends.size() ? no_time : std::get<0>(ends[at]);
        }
        std::pair<std::int64_t, std::optional<std::size_t>> take(std::int64_t gpus) {
            const auto& [time_ms, job, free] = ends[place(gpus)];
            taken += gpus;
            return {time_ms, job};
        }
    };

    /// The job has taken its GPUs; its start-up is without what it has staged there.
    [[nodiscard]] std::int64_t saved_at_start(std::size_t job, std::size_t pool) {
        std::int64_t saved = 0;
        if (const auto own = staged_.find(job); own != staged_.end()) {
            const bool is_used = own->second.pool == pool && !own->second.awaited;
            saved = has_begun(own->second) && is_used ? done_ms(job) : 0;
            end(job, is_used);
        }
        return saved;
    }

    [[nodiscard]] bool has_begun(const Staging& staging) const {
        return staging.begin_ms < cluster_.now_ms;
    }
    /// When the start-up or recovery of an attempt is over.
    [[nodiscard]] std::int64_t work_begin_ms(std::size_t job) const {
        return cluster_.jobs[job].start_ms + cluster_.jobs[job].restart_left;
    }
    [[nodiscard]] std::int64_t may_stage_ms(std::size_t job) const {
        return cluster_.jobs[job].num_attempts == 0 ? cluster_.requests[job].staged_ms : 0;
    }
    [[nodiscard]] std::int64_t done_ms(std::size_t job) const {
        return std::min(cluster_.requests[job].staged_ms,
                        cluster_.now_ms - staged_.at(job).begin_ms);
    }
    [[nodiscard]] std::vector<std::size_t> jobs_staging() const {
        std::vector<std::size_t> jobs;
        for (const auto& [job, staging] : staged_)
            jobs.push_back(job);
        return jobs;
    }

    void end(std::size_t job, bool is_used) {
        const Staging staging = staged_.at(job);
        if (has_begun(staging))
            cluster_.history.staged.push_back(
                {job, is_used, done_ms(job), cluster_.now_ms - staging.begin_ms - done_ms(job)});
        staged_.erase(job);
    }

    /// Fewer GPUs are free than hold what was staged: that of the last jobs in order is lost.
    void drop_taken(std::size_t pool) {
        const auto is_ready = [&](std::size_t job) {
            const Staging& staging = staged_.at(job);
            return staging.pool == pool && has_begun(staging) && !staging.awaited;
        };
        std::vector<std::size_t> jobs = jobs_staging();
        std::ranges::sort(jobs,
                          [&](std::size_t a, std::size_t b) { return order_.is_before(b, a); });
        std::int64_t ready = 0;
        for (const std::size_t job : jobs)
            ready += is_ready(job) ? cluster_.requests[job].gpus : 0;
        for (const std::size_t job : jobs) {
            if (ready <= cluster_.free[pool].open() || !is_ready(job))
                continue;
            ready -= cluster_.requests[job].gpus;
            end(job, false);
        }
    }

    [[nodiscard]] std::vector<std::size_t> next_jobs() const {
        std::vector<std::size_t> next = cluster_.jobs_in(Phase::pending);
        std::ranges::sort(next,
                          [&](std::size_t a, std::size_t b) { return order_.is_before(a, b); });
        if (next.size() > rules_.num_staging)
            next.resize(rules_.num_staging);
        return next;
    }

    [[nodiscard]] std::optional<std::int64_t> predicted_ms(std::size_t job) const {
        const JobState& state = cluster_.jobs[job];
        if (state.phase == Phase::stopped || rules_.predict == Prediction::exact)
            return state.release_ms;
        if (rules_.predict == Prediction::estimate)
            return std::max(state.believed_end_ms, cluster_.now_ms);
        const auto earlier = works_.find(cluster_.requests[job].of_class);
        if (earlier == works_.end())
            return std::nullopt;
        std::int64_t sum = 0;
        for (const std::int64_t work : earlier->second)
            sum += work;
        return std::max(work_begin_ms(job) + sum / std::ssize(earlier->second), cluster_.now_ms);
    }

    [[nodiscard]] std::vector<Line> lines_of_pools() const {
        std::vector<std::pair<std::int64_t, std::size_t>> ends;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            if (cluster_.holds_gpus(job))
                if (const auto end = predicted_ms(job))
                    ends.emplace_back(*end, job);
        std::ranges::sort(ends);
        std::vector<Line> lines;
        for (std::size_t pool = 0; pool < cluster_.pools.size(); ++pool) {
            Line& line = lines.emplace_back();
            line.ends.emplace_back(cluster_.now_ms, std::nullopt, cluster_.free[pool].open());
            for (const auto& [time_ms, job] : ends)
                if (cluster_.jobs[job].pool == pool)
                    line.ends.emplace_back(time_ms, job, cluster_.requests[job].gpus);
        }
        return lines;
    }

    Cluster& cluster_;
    const NaiveRules& rules_;
    const NaiveOrder& order_;
    std::map<std::size_t, Staging> staged_;                  ///< by job
    std::map<std::size_t, std::vector<std::int64_t>> works_; ///< by class, with teardown
};

} // namespace bursar::oracle
