#pragma once

#include <cstdint>

#include "sim/engine/backfill/easy_backfill.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// EASY backfilling (Lifka 1995; Feitelson & Weil 1998). While the head does not fit, it holds one
/// reservation, at the earliest instant at which running jobs are believed to leave room for it. A
/// job behind it may start now if it ends by then or does not use reserved capacity; jobs are tried
/// in the queue's order.
///
/// Reservation: CountReservation or NodeReservation. Cost: that of easy_backfill.hpp, and a check
/// of the heads for each pass after more than an arrival.
template <class Reservation>
class EasyPass {
  public:
    static constexpr PassMembers has{.began = true,
                                     .stopping = true,
                                     .gone = true,
                                     .capacity_changed = true,
                                     .unsettle = true,
                                     .withdraw = true};

    EasyPass() = default;
    BURSAR_HD EasyPass(ArenaCarver& carver,
                       const RunPlan& plan,
                       std::uint32_t max_live,
                       const RunOptions& options)
        : behind_{carver, plan, max_live, options} {}

    BURSAR_HD void clear() { behind_.clear(); }

    /// All lanes call it; one lane changes state.
    template <class Engine>
    BURSAR_HD void schedule(Engine& engine) {
        if (!behind_.stands(engine)) {
            const Candidate head = start_heads(engine);
            engine.team().once([&] { behind_.head_blocked(engine, head); });
        }
        while (!failed(engine)) {
            const auto next = behind_.next_behind(engine);
            if (next.is_none())
                return;
            engine.team().once(
                [&] { behind_.start(engine, next, [&] { engine.start(next.job); }); });
        }
    }

    template <class Engine>
    BURSAR_HD void began(Engine& engine, const Attempt& attempt, AttemptId slot) {
        behind_.began(engine, attempt, slot);
    }
    template <class Engine>
    BURSAR_HD void stopping(Engine& engine, AttemptId slot, std::int64_t release_ms) {
        behind_.stopping(engine, slot, release_ms);
    }
    template <class Engine>
    BURSAR_HD void gone(Engine& engine, const Attempt& attempt, AttemptId slot) {
        behind_.gone(engine, attempt, slot);
    }
    template <class Engine>
    BURSAR_HD void capacity_changed(Engine&, PoolId, std::int64_t /*slots*/) {
        behind_.capacity_changed();
    }

    BURSAR_HD void unsettle() { behind_.unsettle(); }
    template <class Engine>
    BURSAR_HD void withdraw(Engine&, const Candidate& job) {
        behind_.withdraw(job.job);
    }

    /// Reserved free slots are booked as held for the head, the others by demand.
    template <class Engine>
    BURSAR_HD void charge_idle(Engine& engine, std::int64_t begin_ms, std::int64_t end_ms) {
        RunState& state = engine.state();
        auto& capacity = engine.capacity();
        if (engine.queue().num_jobs() == 0) {
            state.idle.charge_no_demand(state.ledger, capacity, begin_ms, end_ms);
            return;
        }
        state.idle.charge_by_demand(
            state.ledger, capacity, engine.queue(), begin_ms, end_ms, behind_.holds(capacity));
    }

  private:
    template <class Engine>
    [[nodiscard]] BURSAR_HD static bool failed(Engine& engine) {
        return engine.state().status != RunStatus::ok;
    }

    /// Starts jobs in order as long as they fit. Returns the first that does not, or no_job().
    template <class Engine>
    [[nodiscard]] BURSAR_HD Candidate start_heads(Engine& engine) {
        while (engine.queue().num_jobs() > 0 && !failed(engine)) {
            const Candidate head = engine.queue().head(engine.team());
            if (!engine.capacity().fits(engine.plan().current_shapes[head.shape]))
                return head;
            engine.team().once([&] {
                behind_.forget(); // a head may start past another's reservation
                engine.start(head);
            });
        }
        return {};
    }

    EasyBackfill<Reservation> behind_;
};

}} // namespace bursar::sim
