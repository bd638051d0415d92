#pragma once

#include <cassert>
#include <cstdint>
#include <type_traits>

#include "sim/arena/arena.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Starts jobs in the queue's order as long as they fit; running jobs are never stopped. Cost per
/// pass: one check of the heads, and one more for each job that starts.
class PlainPass {
  public:
    static constexpr PassMembers has{};

    PlainPass() = default;
    BURSAR_HD
    PlainPass(ArenaCarver&, const RunPlan&, std::uint32_t /*max_live*/, const RunOptions& options)
        : head_rule_{options.head} {}

    BURSAR_HD void clear() {}

    /// All lanes call it; one lane changes state.
    template <class Engine>
    BURSAR_HD void schedule(Engine& engine) {
        while (engine.queue().num_jobs() > 0) {
            const Candidate next = next_to_start(engine);
            if (next.job == Candidate::no_job())
                return;
            engine.team().once([&] { engine.start(next); });
            if (engine.state().status != RunStatus::ok)
                return;
        }
    }

    /// Books why capacity was free over [begin, end), by the state after the last pass.
    template <class Engine>
    BURSAR_HD void charge_idle(Engine& engine, std::int64_t begin_ms, std::int64_t end_ms) {
        using Queue = std::remove_reference_t<decltype(engine.queue())>;
        RunState& state = engine.state();
        auto& capacity = engine.capacity();
        if (engine.queue().num_jobs() == 0) {
            state.idle.charge_no_demand(state.ledger, capacity, begin_ms, end_ms);
        } else if (head_rule_ == HeadRule::block) {
            state.idle.charge_held_for_head(state.ledger, capacity, begin_ms, end_ms);
        } else if constexpr (Queue::has.num_pending) {
            state.idle.charge_by_demand(state.ledger, capacity, engine.queue(), begin_ms, end_ms);
        }
    }

  private:
    template <class Engine>
    [[nodiscard]] BURSAR_HD Candidate next_to_start(Engine& engine) const {
        using Queue = std::remove_reference_t<decltype(engine.queue())>;
        using Capacity = std::remove_reference_t<decltype(engine.capacity())>;
        const Queue& queue = engine.queue();
        const auto& capacity = engine.capacity();
        const JobShape* shapes = engine.plan().current_shapes;
        assert(Queue::has.num_pending || head_rule_ == HeadRule::block);
        if constexpr (Queue::has.num_pending) {
            if (capacity.is_full()) // saves the check of the heads
                return {};
            if (head_rule_ == HeadRule::skip) {
                if constexpr (Capacity::has.prepare && Queue::has.for_each_shape) {
                    queue.for_each_shape(engine.team(), [&](ShapeId shape) {
                        engine.capacity().prepare(shapes[shape]);
                    });
                }
                return queue.first_where(
                    engine.team(), [&](ShapeId shape) { return capacity.fits(shapes[shape]); });
            }
        }
        const Candidate head = queue.head(engine.team());
        if constexpr (Capacity::has.prepare)
            engine.team().once([&] { engine.capacity().prepare(shapes[head.shape]); });
        return capacity.fits(shapes[head.shape]) ? head : Candidate{};
    }

    HeadRule head_rule_{HeadRule::block};
};

}} // namespace bursar::sim
