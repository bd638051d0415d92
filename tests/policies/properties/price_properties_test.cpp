#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/random_bill.hpp"
#include "tests/properties.hpp"

// The cost of a run with varying prices, against the same run measured in a window for each price
// step: its rate times the time inside it.
namespace bursar::test::price_properties_test {
namespace {

/// Choices in which attempts are booked in different ways.
std::vector<PolicyChoice> choices() {
    PolicyChoice priority{"priority", HeadRule::skip, "count"};
    priority.preemption = "priority";
    PolicyChoice easy{"fifo", HeadRule::block, "nodes"};
    easy.backfill = "easy";
    PolicyChoice rounds{"srtf", HeadRule::skip, "count"};
    rounds.quantum = 2 * second;
    return {{"fifo", HeadRule::block, "count"},
            {"sjf", HeadRule::skip, "nodes"},
            {"srtf", HeadRule::skip, "nodes"},
            with_small_levels({"las", HeadRule::skip, "count"}),
            priority,
            easy,
            rounds};
}

/// The cost of each cell of a pool, added up over the steps of its series.
std::vector<Money> step_by_step(const Plan& plan,
                                const PolicyChoice& choice,
                                std::size_t pool,
                                const PriceSeries& series) {
    const std::size_t num_cells = (plan.num_tenants + 1) * num_leaves;
    std::vector<Money> sum(num_cells);
    for (std::size_t step = 0; step < series.size(); ++step) {
        const std::int64_t begin_ms = step == 0 ? 0 : series.start_ms[step];
        const std::int64_t end_ms =
            step + 1 < series.size() ? series.start_ms[step + 1] : horizon_ms;
        const std::vector<SlotTime> cells = time_inside(plan, choice, begin_ms, end_ms);
        for (std::size_t cell = 0; cell < num_cells; ++cell)
            sum[cell] += MoneyRate{series.rate[step]} * cells[pool * num_cells + cell];
    }
    return sum;
}

/// Leaves that share their cost with saves.
bool is_at_work(Leaf leaf) {
    return leaf == Leaf::over_checkpoint || group_of(leaf) >= LeafGroup::stalled;
}

/// The same with one cell for all work and saves of each tenant: their cost is divided by shares of
/// whole stretches, which sums over steps cannot reproduce.
std::vector<Money> without_shares(std::vector<Money> cells) {
    for (std::size_t tenant = 0; tenant < cells.size(); tenant += num_leaves) {
        Money sum;
        for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
            if (is_at_work(static_cast<Leaf>(leaf)))
                sum += std::exchange(cells[tenant + leaf], Money{});
        cells[tenant + static_cast<std::size_t>(Leaf::over_checkpoint)] = sum;
    }
    return cells;
}

bool saves_on_the_way(const Plan& plan) {
    return std::ranges::any_of(plan.classes, [](const PlanClass& job_class) {
        return saves_on_the_way(job_class.checkpoint);
    });
}

void check_steps(const Plan& plan,
                 const PolicyChoice& choice,
                 const std::vector<PriceSeries>& series) {
    const Outcome outcome = ledger_of(plan, choice);
    const std::size_t cells_of_pool = outcome.cells.size() / plan.pools.size();
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        const auto begin =
            outcome.money.begin() + static_cast<std::ptrdiff_t>(pool * cells_of_pool);
        std::vector<Money> booked(begin, begin + static_cast<std::ptrdiff_t>(cells_of_pool));
        if (!plan.pools[pool].has_series()) {
            for (std::size_t cell = 0; cell < cells_of_pool; ++cell)
                RC_ASSERT(booked[cell] ==
                          plan.pools[pool].rate * outcome.cells[pool * cells_of_pool + cell]);
            continue;
        }
        RC_ASSERT(std::ranges::all_of(booked, [](Money cell) { return cell >= Money{}; }));
        std::vector<Money> expected = step_by_step(plan, choice, pool, series[pool]);
        if (saves_on_the_way(plan)) {
            booked = without_shares(booked);
            expected = without_shares(expected);
        }
        RC_ASSERT(booked == expected);
    }
}

} // namespace

TEST_CASE("the cost of a run is the sum over its price steps") {
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            Plan plan = draw_run();
            const std::vector<PriceSeries> series = give_prices(plan);
            check_steps(plan, choice, series);
        }));
    }
}

TEST_CASE("prices change only the cost of a run") {
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            Plan plan = draw_run();
            const Outcome before = ledger_of(plan, choice);
            give_prices(plan);
            const Outcome after = ledger_of(plan, choice);
            RC_ASSERT(after.fingerprint == before.fingerprint);
            RC_ASSERT(after.cells == before.cells);
        }));
    }
}

TEST_CASE("a series of equal steps costs the same as a constant rate, cell by cell") {
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            Plan plan = draw_run();
            const MoneyRate rate{drawn::in_range<std::int64_t>(0, 1'000'000'000'000)};
            PriceSeries series = draw_series();
            series.rate.assign(series.size(), rate.count());
            plan.pools[0].price_series = static_cast<std::uint16_t>(plan.prices.add(series));
            const Outcome outcome = ledger_of(plan, choice);
            for (std::size_t cell = 0; cell < outcome.cells.size() / plan.pools.size(); ++cell)
                RC_ASSERT(outcome.money[cell] == rate * outcome.cells[cell]);
        }));
    }
}

TEST_CASE("grid intensities are booked like prices, and change nothing else") {
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            Plan plan = draw_run();
            Plan priced = plan; // with intensities as prices
            give_grid(plan);
            priced.prices = plan.grid.integrals;
            for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
                priced.pools[pool].price_series = plan.grid.series[pool];
            if (drawn::boolean())
                give_prices(plan);
            const Outcome booked = ledger_of(plan, choice);
            const Outcome expected = ledger_of(priced, choice);
            RC_ASSERT(booked.fingerprint == expected.fingerprint);
            RC_ASSERT(booked.cells == expected.cells);
            const std::size_t cells_of_pool = booked.cells.size() / plan.pools.size();
            for (std::size_t cell = 0; cell < booked.cells.size(); ++cell)
                RC_ASSERT(booked.grid[cell].count() ==
                          (priced.pools[cell / cells_of_pool].has_series()
                               ? expected.money[cell].count()
                               : 0));
        }));
    }
}

} // namespace bursar::test::price_properties_test
