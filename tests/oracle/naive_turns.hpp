#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/oracle/naive_rules.hpp"
#include "tests/oracle/naive_world.hpp"

namespace bursar::oracle {

inline constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::max();

/// Whose turn it is: every job that has come and is not done, sorted anew whenever somebody asks.
class Turns {
  public:
    Turns(const World& world, const NaiveRules& rules)
        : world_{world}, rules_{rules}, list_of_(world.jobs.size()) {}

    /// To be told of every arrival, preemption and start, in order.
    void has_come(std::size_t job) { line_.push_back(job); }
    void has_come_back(std::size_t job) { move_to_end(job); }
    void has_started(std::size_t job) { move_to_end(job); }

    /// To be called at each instant after the ends: jobs fall to their lists.
    void note_lists() {
        std::erase_if(line_,
                      [&](std::size_t job) { return world_.jobs[job].phase == Phase::done; });
        if (rules_.order != Order::las)
            return;
        for (std::size_t job = 0; job < world_.jobs.size(); ++job) {
            if (world_.jobs[job].phase != Phase::running)
                continue;
            const std::size_t before = list_of_[job];
            while (list_of_[job] < rules_.las_limits.size() &&
                   attained(job) >= rules_.las_limits[list_of_[job]]) {
                ++list_of_[job];
                if (rules_.las_wake == WakeRule::tiresias)
                    break;
            }
            if (list_of_[job] != before) {
                std::erase(line_, job);
                line_.push_back(job);
            }
        }
    }

    /// All of them, first come first served by rank and the rule for ties.
    std::vector<std::size_t> in_order() {
        std::vector<std::size_t> sorted = line_;
        if (rules_.ties == TieRule::submit)
            std::sort(sorted.begin(), sorted.end());
        if (rules_.ties == TieRule::pending_first)
            std::stable_partition(
                sorted.begin(), sorted.end(), [&](std::size_t job) { return is_pending(job); });
        std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
            return is_above(a, b);
        });
        return sorted;
    }

    /// To be called after each pass with the order it went by.
    void note_pass(std::vector<std::size_t> order) {
        if (rules_.ties == TieRule::submit || rules_.ties == TieRule::pending_first)
            return;
        line_ = std::move(order);
        if (rules_.ties != TieRule::running_first)
            return;
        std::stable_partition(
            line_.begin(), line_.end(), [&](std::size_t job) { return is_running(job); });
        std::stable_sort(line_.begin(), line_.end(), [&](std::size_t a, std::size_t b) {
            return is_above(a, b);
        });
    }

    /// The next instant at which a rank changes by itself in a way that needs a pass.
    [[nodiscard]] std::int64_t next_change() const {
        std::int64_t next = no_time;
        if (rules_.order != Order::las)
            return next;
        for (const std::size_t job : world_.jobs_in(Phase::running))
            if (list_of_[job] < rules_.las_limits.size())
                next = std::min(next, world_.now_ms + time_in_list(job));
        return next;
    }

  private:
    /// Whether `a` ranks strictly above `b`, before any rule for ties.
    [[nodiscard]] bool is_above(std::size_t a, std::size_t b) const {
        if (rules_.order == Order::value_density)
            return is_worth_more(a, b);
        if (rules_.order == Order::by_key)
            return world_.requests[a].key < world_.requests[b].key;
        return rank(a) < rank(b);
    }

    [[nodiscard]] std::int64_t rank(std::size_t job) const {
        const Request& request = world_.requests[job];
        switch (rules_.order) {
        case Order::fifo:
        case Order::value_density: // neither is a whole number that fits
        case Order::by_key:
            return 0;
        case Order::sjf:
            return request.believed_work_ms();
        case Order::srtf:
            return world_.remaining_ms(job);
        case Order::srtf_gpu_time:
            return world_.remaining_ms(job) * request.gpus;
        case Order::smallest:
            return request.gpus;
        case Order::las:
            return static_cast<std::int64_t>(list_of_[job]);
        case Order::priority:
            return -request.priority;
        case Order::edf:
            return request.deadline_ms.value_or(no_time);
        }
        return 0;
    }

    /// By value per GPU time left, as fractions; no time is worth the most.
    [[nodiscard]] bool is_worth_more(std::size_t a, std::size_t b) const {
        const auto gpu_time = [&](std::size_t job) {
            return static_cast<__int128>(world_.requests[job].gpus) * world_.remaining_ms(job);
        };
        const __int128 value_a = world_.requests[a].value;
        const __int128 value_b = world_.requests[b].value;
        if (value_a == 0 || value_b == 0)
            return value_a > 0 && value_b == 0;
        if (gpu_time(a) == 0 || gpu_time(b) == 0)
            return gpu_time(a) == 0 && gpu_time(b) > 0;
        return value_a * gpu_time(b) > value_b * gpu_time(a);
    }

    [[nodiscard]] bool is_running(std::size_t job) const {
        return world_.jobs[job].phase == Phase::running;
    }
    [[nodiscard]] bool is_pending(std::size_t job) const {
        return world_.jobs[job].phase == Phase::pending;
    }

    [[nodiscard]] std::int64_t weight(std::size_t job) const {
        return rules_.las_by_gpu_time ? world_.requests[job].gpus : 1;
    }
    [[nodiscard]] std::int64_t attained(std::size_t job) const {
        return world_.attained_ms(job) * weight(job);
    }

    [[nodiscard]] std::int64_t time_in_list(std::size_t job) const {
        const std::int64_t limit = rules_.las_limits[list_of_[job]];
        if (rules_.las_wake == WakeRule::tiresias)
            return (limit - world_.attained_ms(job)) / 1000 / weight(job) * 1000;
        return (limit - attained(job) + weight(job) - 1) / weight(job);
    }

    void move_to_end(std::size_t job) {
        if (rules_.ties != TieRule::pending_first)
            return;
        std::erase(line_, job);
        line_.push_back(job);
    }

    const World& world_;
    const NaiveRules& rules_;
    std::vector<std::size_t> line_; ///< as the rule for ties has left it
    std::vector<std::size_t> list_of_;
};

} // namespace bursar::oracle
