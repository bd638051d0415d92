#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// The order of all unfinished jobs, for passes that distribute all GPUs again; sorted at each
/// query.
class Turns {
  public:
    Turns(const Cluster& cluster, const NaiveRules& rules, const NaiveOrder& order)
        : cluster_{cluster}, rules_{rules}, order_{order}, list_of_(cluster.jobs.size()),
          place_(cluster.jobs.size()) {}

    /// Call for every arrival, stop, return and start, in order.
    /// A job that waited for others goes before those of its rank that were submitted later, or
    /// went to the end when it was submitted already.
    void has_come(std::size_t job) {
        place_[job] = job + 1;
        line_.insert(std::ranges::find_if(line_,
                                          [&](std::size_t other) {
                                              return waits_beside(other, job) &&
                                                     place_[other] >= place_[job];
                                          }),
                     job);
    }
    void has_stopped(std::size_t job) {
        if (has_lists())
            list_of_[job] = order_.lists().list_of(job);
        if (rules_.ties != TieRule::running_first)
            return;
        std::erase(line_, job); // before waiting jobs of its rank, after running ones
        line_.insert(std::ranges::find_if(
                         line_, [&](std::size_t other) { return waits_beside(other, job); }),
                     job);
    }
    void has_come_back(std::size_t job) { move_if_pending_first(job); }

    /// When a waiting job is to be promoted to the first queue; absent: not, unless it runs before.
    [[nodiscard]] std::optional<std::int64_t> promoted_ms(std::size_t job) const {
        const JobState& state = cluster_.jobs[job];
        if (rules_.starve_limit == 0 || rules_.stop != Stop::order || !is_pending(job) ||
            !state.starves_since_ms ||
            state.held_ms * order_.lists().weight(job) < rules_.queue_limits.front())
            return std::nullopt;
        return *state.starves_since_ms +
               std::max<std::int64_t>(rules_.starve_limit * state.held_ms - state.starved_ms, 0);
    }
    /// The same of the first one.
    [[nodiscard]] std::int64_t next_promotion_ms() const {
        std::int64_t next = no_time;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            next = std::min(next, promoted_ms(job).value_or(no_time));
        return next;
    }
    /// Call after its service has been reset.
    void has_been_promoted(std::size_t job) {
        list_of_[job] = order_.lists().list_of(job);
        go_last(job);
    }
    void has_started(std::size_t job) { move_if_pending_first(job); }

    /// Call before each pass: jobs move to their lists, or to the end.
    void note_lists() {
        std::erase_if(line_,
                      [&](std::size_t job) { return cluster_.jobs[job].phase >= Phase::done; });
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            if (!cluster_.can_be_stopped(job) || !moves(job))
                continue;
            go_last(job);
        }
        turned_ms_ = cluster_.now_ms;
    }

    /// All of them, by rank and the rule for ties.
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

    /// Call after each pass, with the order that it used.
    void note_pass(std::vector<std::size_t> order) {
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            place_[job] = is_running(job) ? 0 : place_[job];
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

    /// The next instant at which a rank changes by time alone so that a pass is needed.
    [[nodiscard]] std::int64_t next_change() const {
        std::int64_t next = no_time;
        for (std::size_t job = 0; has_lists() && job < cluster_.jobs.size(); ++job) {
            if (!cluster_.can_be_stopped(job) ||
                order_.lists().limit(current_list(job)) == ServiceLists::no_limit)
                continue;
            const std::int64_t change = cluster_.now_ms + time_in_list(job);
            if (change < cluster_.work_end_ms(job))
                next = std::min(next, change);
        }
        return next;
    }

  private:
    [[nodiscard]] bool has_lists() const {
        return rules_.order == Order::las || rules_.order == Order::gittins;
    }
    [[nodiscard]] bool is_tiresias() const { return rules_.wake == WakeRule::tiresias; }

    [[nodiscard]] bool is_above(std::size_t a, std::size_t b) const {
        return has_lists() ? order_.lists().goes_before(list_of_[a], list_of_[b])
                           : order_.is_above(a, b);
    }

    /// Whether a running job goes to the end of the order.
    bool moves(std::size_t job) {
        if (rules_.order == Order::turns)
            return turned_ms_ != cluster_.now_ms && some_is_safe(job);
        if (!has_lists())
            return false;
        const std::size_t before = list_of_[job];
        list_of_[job] = order_.lists().list_of(job);
        if (is_tiresias() && rules_.order == Order::las)
            list_of_[job] = std::min(list_of_[job], before + 1);
        // Between two events a job may pass several lists; only its rank counts then.
        return is_tiresias() ? order_.lists().goes_before(list_of_[job], before) ||
                                   order_.lists().goes_before(before, list_of_[job])
                             : list_of_[job] != before;
    }
    [[nodiscard]] bool some_is_safe(std::size_t job) const {
        const JobState& state = cluster_.jobs[job];
        const std::int64_t speed = cluster_.requests[job].pace_on(state.pool, state.is_slow).speed;
        return cluster_.lasts_if_preempted_ms(job) * speed >= full_speed;
    }

    /// Whether `other` waits, or saves and will wait, with the rank of `job`.
    [[nodiscard]] bool waits_beside(std::size_t other, std::size_t job) const {
        const bool waits = is_pending(other) || cluster_.jobs[other].phase == Phase::stopped;
        return waits && !is_above(other, job) && !is_above(job, other);
    }
    [[nodiscard]] bool is_running(std::size_t job) const {
        return cluster_.jobs[job].phase == Phase::running;
    }
    [[nodiscard]] bool is_pending(std::size_t job) const {
        return cluster_.jobs[job].phase == Phase::pending;
    }

    /// Between two passes a job may fall by more than one list.
    [[nodiscard]] std::size_t current_list(std::size_t job) const {
        return is_tiresias() ? list_of_[job] : order_.lists().list_of(job);
    }
    [[nodiscard]] std::int64_t time_in_list(std::size_t job) const {
        const std::int64_t limit = order_.lists().limit(current_list(job));
        const std::int64_t weight = order_.lists().weight(job);
        if (is_tiresias())
            return (limit - cluster_.attained_ms(job)) / 1000 / weight * 1000;
        return (limit - cluster_.attained_ms(job) * weight + weight - 1) / weight;
    }

    void move_if_pending_first(std::size_t job) {
        if (rules_.ties == TieRule::pending_first)
            move_to_end(job);
    }
    void go_last(std::size_t job) {
        move_to_end(job);
        place_[job] = static_cast<std::size_t>(
            std::ranges::count(cluster_.jobs, true, &JobState::is_submitted));
    }
    void move_to_end(std::size_t job) {
        std::erase(line_, job);
        line_.push_back(job);
    }

    const Cluster& cluster_;
    const NaiveRules& rules_;
    const NaiveOrder& order_;
    std::vector<std::size_t> line_; ///< in the order of the rule for ties
    std::vector<std::size_t> list_of_;
    std::vector<std::size_t> place_; ///< of a waiting job: how many were submitted before it went
                                     ///< to the end; 0: it was stopped
    std::int64_t turned_ms_{-1};     ///< when running jobs last went to the end
};

} // namespace bursar::oracle
