#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/attempts/stop_loss.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/preemption/victim_order.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/priority_level.hpp"

namespace bursar::inline sim {

/// Whom a waiting job may stop, and in which order, when it goes by priority: running attempts of a
/// less urgent level, the least urgent level first; in a level those that lose least first, then
/// larger gangs, then later jobs.
///
/// Losses of two attempts move alike where nothing is saved on the way and all classes keep, or
/// all lose, what they did: the order is then fixed and a heap. Else the attempts of a level are
/// sorted by what they lose now whenever one of them is asked for.
class PriorityLine {
  public:
    /// Whoever may stop another comes before it in the order.
    static constexpr bool goes_by_order = true;

    PriorityLine() = default;
    BURSAR_HD PriorityLine(ArenaCarver& carver, const PlanView& plan, std::uint32_t max_live)
        : plan_{plan}, orders_{carver.take<VictimOrder>(plan.num_pools)},
          sorted_{carver.take<Entry>(max_live)} {
        const PlaceOfSlot places{carver, max_live};
        bool* in_front = carver.take<bool>(max_live);
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            const VictimOrder order{carver, max_live, places, in_front};
            if (orders_ != nullptr)
                orders_[pool] = order;
        }
        for (std::uint32_t i = 0; i < plan.num_classes; ++i) {
            const Checkpoint checkpoint = plan.classes[i].checkpoint;
            losses_cross_ = losses_cross_ || checkpoint == Checkpoint::every ||
                            checkpoint != plan.classes[0].checkpoint;
        }
    }

    BURSAR_HD void clear() {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            orders_[pool].clear();
    }

    /// An attempt may be stopped from now on. rank: of its job in the queue.
    BURSAR_HD void
    insert(const Attempt& attempt, AttemptId slot, const Rank& rank, const Progress&) {
        const std::uint32_t gpus = plan_.shapes[attempt.shape].gpus;
        const Rank own{PriorityLevel::key_of(PriorityLevel::of(rank.key)) | cheapness(attempt),
                       std::uint64_t{gpus} << 32U | attempt.job};
        const std::int64_t slots = plan_.shapes[attempt.shape].slots();
        orders_[attempt.pool].insert({own, slot, static_cast<std::int32_t>(slots)});
    }
    BURSAR_HD void erase(const Attempt& attempt, AttemptId slot) {
        orders_[attempt.pool].erase(slot);
    }

    /// Whether enough could be stopped for `slots`, of which `free` are: by count, and as far as is
    /// known without looking further. True for one that has them.
    [[nodiscard]] BURSAR_HD bool
    may_make_room(const Rank& rank, PoolId pool, std::int64_t slots, std::int64_t free) const {
        const VictimOrder& order = orders_[pool];
        const Rank bound = first_stoppable(rank);
        for (std::uint32_t i = 0; free < slots; ++i) {
            if (i == order.num_front())
                return order.has_more() && bound < order.next().rank;
            if (!(bound < order[i].rank))
                return false;
            free += order[i].num_slots();
        }
        return true;
    }

    /// Begins to choose for `job`.
    template <class Engine>
    BURSAR_HD void open(Engine& engine, const ResumedJob& job, PoolId pool) {
        now_ms_ = engine.state().now_ms;
        pool_ = pool;
        bound_ = first_stoppable(job.rank);
        next_ = num_sorted_ = 0;
    }

    /// The next to stop; LiveAttempts::none() if there is no more.
    template <class Engine>
    [[nodiscard]] BURSAR_HD AttemptId next(Engine& engine) {
        if (!is_stoppable(next_))
            return LiveAttempts::none();
        if (!losses_cross_)
            return orders_[pool_][next_++].attempt;
        if (next_ == num_sorted_)
            sort_level(engine.state().attempts);
        return sorted_[next_++].slot;
    }

    /// Whether stopping these pays: for an urgent job always.
    [[nodiscard]] BURSAR_HD bool pays(const AttemptId*, std::uint32_t) const { return true; }

    /// Ends choosing: what was looked at in vain is forgotten again.
    BURSAR_HD void close() { orders_[pool_].trim(next_); }

  private:
    struct Entry {
        std::int64_t loss_ms{};
        AttemptId slot{};
        std::int32_t slots{};
        JobId job{};
        friend BURSAR_HD bool operator<(const Entry& a, const Entry& b) {
            if (a.loss_ms != b.loss_ms)
                return a.loss_ms < b.loss_ms;
            return a.slots != b.slots ? a.slots > b.slots : a.job > b.job;
        }
    };

    /// Ranks past this one are of less urgent levels than `rank`.
    [[nodiscard]] BURSAR_HD static Rank first_stoppable(const Rank& rank) {
        return {PriorityLevel::last_key_of(PriorityLevel::of(rank.key)), ~std::uint64_t{0}};
    }

    /// Larger for those that lose less; fixed while an attempt runs.
    [[nodiscard]] BURSAR_HD std::uint64_t cheapness(const Attempt& attempt) const {
        const PlanClass& job_class = plan_.classes[attempt.job_class];
        std::int64_t cheap = horizon_ms - job_class.recovery.count();
        cheap += job_class.checkpoint == Checkpoint::on_preempt ? -job_class.save.count()
                                                                : attempt.start_ms;
        return cheap < 0 ? 0 : static_cast<std::uint64_t>(cheap);
    }

    /// Whether there is a victim `i`, brought to hand if need be.
    [[nodiscard]] BURSAR_HD bool is_stoppable(std::uint32_t i) {
        VictimOrder& order = orders_[pool_];
        if (i < order.num_front())
            return bound_ < order[i].rank;
        assert(i == order.num_front());
        if (!order.has_more() || !(bound_ < order.next().rank))
            return false;
        order.bring();
        return true;
    }

    /// Sorts the level of victim `next_` by what its attempts lose now. By insertion into a list
    /// that is nearly in that order already.
    BURSAR_HD void sort_level(const LiveAttempts& attempts) {
        const VictimOrder& order = orders_[pool_];
        const std::uint64_t level = PriorityLevel::of(order[next_].rank.key);
        for (; is_stoppable(num_sorted_) && PriorityLevel::of(order[num_sorted_].rank.key) == level;
             ++num_sorted_) {
            const Victim& victim = order[num_sorted_];
            const Attempt& attempt = attempts[victim.attempt];
            const Entry entry{stop_loss_ms(plan_, attempt, now_ms_),
                              victim.attempt,
                              victim.num_slots(),
                              attempt.job};
            std::uint32_t place = num_sorted_;
            for (; place > next_ && entry < sorted_[place - 1]; --place)
                sorted_[place] = sorted_[place - 1];
            sorted_[place] = entry;
        }
    }

    PlanView plan_;
    VictimOrder* orders_{}; ///< by pool
    Entry* sorted_{};       ///< of the front, level by level: as far as num_sorted_
    bool losses_cross_{};   ///< who loses least changes while attempts run

    // While a victim is being chosen.
    std::int64_t now_ms_{};
    PoolId pool_{};
    Rank bound_{};
    std::uint32_t next_{};
    std::uint32_t num_sorted_{};
};

} // namespace bursar::inline sim
