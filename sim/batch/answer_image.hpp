#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/batch/rows_image.hpp"
#include "sim/engine/run.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// The block to which a run writes its rows and what make_outcome reads; same layout on host and
/// device.
struct AnswerImage {
    RunTotals* totals{};
    SlotTime* cells{};
    Money* money{};    ///< null: no price varies
    GridTime* grid{};  ///< null: no grid's intensity varies
    PoolLife* lives{}; ///< by pool; null: the world stands still
    RowsImage rows{};

    BURSAR_HD AnswerImage(ArenaCarver& carver, const PlanView& plan, RowsRoom room)
        : totals{carver.take<RunTotals>(1)}, cells{carver.take<SlotTime>(Ledger::num_cells(plan))},
          money{plan.prices.vary() ? carver.take<Money>(Ledger::num_cells(plan)) : nullptr},
          grid{plan.grid.is_on() ? carver.take<GridTime>(Ledger::num_cells(plan)) : nullptr},
          lives{plan.moves ? carver.take<PoolLife>(plan.num_pools) : nullptr},
          rows{carver, plan, room} {}

    /// Bytes of the answer of a run of `plan`.
    [[nodiscard]] static std::size_t size_of(const PlanView& plan, RowsRoom room) {
        ArenaCarver measure{nullptr};
        const AnswerImage image{measure, plan, room};
        return measure.used();
    }

    /// Writes all but the rows, after the run. All lanes of a team call it.
    template <class Team>
    BURSAR_HD void write(const Team& team,
                         const PlanView& plan,
                         const RunState& state,
                         std::uint32_t num_queued) const {
        team.once([&] { *totals = totals_of(state, num_queued); });
        const auto num_cells = static_cast<std::uint32_t>(Ledger::num_cells(plan));
        team.for_each(num_cells, [&](std::uint32_t i) {
            cells[i] = state.ledger.cells()[i];
            if (money != nullptr)
                money[i] = state.ledger.money()[i];
            if (grid != nullptr)
                grid[i] = state.ledger.grid()[i];
        });
        if (lives == nullptr)
            return;
        team.for_each(plan.num_pools,
                      [&](std::uint32_t pool) { lives[pool] = state.fleet[PoolId{pool}]; });
    }
};

}} // namespace bursar::sim
