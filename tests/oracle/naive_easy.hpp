#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// The reservation of the head of the queue.
struct Promise {
    std::size_t job{};
    std::size_t pool{};
    std::int64_t at_ms{};
    std::vector<Share> shares; ///< its nodes
    std::int64_t spare_gpus{}; ///< by count: free then in addition to the head's
};

/// EASY (Lifka 1995; Feitelson and Weil 1998). A head that does not fit is promised the first
/// instant at which it could be placed in any pool if running jobs end when believed (ties in the
/// broker's order); with rounds, the first round from then on. A job behind it may start if it is
/// believed to end by then, or uses no promised GPUs: by nodes, none of the promised nodes; by
/// count, no more than the spare ones. A job past its estimate is assumed to end now. A head that
/// would not fit empty online nodes gets no promise.
///
/// The promise stands until its job starts, another job is the head, its instant has come, nodes
/// come or go, or a job ends (or, after a stop, will end) at another instant than believed or comes
/// back.
class NaiveEasy {
  public:
    NaiveEasy(Cluster& cluster, const NaiveRules& rules) : cluster_{cluster}, rules_{rules} {}

    /// Call for an attempt that ends now, while it still runs.
    void note_end(std::size_t job) {
        if (cluster_.jobs[job].believed_end_ms != cluster_.now_ms)
            promise_.reset();
    }
    /// Call for a job that leaves the queue for good.
    void note_drop(std::size_t job) {
        if (promise_ && promise_->job == job)
            promise_.reset();
    }
    /// Call for a stop, with the previously believed end.
    void note_stop(std::size_t job, std::int64_t believed_end_ms) {
        if (cluster_.jobs[job].believed_end_ms != believed_end_ms)
            promise_.reset();
    }
    /// Call when a head has started or waits for its victims, a job has come back, or nodes have
    /// come or gone.
    void forget() { promise_.reset(); }

    /// Call whenever a head is blocked.
    void note_blocked(std::size_t head) {
        was_blocked_.insert(head);
        if (promise_ && promise_->job != head)
            promise_.reset();
    }
    /// Promises the blocked head a start, or keeps its promise.
    void promise_to(std::size_t head) {
        if (!promise_ || promise_->at_ms <= cluster_.now_ms)
            promise_ = make(head);
        std::int64_t& told = cluster_.history.promised_ms[head];
        if (promise_ && told < 0)
            told = promise_->at_ms;
    }

    /// Starts a job behind the head if it may start.
    bool start_behind(std::size_t job) {
        for (const std::size_t pool : rules_.pools_for(job)) {
            if (!cluster_.may_use(job, pool))
                continue;
            const std::int64_t gpus = cluster_.requests[job].gpus;
            const bool is_promised = promise_ && pool == promise_->pool;
            const bool stays_clear = is_promised && !ends_in_time(job, pool);
            if (stays_clear && rules_.capacity == CapacityRule::count &&
                gpus > promise_->spare_gpus)
                continue;
            const auto shares =
                cluster_.place_in(stays_clear ? without_promised() : cluster_.free[pool], job);
            if (!shares)
                continue;
            cluster_.start(job, pool, *shares);
            // What it has staged may let it end in time.
            if (stays_clear && cluster_.jobs[job].believed_end_ms > promise_->at_ms)
                promise_->spare_gpus -= gpus;
            return true;
        }
        return false;
    }

    /// Free GPUs of `pool` held for the head.
    [[nodiscard]] std::int64_t held_gpus(std::size_t pool) const {
        if (!promise_ || pool != promise_->pool)
            return 0;
        const std::int64_t open = cluster_.free[pool].open();
        if (rules_.capacity == CapacityRule::nodes)
            return open - without_promised().total();
        return std::clamp<std::int64_t>(open - promise_->spare_gpus, 0, open);
    }
    [[nodiscard]] std::int64_t num_blocked() const { return std::ssize(was_blocked_); }

  private:
    [[nodiscard]] bool ends_in_time(std::size_t job, std::size_t pool) const {
        return cluster_.now_ms + cluster_.believed_length(job, pool) <= promise_->at_ms;
    }

    [[nodiscard]] std::optional<Promise> make(std::size_t head) const {
        std::optional<Promise> best;
        for (const std::size_t pool : rules_.pools_for(head)) {
            if (!cluster_.may_use(head, pool))
                continue;
            const std::optional<Promise> own = make_on(head, pool);
            if (own && (!best || own->at_ms < best->at_ms))
                best = own;
        }
        return best;
    }

    [[nodiscard]] std::optional<Promise> make_on(std::size_t head, std::size_t pool) const {
        std::vector<std::size_t> running;
        std::set<std::int64_t> ends;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            if (!cluster_.holds_gpus(job) || cluster_.jobs[job].pool != pool)
                continue;
            running.push_back(job);
            ends.insert(
                rules_.round_from(std::max(cluster_.jobs[job].believed_end_ms, cluster_.now_ms)));
        }
        for (const std::int64_t end : ends) {
            FreeGpus then = cluster_.free[pool];
            for (const std::size_t job : running)
                if (cluster_.jobs[job].believed_end_ms <= end)
                    then.give_back(cluster_.jobs[job].shares);
            if (const auto shares = cluster_.place_in(then, head))
                return Promise{
                    head, pool, end, *shares, then.total() - cluster_.requests[head].gpus};
        }
        return std::nullopt;
    }

    /// The promised pool's GPUs except the promised nodes.
    [[nodiscard]] FreeGpus without_promised() const {
        FreeGpus room = cluster_.free[promise_->pool];
        if (rules_.capacity == CapacityRule::nodes)
            room.take_all_of(promise_->shares);
        return room;
    }

    Cluster& cluster_;
    const NaiveRules& rules_;
    std::optional<Promise> promise_;
    std::set<std::size_t> was_blocked_;
};

} // namespace bursar::oracle
