#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "tests/oracle/naive_rules.hpp"
#include "tests/oracle/naive_world.hpp"

namespace bursar::oracle {

/// What the head of the queue was promised.
struct Promise {
    std::size_t job{};
    std::size_t pool{};
    std::int64_t at_ms{};
    std::vector<Share> shares; ///< where it would be placed then
    std::int64_t spare_gpus{}; ///< by count: free then beyond what the head takes
};

/// EASY (Lifka 1995; Feitelson and Weil 1998). A head that does not fit is promised the first
/// moment at which, if every running job ends when believed, it could be placed, in the pool where
/// that comes first (ties in the broker's order). A job behind it may start if it is believed to
/// end by then, or takes nothing that is promised: by nodes, none of the promised nodes; by count,
/// no more than what the head leaves. A job that runs on past its estimate is taken to end now.
///
/// The promise stands until its job starts or another comes to the head, a job ends at another
/// moment than believed, or its moment has come.
class NaiveEasy {
  public:
    NaiveEasy(World& world, const NaiveRules& rules) : world_{world}, rules_{rules} {}

    /// To be told of an attempt that ends now, while it still runs.
    void note_end(std::size_t job) {
        if (believed_end(job) != world_.now_ms)
            promise_.reset();
    }
    /// To be told when nobody waits, or the head has started.
    void forget() { promise_.reset(); }

    /// A promise to the blocked head, as it stands or made anew.
    const Promise& promise_to(std::size_t head) {
        was_promised_.insert(head);
        if (!promise_ || promise_->job != head || promise_->at_ms <= world_.now_ms)
            promise_ = make(head);
        return *promise_;
    }

    /// Where a job behind the head may start now, if anywhere.
    [[nodiscard]] std::optional<std::size_t> pool_behind(std::size_t job) const {
        const Request& request = world_.requests[job];
        for (const std::size_t pool : rules_.pool_preference) {
            if ((request.permitted_pools >> pool & 1U) == 0)
                continue;
            const bool is_free_to_use = pool != promise_->pool || ends_in_time(job, pool);
            const FreeGpus room = is_free_to_use ? world_.free[pool] : without_promised();
            const bool has_spare = is_free_to_use || rules_.capacity == CapacityRule::nodes ||
                                   request.gpus <= promise_->spare_gpus;
            if (has_spare && room.find(request.gpus, rules_.placement))
                return pool;
        }
        return std::nullopt;
    }

    /// Starts it there.
    void start_behind(std::size_t job, std::size_t pool) {
        const bool outlasts = pool == promise_->pool && !ends_in_time(job, pool);
        if (outlasts && rules_.capacity == CapacityRule::nodes) {
            world_.start_within(job, pool, without_promised());
            return;
        }
        world_.start(job, pool);
        if (outlasts)
            promise_->spare_gpus -= world_.requests[job].gpus;
    }

    /// Free GPUs of `pool` that wait for the head.
    [[nodiscard]] std::int64_t held_gpus(std::size_t pool) const {
        if (!promise_ || pool != promise_->pool)
            return 0;
        if (rules_.capacity == CapacityRule::nodes)
            return world_.free[pool].total() - without_promised().total();
        return std::max<std::int64_t>(world_.free[pool].total() - promise_->spare_gpus, 0);
    }
    [[nodiscard]] const std::optional<Promise>& promise() const { return promise_; }
    [[nodiscard]] std::int64_t num_promised() const { return std::ssize(was_promised_); }

  private:
    [[nodiscard]] std::int64_t believed_end(std::size_t job) const {
        const JobState& state = world_.jobs[job];
        return state.start_ms + world_.believed_length(job, state.pool);
    }

    [[nodiscard]] bool ends_in_time(std::size_t job, std::size_t pool) const {
        return world_.now_ms + world_.believed_length(job, pool) <= promise_->at_ms;
    }

    [[nodiscard]] Promise make(std::size_t head) const {
        std::optional<Promise> best;
        for (const std::size_t pool : rules_.pool_preference) {
            if ((world_.requests[head].permitted_pools >> pool & 1U) == 0)
                continue;
            const std::optional<Promise> own = make_on(head, pool);
            if (own && (!best || own->at_ms < best->at_ms))
                best = own;
        }
        return best.value(); // every job fits some empty pool
    }

    [[nodiscard]] std::optional<Promise> make_on(std::size_t head, std::size_t pool) const {
        std::vector<std::size_t> running = world_.jobs_in(Phase::running);
        std::erase_if(running, [&](std::size_t job) { return world_.jobs[job].pool != pool; });
        std::set<std::int64_t> ends;
        for (const std::size_t job : running)
            ends.insert(std::max(believed_end(job), world_.now_ms));
        for (const std::int64_t end : ends) {
            FreeGpus then = world_.free[pool];
            for (const std::size_t job : running)
                if (believed_end(job) <= end)
                    then.give_back(world_.jobs[job].shares);
            const std::int64_t gpus = world_.requests[head].gpus;
            if (const auto shares = then.find(gpus, rules_.placement))
                return Promise{head, pool, end, *shares, then.total() - gpus};
        }
        return std::nullopt;
    }

    /// The promised pool's GPUs but for the promised nodes.
    [[nodiscard]] FreeGpus without_promised() const {
        FreeGpus room = world_.free[promise_->pool];
        if (rules_.capacity == CapacityRule::nodes)
            for (const Share& share : promise_->shares)
                room.close(share.node);
        return room;
    }

    World& world_;
    const NaiveRules& rules_;
    std::optional<Promise> promise_;
    std::set<std::size_t> was_promised_;
};

} // namespace bursar::oracle
