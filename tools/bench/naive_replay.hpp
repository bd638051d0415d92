#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/plan/plan.hpp"

#include "tools/bench/attempt_digest.hpp"

namespace bursar { inline namespace tools { namespace bench {

enum class NaiveOrder : std::uint8_t { fifo, sjf, srtf, las, priority };

/// What the engine's policies do, in the obvious way: one pool where only numbers count, and at
/// every event all jobs that wait (and, where running ones give way, all that run) are sorted again
/// from scratch and handed the GPUs in that order. Jobs without overheads.
class NaiveReplay {
  public:
    /// las_limits: GPU-ms at which a job falls to the next level, ascending.
    NaiveReplay(const Plan& plan, NaiveOrder order, std::vector<std::int64_t> las_limits)
        : plan_{plan}, order_{order}, limits_{std::move(las_limits)} {}

    /// Of every attempt's start and end.
    AttemptDigest run() && {
        std::uint32_t next_arrival = 0;
        while (next_arrival < plan_.num_jobs() || !line_.empty()) {
            const std::int64_t arrival =
                next_arrival < plan_.num_jobs() ? plan_.submit_ms[next_arrival] : never;
            pass_time(std::min(arrival, next_change()));
            end_jobs();
            for (; next_arrival < plan_.num_jobs() && plan_.submit_ms[next_arrival] == now_ms_;
                 ++next_arrival)
                line_.push_back(
                    {next_arrival, plan_.gpus(next_arrival), plan_.work_ms[next_arrival]});
            sort_line();
            hand_out();
        }
        return digest_;
    }

  private:
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    struct Job {
        std::uint32_t index{};
        std::int64_t gpus{};
        std::int64_t left_ms{};
        std::int64_t attained_ms{};
        std::int64_t start_ms{-1}; ///< of the attempt that runs; -1: it waits
        std::size_t level{};       ///< las

        [[nodiscard]] bool runs() const { return start_ms >= 0; }
    };

    [[nodiscard]] bool gives_way() const {
        return order_ == NaiveOrder::srtf || order_ == NaiveOrder::las ||
               order_ == NaiveOrder::priority;
    }

    [[nodiscard]] std::int64_t next_change() const {
        std::int64_t next = never;
        for (const Job& job : line_) {
            if (!job.runs())
                continue;
            next = std::min(next, now_ms_ + job.left_ms);
            if (order_ == NaiveOrder::las && job.level < limits_.size()) {
                const std::int64_t gpu_ms = limits_[job.level] - job.attained_ms * job.gpus;
                next = std::min(next, now_ms_ + (gpu_ms + job.gpus - 1) / job.gpus);
            }
        }
        return next;
    }

    void pass_time(std::int64_t until_ms) {
        for (Job& job : line_) {
            if (job.runs()) {
                job.left_ms -= until_ms - now_ms_;
                job.attained_ms += until_ms - now_ms_;
            }
        }
        now_ms_ = until_ms;
    }

    void end_jobs() {
        std::erase_if(line_, [&](const Job& job) {
            if (!job.runs() || job.left_ms > 0)
                return false;
            digest_.add(job.index, job.start_ms, now_ms_, AttemptEnd::finished);
            return true;
        });
    }

    [[nodiscard]] std::int64_t key(const Job& job) const {
        switch (order_) {
        case NaiveOrder::fifo:
            return 0;
        case NaiveOrder::sjf:
            return plan_.work_ms[job.index];
        case NaiveOrder::srtf:
            return job.left_ms;
        case NaiveOrder::las:
            return static_cast<std::int64_t>(job.level);
        case NaiveOrder::priority:
            return -std::int64_t{plan_.priority[job.index]};
        }
        return 0;
    }

    void sort_line() {
        if (order_ == NaiveOrder::las) {
            lower_levels();
            std::stable_sort(line_.begin(), line_.end(), [&](const Job& a, const Job& b) {
                return key(a) < key(b);
            });
            return;
        }
        std::sort(line_.begin(), line_.end(), [&](const Job& a, const Job& b) {
            return key(a) != key(b) ? key(a) < key(b) : a.index < b.index;
        });
    }

    /// A job that falls to a level goes to the end of those that are there, in order of submission.
    void lower_levels() {
        std::vector<Job> fallen;
        std::erase_if(line_, [&](Job& job) {
            const std::size_t before = job.level;
            while (job.level < limits_.size() && job.attained_ms * job.gpus >= limits_[job.level])
                ++job.level;
            if (job.level != before)
                fallen.push_back(job);
            return job.level != before;
        });
        std::sort(fallen.begin(), fallen.end(), [](const Job& a, const Job& b) {
            return a.index < b.index;
        });
        line_.insert(line_.end(), fallen.begin(), fallen.end());
    }

    void hand_out() {
        std::int64_t left = plan_.pools[0].num_gpus();
        if (!gives_way())
            for (const Job& job : line_)
                left -= job.runs() ? job.gpus : 0;
        for (Job& job : line_) {
            if (job.runs() && !gives_way())
                continue;
            const bool fits = job.gpus <= left;
            left -= fits ? job.gpus : 0;
            if (fits && !job.runs())
                job.start_ms = now_ms_;
            if (fits)
                continue;
            if (!gives_way())
                return; // the head of the queue blocks those behind it
            if (job.runs())
                digest_.add(job.index, job.start_ms, now_ms_, AttemptEnd::preempted);
            job.start_ms = -1;
        }
        // Running jobs stay ahead of waiting jobs of the same level.
        if (order_ == NaiveOrder::las)
            std::stable_partition(
                line_.begin(), line_.end(), [](const Job& job) { return job.runs(); });
    }

    const Plan& plan_;
    NaiveOrder order_;
    std::vector<std::int64_t> limits_;
    std::vector<Job> line_; ///< waiting and running jobs, as last sorted
    std::int64_t now_ms_{};
    AttemptDigest digest_;
};

}}} // namespace bursar::tools::bench
