#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/preemption/priority_victims.hpp"
#include "sim/engine/preemption/share_victims.hpp"
#include "sim/engine/preemption/value_victims.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// The victim rule of the run: none, by priority, by value of GPU time, or by tenants' shares. One
/// branch per call, so that one instance of the engine serves them all.
///
/// ValueRule: of ValueVictims. ShareRule: of ShareVictims.
template <class ValueRule, class ShareRule>
class AnyVictims {
  public:
    AnyVictims() = default;
    BURSAR_HD AnyVictims(ArenaCarver& carver,
                         const RunPlan& plan,
                         std::uint32_t max_live,
                         const RunOptions& options)
        : rule_{options.victims},
          priority_{carver, plan, rule_ == VictimRule::priority ? max_live : 0},
          value_{carver, plan, rule_ == VictimRule::value ? max_live : 0},
          share_{carver,
                 plan,
                 goes_by_share() ? max_live : 0,
                 goes_by_share() ? rule_ : VictimRule::none} {}

    BURSAR_HD void clear() {
        priority_.clear();
        value_.clear();
        share_.clear();
    }

    [[nodiscard]] BURSAR_HD bool is_empty() const { return rule_ == VictimRule::none; }
    /// Whether a job may only stop jobs that come after it in the order.
    [[nodiscard]] BURSAR_HD bool goes_by_order() const { return rule_ <= VictimRule::priority; }
    /// Whether a stop that does not pay now may pay later.
    [[nodiscard]] BURSAR_HD bool moves_with_time() const { return rule_ == VictimRule::value; }

    /// A job begins to run, or gets a claim.
    BURSAR_HD void hold(JobId job, ShapeId shape) {
        if (goes_by_share())
            share_.hold(job, shape);
    }
    /// It no longer runs, is preempted, or loses its claim.
    BURSAR_HD void let_go(JobId job, ShapeId shape) {
        if (goes_by_share())
            share_.let_go(job, shape);
    }

    /// Adds an attempt that may be stopped. level: of its job.
    BURSAR_HD void insert(const Attempt& attempt, AttemptId slot, std::uint64_t level) {
        if (rule_ == VictimRule::priority)
            priority_.insert(attempt, slot, level);
        else if (rule_ == VictimRule::value)
            value_.insert(attempt, slot);
        else
            share_.insert(attempt, slot);
    }
    BURSAR_HD void erase(const Attempt& attempt, AttemptId slot) {
        if (rule_ == VictimRule::priority)
            priority_.erase(attempt, slot);
        else if (rule_ == VictimRule::value)
            value_.erase(attempt, slot);
        else
            share_.erase(attempt, slot);
    }

    [[nodiscard]] BURSAR_HD bool
    may_make_room(std::uint64_t level, PoolId pool, std::int64_t slots, std::int64_t free) const {
        switch (rule_) {
        case VictimRule::none:
            return false;
        case VictimRule::priority:
            return priority_.may_make_room(level, pool, slots, free);
        case VictimRule::value:
            return value_.may_make_room(pool, slots, free);
        case VictimRule::share:
        case VictimRule::dominant_share:
            return share_.may_make_room(pool, slots, free);
        }
        return false;
    }

    /// Begins to choose for a job of `level`.
    template <class Engine>
    BURSAR_HD void open(Engine& engine, JobId job, std::uint64_t level, PoolId pool) {
        if (rule_ == VictimRule::priority)
            priority_.open(engine, level, pool);
        else if (rule_ == VictimRule::value)
            value_.open(engine, job, pool);
        else
            share_.open(engine, job, pool);
    }
    /// The next victim; LiveAttempts::none() if there is none.
    [[nodiscard]] BURSAR_HD AttemptId next() {
        if (rule_ == VictimRule::priority)
            return priority_.next();
        return rule_ == VictimRule::value ? value_.next() : share_.next();
    }
    /// Whether stopping these victims, returned by `next`, pays.
    [[nodiscard]] BURSAR_HD bool pays(const AttemptId* slots, std::uint32_t num) const {
        return rule_ != VictimRule::value || value_.pays(slots, num);
    }
    BURSAR_HD void close() {
        if (rule_ == VictimRule::priority)
            priority_.close();
    }

  private:
    [[nodiscard]] BURSAR_HD bool goes_by_share() const { return rule_ >= VictimRule::share; }

    VictimRule rule_{};
    PriorityVictims priority_;
    ValueVictims<ValueRule> value_;
    ShareVictims<ShareRule> share_;
};

}} // namespace bursar::sim
