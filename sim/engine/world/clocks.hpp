#pragma once

#include <cstdint>

#include "sim/engine/state/run_state.hpp"
#include "sim/engine/world/migrations.hpp"
#include "sim/engine/world/provisioning.hpp"
#include "sim/engine/world/world_events.hpp"
#include "sim/plan/run_plan.hpp"

/// The clocks of the world; README.md of sim/engine, "An instant", lists all clocks in the order of
/// an instant. Each has
/// - `is_on(plan)`: whether a run has it;
/// - `next_ms(plan, state, some_run)`: when it is due next; horizon_ms: never. some_run: whether
///   attempts hold GPUs;
/// - `follow(engine)` or, after the pass, `follow(engine, pass)`: its actions at an instant at
///   which any clock of the world is due.
///
/// This is a list and not a queue of timers: an instant costs one comparison per clock, but changed
/// times need no push or erase, and most times change more often than they are due. A static world
/// reads none of these clocks.
namespace bursar { inline namespace sim {

// Clocks before the arrivals and the pass.

/// Jobs that fail by their own fault. First, so that a failure does not depend on other events of
/// the instant.
struct OwnFailureClock {
    [[nodiscard]] BURSAR_HD static bool is_on(const RunPlan& plan) {
        return plan.own_failures != nullptr;
    }
    [[nodiscard]] BURSAR_HD static std::int64_t
    next_ms(const RunPlan&, const RunState& state, bool) {
        return state.failing.next_ms();
    }
    template <class Engine>
    BURSAR_HD static void follow(Engine& engine) {
        fail_jobs(engine);
    }
};

/// Events of the world, in the order of Plan::world.
struct WorldEventClock {
    [[nodiscard]] BURSAR_HD static bool is_on(const RunPlan& plan) {
        return plan.num_world_events > 0;
    }
    [[nodiscard]] BURSAR_HD static std::int64_t
    next_ms(const RunPlan& plan, const RunState& state, bool) {
        return state.next_world_event == plan.num_world_events
                   ? horizon_ms
                   : plan.world[state.next_world_event].time_ms;
    }
    template <class Engine>
    BURSAR_HD static void follow(Engine& engine) {
        RunState& state = engine.state();
        while (next_ms(engine.plan(), state, false) == state.now_ms)
            apply(engine, engine.plan().world[state.next_world_event++]);
    }
};

/// Nodes whose boot, takeover or notice ends, after the events that may have caused it.
struct NodeClock {
    [[nodiscard]] BURSAR_HD static bool is_on(const RunPlan& plan) { return plan.moves; }
    [[nodiscard]] BURSAR_HD static std::int64_t
    next_ms(const RunPlan&, const RunState& state, bool) {
        return state.fleet.next_node_ms();
    }
    template <class Engine>
    BURSAR_HD static void follow(Engine& engine) {
        RunState& state = engine.state();
        while (next_ms(engine.plan(), state, false) == state.now_ms &&
               state.status == RunStatus::ok)
            node_is_due(engine);
    }
};

/// Jobs that fall back, or may leave their fallback, and claims that end.
struct FallbackClock {
    [[nodiscard]] BURSAR_HD static bool is_on(const RunPlan& plan) {
        return plan.fallbacks != nullptr;
    }
    [[nodiscard]] BURSAR_HD static std::int64_t
    next_ms(const RunPlan&, const RunState& state, bool) {
        return state.fallbacks.next_ms();
    }
    template <class Engine>
    BURSAR_HD static void follow(Engine& engine) {
        if (engine.state().fallbacks.follow(engine.state().now_ms))
            engine.note_capacity_changed(PoolId{0}, 0); // those jobs may use other pools now
    }
};

/// Jobs that become eligible after their submit, once all ends of the instant are known.
struct EligibleClock {
    [[nodiscard]] BURSAR_HD static bool is_on(const RunPlan& plan) {
        return plan.has_dependencies();
    }
    [[nodiscard]] BURSAR_HD static std::int64_t
    next_ms(const RunPlan&, const RunState& state, bool) {
        return state.dependents.next_ms();
    }
    template <class Engine>
    BURSAR_HD static void follow(Engine& engine) {
        RunState& state = engine.state();
        while (state.dependents.next_ms() == state.now_ms)
            engine.admit_late(state.dependents.take_next());
    }
};

// A clock between the arrivals and the pass.

/// Waiting jobs that must miss their deadline, after all ends and arrivals of the instant are
/// known.
struct LateClock {
    [[nodiscard]] BURSAR_HD static bool is_on(const RunPlan& plan) { return plan.drops_late; }
    [[nodiscard]] BURSAR_HD static std::int64_t
    next_ms(const RunPlan&, const RunState& state, bool) {
        return state.late.next_ms();
    }
    template <class Engine>
    BURSAR_HD static void follow(Engine& engine) {
        RunState& state = engine.state();
        while (state.late.next_ms() <= state.now_ms && state.status == RunStatus::ok)
            engine.drop(state.late.take_next());
    }
};

// Clocks after the pass, which depend on its decisions.

/// Stops jobs while `move_one()` finds one, with a pass after each.
template <class Engine, class Pass, class MoveOne>
BURSAR_HD void move_while_any(Engine& engine, Pass& pass, const MoveOne& move_one) {
    RunState& state = engine.state();
    while (state.status == RunStatus::ok) {
        engine.team().once([&] { state.some_moved = move_one(); });
        if (!state.some_moved || state.status != RunStatus::ok)
            return;
        pass.schedule(engine);
    }
}

/// Migrations of running jobs: prices are compared at each multiple of the period.
struct MigrationClock {
    [[nodiscard]] BURSAR_HD static bool is_on(const RunPlan& plan) { return plan.migration.is_on; }
    [[nodiscard]] BURSAR_HD static std::int64_t
    next_ms(const RunPlan& plan, const RunState& state, bool some_run) {
        const std::int64_t every_ms = plan.migration.every_ms;
        return every_ms > 0 && some_run ? (state.now_ms / every_ms + 1) * every_ms : horizon_ms;
    }
    template <class Engine, class Pass>
    BURSAR_HD static void follow(Engine& engine, Pass& pass) {
        RunState& state = engine.state();
        engine.team().once([&] { state.some_moved = is_migration_due(engine); });
        if (state.some_moved)
            move_while_any(engine, pass, [&] { return migrate_one(engine); });
    }
};

/// Launches and ends of nodes by each pool's rule, for the jobs that the pass left waiting. If some
/// have ended the pass runs again.
struct NodeRuleClock {
    [[nodiscard]] BURSAR_HD static bool is_on(const RunPlan& plan) {
        return plan.provisioning != nullptr;
    }
    [[nodiscard]] BURSAR_HD static std::int64_t
    next_ms(const RunPlan&, const RunState& state, bool) {
        return state.fleet.next_rule_ms();
    }
    template <class Engine, class Pass>
    BURSAR_HD static void follow(Engine& engine, Pass& pass) {
        RunState& state = engine.state();
        if (state.fleet.rests() || state.status != RunStatus::ok)
            return;
        const Candidate head = blocking_head(engine);
        engine.team().once([&] { state.nodes_ended = provision(engine, pass, head); });
        if (state.nodes_ended)
            pass.schedule(engine);
    }
};

/// Clocks in the order in which they are followed at one instant.
template <class... Clocks>
struct ClockList {
    [[nodiscard]] BURSAR_HD static std::int64_t
    next_ms(const RunPlan& plan, const RunState& state, bool some_run) {
        std::int64_t first_ms = horizon_ms;
        const auto read = [&](bool is_on, std::int64_t due_ms) {
            first_ms = is_on && due_ms < first_ms ? due_ms : first_ms;
        };
        (read(Clocks::is_on(plan), Clocks::next_ms(plan, state, some_run)), ...);
        return first_ms;
    }
    template <class Engine, class... Pass>
    BURSAR_HD static void follow(Engine& engine, Pass&... pass) {
        const auto follow_one = [&](auto clock) {
            if (decltype(clock)::is_on(engine.plan()))
                clock.follow(engine, pass...);
        };
        (follow_one(Clocks{}), ...);
    }
};
using ClocksBeforePass =
    ClockList<OwnFailureClock, WorldEventClock, NodeClock, FallbackClock, EligibleClock>;
using ClocksAfterArrivals = ClockList<LateClock>;
using ClocksAfterPass = ClockList<MigrationClock, NodeRuleClock>;

/// When a clock of the world is due next; horizon_ms: never.
[[nodiscard]] BURSAR_HD inline std::int64_t
next_world_ms(const RunPlan& plan, const RunState& state, bool some_run) {
    const std::int64_t before_ms = ClocksBeforePass::next_ms(plan, state, some_run);
    const std::int64_t between_ms = ClocksAfterArrivals::next_ms(plan, state, some_run);
    const std::int64_t after_ms = ClocksAfterPass::next_ms(plan, state, some_run);
    const std::int64_t first_ms = before_ms < between_ms ? before_ms : between_ms;
    return first_ms < after_ms ? first_ms : after_ms;
}

/// Runs the clocks before the arrivals of an instant. One lane calls it.
template <class Engine>
[[gnu::noinline, gnu::cold]] BURSAR_HD void follow_world(Engine& engine) {
    ClocksBeforePass::follow(engine);
}

/// Runs the clock between the arrivals of an instant and its pass. One lane calls it.
template <class Engine>
[[gnu::noinline, gnu::cold]] BURSAR_HD void follow_arrivals(Engine& engine) {
    ClocksAfterArrivals::follow(engine);
}

/// Whether clocks after the pass may be due.
[[nodiscard]] BURSAR_HD inline bool may_decide_again(const RunPlan& plan, const RunState& state) {
    return state.status == RunStatus::ok &&
           (plan.fallbacks != nullptr || plan.migration.is_on || !state.fleet.rests());
}

/// Ends claims of jobs that have fallen back. Returns whether waiting jobs may use more pools now.
template <class Engine>
BURSAR_HD bool end_claims(Engine& engine) {
    const bool some_may_use_more = engine.state().fallbacks.end_claims(engine.state().now_ms);
    if (some_may_use_more)
        engine.note_capacity_changed(PoolId{0}, 0);
    return some_may_use_more;
}

/// The steps after a pass in a dynamic world: claims that end and jobs that leave their fallback,
/// with a pass after each, then the clocks after the pass. All lanes call it.
template <class Engine, class Pass>
[[gnu::noinline, gnu::cold]] BURSAR_HD void decide_again(Engine& engine, Pass& pass) {
    if (engine.plan().fallbacks != nullptr)
        move_while_any(engine, pass, [&] { return end_claims(engine) || move_one_back(engine); });
    ClocksAfterPass::follow(engine, pass);
}

}} // namespace bursar::sim
