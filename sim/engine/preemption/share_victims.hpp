#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Victims by tenants' shares: running attempts of other tenants that after the stop still hold at
/// least as large a share as the waiting job's tenant does with that job. Those of the tenant with
/// the largest share first, then those of lower priority, then the last to start, then later jobs.
///
/// A tenant holds what its jobs run on, until they are preempted, and what its jobs have claims on.
/// Attempts that began at this instant are no victims: an order that does not go by shares alone
/// may have put them first.
/// The waiting job must raise its tenant's share. So each stop raises the smaller one of two
/// shares, and a start lowers none: no sequence of stops at one instant comes back to where it
/// began.
///
/// Rule: share(VictimRule, use, weight, totals) -> uint64, as in policies/rules/held_share.hpp.
/// Every choice compares all attempts of the pool, once for each victim.
template <class Rule>
class ShareVictims {
  public:
    ShareVictims() = default;
    /// rule: none if the run has another victim rule; then it holds no memory.
    BURSAR_HD
    ShareVictims(ArenaCarver& carver, const RunPlan& plan, std::uint32_t max_live, VictimRule rule)
        : plan_{plan}, rule_{rule}, num_tenants_{rule == VictimRule::none ? 0 : plan.num_tenants},
          held_{carver.take<TenantUse>(num_tenants_)}, left_{carver.take<TenantUse>(num_tenants_)},
          slots_{carver.take<AttemptId>(max_live)}, place_{carver.take<std::uint32_t>(max_live)},
          choices_{carver.take<AttemptId>(max_live)},
          in_pool_{carver.take<std::int64_t>(plan.num_pools)} {
        if (rule != VictimRule::none)
            totals_ = fleet_totals(plan);
    }

    BURSAR_HD void clear() {
        num_ = 0;
        for (TenantId tenant{0}; tenant < num_tenants_; ++tenant)
            held_[tenant] = {};
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            in_pool_[pool] = 0;
    }

    /// A job begins to run, or gets a claim.
    BURSAR_HD void hold(JobId job, ShapeId shape) {
        add(held_[plan_.tenant_of(job)], plan_.shapes[shape]);
    }
    /// It no longer runs, is preempted, or loses its claim.
    BURSAR_HD void let_go(JobId job, ShapeId shape) {
        remove(held_[plan_.tenant_of(job)], plan_.shapes[shape]);
    }

    /// Adds an attempt that may be stopped.
    BURSAR_HD void insert(const Attempt& attempt, AttemptId slot) {
        place_[slot] = num_;
        slots_[num_++] = slot;
        in_pool_[attempt.pool] += plan_.shapes[attempt.shape].slots();
    }
    BURSAR_HD void erase(const Attempt& attempt, AttemptId slot) {
        const AttemptId last = slots_[--num_];
        slots_[place_[slot]] = last;
        place_[last] = place_[slot];
        in_pool_[attempt.pool] -= plan_.shapes[attempt.shape].slots();
    }

    /// Whether stops could make room for `slots` of a job of any tenant, of which `free` are free.
    [[nodiscard]] BURSAR_HD bool
    may_make_room(PoolId pool, std::int64_t slots, std::int64_t free) const {
        return free + in_pool_[pool] >= slots;
    }

    /// Begins to choose for `job`.
    template <class Engine>
    BURSAR_HD void open(Engine& engine, JobId job, PoolId pool) {
        attempts_ = &engine.state().attempts;
        num_choices_ = 0;
        const TenantId tenant = plan_.tenant_of(job);
        TenantUse with_job = held_[tenant];
        add(with_job, plan_.shapes[plan_.shape_of(job)]);
        bound_ = share(with_job, tenant);
        if (bound_ <= share(held_[tenant], tenant))
            return;
        for (std::uint32_t i = 0; i < num_; ++i) {
            const Attempt& attempt = (*attempts_)[slots_[i]];
            const TenantId other = plan_.tenant_of(attempt.job);
            if (attempt.pool != pool || other == tenant ||
                attempt.start_ms == engine.state().now_ms)
                continue;
            left_[other] = held_[other];
            choices_[num_choices_++] = slots_[i];
        }
    }

    /// The next victim; LiveAttempts::none() if there is none.
    [[nodiscard]] BURSAR_HD AttemptId next() {
        std::uint32_t best = 0;
        std::uint64_t best_share = 0;
        for (std::uint32_t i = 0; i < num_choices_;) {
            const Attempt& attempt = (*attempts_)[choices_[i]];
            const TenantId tenant = plan_.tenant_of(attempt.job);
            TenantUse after = left_[tenant];
            remove(after, plan_.shapes[attempt.shape]);
            if (share(after, tenant) < bound_) { // and so it stays: shares only fall here
                choices_[i] = choices_[--num_choices_];
                continue;
            }
            const std::uint64_t now = share(left_[tenant], tenant);
            if (i == 0 || now > best_share ||
                (now == best_share && goes_before(attempt, (*attempts_)[choices_[best]]))) {
                best = i;
                best_share = now;
            }
            ++i;
        }
        if (num_choices_ == 0)
            return LiveAttempts::none();
        const AttemptId slot = choices_[best];
        choices_[best] = choices_[--num_choices_];
        const Attempt& attempt = (*attempts_)[slot];
        remove(left_[plan_.tenant_of(attempt.job)], plan_.shapes[attempt.shape]);
        return slot;
    }

  private:
    BURSAR_HD static void add(TenantUse& use, const JobShape& shape) {
        use.slots += static_cast<std::uint64_t>(shape.slots());
        use.cpu_milli += shape.cpu_milli;
        use.memory_mib += shape.memory_mib;
    }
    BURSAR_HD static void remove(TenantUse& use, const JobShape& shape) {
        use.slots -= static_cast<std::uint64_t>(shape.slots());
        use.cpu_milli -= shape.cpu_milli;
        use.memory_mib -= shape.memory_mib;
    }
    [[nodiscard]] BURSAR_HD std::uint64_t share(const TenantUse& use, TenantId tenant) const {
        return Rule::share(rule_, use, plan_.weight(tenant), totals_);
    }
    /// Of two attempts of tenants with equal shares.
    [[nodiscard]] BURSAR_HD bool goes_before(const Attempt& a, const Attempt& b) const {
        if (plan_.priority != nullptr && plan_.priority[a.job] != plan_.priority[b.job])
            return plan_.priority[a.job] < plan_.priority[b.job];
        return a.start_ms != b.start_ms ? a.start_ms > b.start_ms : a.job > b.job;
    }

    RunPlan plan_;
    VictimRule rule_{};
    FleetTotals totals_{};
    std::uint32_t num_tenants_{};
    TenantUse* held_{};       ///< by tenant; without averages
    TenantUse* left_{};       ///< the same without the victims chosen so far
    AttemptId* slots_{};      ///< attempts that may be stopped, unsorted
    std::uint32_t* place_{};  ///< slot -> its place in slots_
    AttemptId* choices_{};    ///< of them, those that the choice in progress has not refused
    std::int64_t* in_pool_{}; ///< by pool: slots of all that may be stopped
    std::uint32_t num_{};

    // State of the choice in progress.
    const LiveAttempts* attempts_{};
    std::uint64_t bound_{}; ///< the share of the waiting job's tenant with that job
    std::uint32_t num_choices_{};
};

}} // namespace bursar::sim
