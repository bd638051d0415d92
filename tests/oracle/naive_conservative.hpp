#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// Conservative backfilling (Mu'alem and Feitelson 2001): every job, up to a depth, is promised the
/// first start that delays no earlier promise. Availability is computed again for every question.
///
/// If a job ends before its believed end, promises move up in the order of their starts. All are
/// made again in the queue's order if a job is stopped, comes back or is dropped, if nodes come or
/// go, and if a promise cannot be kept because a job runs past its estimate. A job that fits no
/// online node gets no promise until nodes come or go.
class NaiveConservative {
  public:
    NaiveConservative(Cluster& cluster, const NaiveRules& rules, NaiveOrder& order)
        : cluster_{cluster}, rules_{rules}, order_{order} {}

    /// Call for an attempt that ends now, while it still runs.
    void note_end(std::size_t job) {
        is_early_ = is_early_ || cluster_.jobs[job].believed_end_ms > cluster_.now_ms;
    }
    /// Call for a job that leaves the queue for good.
    void note_drop(std::size_t job) {
        promises_.erase(job);
        hopeless_.erase(job);
        is_changed_ = true;
    }
    /// Call for stops, jobs that come back, and nodes that come or go.
    void note_change() { is_changed_ = true; }
    void note_nodes() {
        is_changed_ = true;
        hopeless_.clear();
    }

    void pass() {
        const bool is_late = std::any_of(promises_.begin(), promises_.end(), [&](const auto& one) {
            return one.second.start_ms < cluster_.now_ms;
        });
        if (is_late || is_changed_)
            promise_anew();
        else if (is_early_)
            move_up();
        do {
            promise_more();
        } while (start_due());
    }

    /// With rounds: whether the next round may decide something. After a round only if promises can
    /// move up; after an event between rounds, unless it cannot help a waiting job.
    [[nodiscard]] bool wants_round() const {
        const std::vector<std::size_t> waiting = cluster_.jobs_in(Phase::pending);
        if (is_early_ || is_changed_)
            return !waiting.empty();
        return !rules_.is_round(cluster_.now_ms) &&
               std::any_of(waiting.begin(), waiting.end(), [&](std::size_t job) {
                   return !hopeless_.contains(job);
               });
    }

    /// Free GPUs of a pool that are promised to later starts; 0 if promises must be made again.
    [[nodiscard]] std::int64_t held_gpus(std::size_t pool) const {
        if (is_changed_)
            return 0;
        const FreeGpus now = cluster_.free[pool];
        const FreeGpus ever = free_over(pool, cluster_.now_ms, no_time);
        const std::int64_t num_nodes =
            rules_.capacity == CapacityRule::count ? 1 : cluster_.pools[pool].nodes;
        std::int64_t held = 0;
        for (std::int64_t node = 0; node < num_nodes; ++node) {
            const std::int64_t free = now.free_on(static_cast<std::size_t>(node));
            const std::int64_t open = ever.free_on(static_cast<std::size_t>(node));
            held += std::clamp<std::int64_t>(free - open, 0, free);
        }
        return held;
    }
    [[nodiscard]] std::int64_t num_promised() const { return num_promised_; }
    [[nodiscard]] bool has_promises() const { return !promises_.empty(); }

  private:
    struct Reservation {
        std::size_t job{};
        std::size_t pool{};
        std::int64_t start_ms{};
        std::int64_t end_ms{};
        std::vector<Share> shares;

        [[nodiscard]] bool is_instant() const { return start_ms == end_ms; }
        /// Jobs of zero length go before all others of their instant.
        [[nodiscard]] auto turn() const { return std::tuple{start_ms, !is_instant(), job}; }
        /// Whether it holds its GPUs from `at` on, even for no time.
        [[nodiscard]] bool holds_from(std::int64_t at) const {
            return start_ms <= at && at < end_ms;
        }
    };

    void promise_more() {
        while (promises_.size() < rules_.depth) {
            const auto next = order_.first_where([&](std::size_t job) {
                return !promises_.contains(job) && !hopeless_.contains(job);
            });
            if (!next)
                return;
            if (!keep(*next))
                continue;
            ++num_promised_;
            std::int64_t& told = cluster_.history.promised_ms[*next];
            told = told < 0 ? promises_[*next].start_ms : told;
        }
    }
    /// Promises a job its start. Returns whether there is one.
    bool keep(std::size_t job) {
        const std::optional<Reservation> found = promise(job);
        if (found)
            promises_[job] = *found;
        else
            hopeless_.insert(job);
        return found.has_value();
    }

    void move_up() {
        is_early_ = false;
        std::vector<Reservation> by_start;
        for (const auto& [job, one] : promises_)
            by_start.push_back(one);
        std::sort(by_start.begin(), by_start.end(), [](const auto& a, const auto& b) {
            return a.turn() < b.turn();
        });
        for (const Reservation& old : by_start) {
            promises_.erase(old.job);
            const Reservation found = promise(old.job).value();
            promises_[old.job] = old.is_instant() && found.start_ms >= old.start_ms ? old : found;
        }
    }

    /// Starts due jobs. Returns whether there were any.
    bool start_due() {
        bool any = false;
        while (true) {
            std::optional<Reservation> due;
            for (const auto& [job, one] : promises_) {
                if (one.start_ms <= cluster_.now_ms && (!due || one.turn() < due->turn()))
                    due = one;
            }
            if (!due)
                return any;
            if (!is_free(*due)) {
                if (others_go_now())
                    return any;
                promise_anew();
                continue;
            }
            promises_.erase(due->job);
            cluster_.start(due->job, due->pool, due->shares);
            order_.use.note(due->job, 1);
            is_early_ = is_early_ || cluster_.jobs[due->job].believed_end_ms < due->end_ms;
            any = true;
        }
    }
    [[nodiscard]] bool is_free(const Reservation& one) const {
        return std::all_of(one.shares.begin(), one.shares.end(), [&](const Share& share) {
            return cluster_.free[one.pool].free_on(share.node) >= share.gpus;
        });
    }
    [[nodiscard]] bool others_go_now() const {
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            if (cluster_.holds_gpus(job) && cluster_.jobs[job].release_ms == cluster_.now_ms)
                return true;
        return false;
    }

    void promise_anew() {
        is_early_ = is_changed_ = false;
        std::set<std::size_t> promised;
        for (const auto& [job, one] : promises_)
            promised.insert(job);
        promises_.clear();
        for (JobState& state : cluster_.jobs) {
            if (state.believed_end_ms <= cluster_.now_ms)
                state.believed_end_ms = cluster_.now_ms + 1;
        }
        while (const auto next =
                   order_.first_where([&](std::size_t job) { return promised.contains(job); })) {
            promised.erase(*next);
            keep(*next);
        }
    }

    [[nodiscard]] std::optional<Reservation> promise(std::size_t job) const {
        std::optional<Reservation> best;
        for (const std::size_t pool : rules_.pools_for(job)) {
            const std::int64_t held = cluster_.believed_length(job, pool);
            std::set<std::int64_t> instants{cluster_.now_ms};
            const auto add = [&](std::int64_t end) {
                instants.insert(rules_.round_from(std::max(end, cluster_.now_ms)));
            };
            for (std::size_t other = 0; other < cluster_.jobs.size(); ++other)
                if (cluster_.holds_gpus(other))
                    add(cluster_.jobs[other].believed_end_ms);
            for (const auto& [other, one] : promises_)
                add(one.end_ms);
            for (const std::int64_t at : instants) {
                if (!cluster_.may_use(job, pool) || (best && best->start_ms <= at))
                    break;
                const auto shares = cluster_.place_in(free_over(pool, at, at + held), job);
                if (!shares)
                    continue;
                best = Reservation{job, pool, at, at + held, *shares};
                break;
            }
        }
        return best;
    }

    /// Believed free GPUs of a pool over [begin, end), from each instant on; at an instant that a
    /// job of zero length needs, without the GPUs of that job. For begin == end: from that instant
    /// on.
    [[nodiscard]] FreeGpus
    free_over(std::size_t pool, std::int64_t begin_ms, std::int64_t end_ms) const {
        const auto free_where = [&](std::int64_t at, const auto& holds) {
            FreeGpus free = cluster_.free[pool];
            for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
                if (cluster_.holds_gpus(job) && cluster_.jobs[job].pool == pool &&
                    cluster_.jobs[job].believed_end_ms <= at)
                    free.give_back(cluster_.jobs[job].shares);
            }
            for (const auto& [job, one] : promises_) {
                if (one.pool == pool && holds(one))
                    free.take(one.shares);
            }
            return free;
        };
        const auto free_from = [&](std::int64_t at) {
            return free_where(at, [&](const Reservation& one) { return one.holds_from(at); });
        };
        FreeGpus least = free_from(begin_ms);
        for (const auto& [job, one] : promises_) {
            const std::int64_t at = one.start_ms;
            if (at <= begin_ms || at >= end_ms || one.pool != pool)
                continue;
            least = least.least_of(
                !one.is_instant() ? free_from(at) : free_where(at, [&](const Reservation& r) {
                    return (r.start_ms < at && at < r.end_ms) || r.job == one.job;
                }));
        }
        return least;
    }

    Cluster& cluster_;
    const NaiveRules& rules_;
    NaiveOrder& order_;
    std::map<std::size_t, Reservation> promises_; ///< by job
    std::set<std::size_t> hopeless_;              ///< jobs that fit no online node
    bool is_early_{};                             ///< GPUs were freed earlier than promises assumed
    bool is_changed_{};                           ///< promises must be made again
    std::int64_t num_promised_{};
};

} // namespace bursar::oracle
