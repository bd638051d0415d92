#include <doctest/doctest.h>

#include "sim/record/give_back.hpp"

namespace bursar::test::give_back_test {
namespace {

constexpr std::int64_t slots = 2 * slots_per_gpu; // of each pool

/// A pool of each purchase, two GPUs, billed by the hour; no job ran for four hours.
struct IdleRun {
    Plan plan;
    Outcome outcome;

    IdleRun() {
        for (const Purchase purchase :
             {Purchase::owned, Purchase::reserved, Purchase::on_demand, Purchase::spot}) {
            PlanPool pool;
            pool.num_nodes = 1;
            pool.gpus_per_node = 2;
            pool.purchase = purchase;
            pool.billing_step = hour;
            plan.pools.push_back(pool);
        }
        outcome.end = outcome.window_end = 4 * hour;
        outcome.fingerprint = 17;
        outcome.num_pools = 4;
        outcome.num_tenants = 1;
        outcome.cells.resize(std::size_t{4} * 2 * num_leaves);
        for (std::size_t pool = 0; pool < 4; ++pool)
            cell(pool, Leaf::idle_no_demand) = slot_time(slots, 4 * hour);
    }
    SlotTime& cell(std::size_t pool, Leaf leaf) {
        return outcome.cells[(pool * 2 + 1) * num_leaves + static_cast<std::size_t>(leaf)];
    }
};

} // namespace

TEST_CASE("capacity paid by use is given back, in whole steps; other pools are kept") {
    IdleRun run;
    give_back(run.plan, 90 * minute, run.outcome);
    for (const std::size_t kept : {0U, 1U}) {
        CHECK(run.cell(kept, Leaf::idle_no_demand) == slot_time(slots, 4 * hour));
        CHECK(run.cell(kept, Leaf::unavail_reserved_unlaunched) == SlotTime{});
    }
    for (const std::size_t returned : {2U, 3U}) {
        CHECK(run.cell(returned, Leaf::idle_no_demand) == slot_time(slots, 90 * minute));
        CHECK(run.cell(returned, Leaf::unavail_reserved_unlaunched) ==
              slot_time(slots, 30 * minute));
    }
    CHECK(run.outcome.fingerprint != 17);
}

TEST_CASE("time free for reasons other than demand is given back from its leaf") {
    IdleRun run;
    for (std::size_t pool = 0; pool < 4; ++pool) { // half an hour before, and all time after
        run.cell(pool, Leaf::idle_no_demand) = slot_time(slots, hour);
        run.cell(pool, Leaf::idle_ineligible) = slot_time(slots, 3 * hour);
    }
    run.outcome.unheld.resize(4 * num_leaves);
    for (std::size_t pool = 0; pool < 4; ++pool)
        run.outcome.unheld[pool * num_leaves + static_cast<std::size_t>(Leaf::idle_ineligible)]
            .held = slot_time(slots, 150 * minute);
    give_back(run.plan, 90 * minute, run.outcome);
    CHECK(run.cell(0, Leaf::idle_ineligible) == slot_time(slots, 3 * hour));
    CHECK(run.cell(2, Leaf::idle_no_demand) == slot_time(slots, hour));
    CHECK(run.cell(2, Leaf::idle_ineligible) == slot_time(slots, 30 * minute));
    CHECK(run.cell(2, Leaf::unavail_reserved_unlaunched) == slot_time(slots, 30 * minute));
}

TEST_CASE("only the measured part is given back") {
    IdleRun run;
    run.plan.measure_from = run.outcome.window_begin = hour;
    run.plan.measure_to = run.outcome.window_end = 3 * hour;
    for (std::size_t pool = 0; pool < 4; ++pool)
        run.cell(pool, Leaf::idle_no_demand) = slot_time(slots, 2 * hour);
    give_back(run.plan, 90 * minute, run.outcome);
    CHECK(run.cell(1, Leaf::idle_no_demand) == slot_time(slots, 2 * hour));
    CHECK(run.cell(2, Leaf::idle_no_demand) == slot_time(slots, 30 * minute));
    CHECK(run.cell(2, Leaf::unavail_reserved_unlaunched) == SlotTime{});
}

TEST_CASE("given-back time is taken off at the prices of its time") {
    // Spot: 5 nano-USD per GPU-hour for an hour, 7 for another, 9 from then on; on demand: 3.
    IdleRun run;
    run.plan.pools[2].rate = MoneyRate{3};
    run.plan.pools[3].price_series = static_cast<std::uint16_t>(
        run.plan.prices.add({{0, hour.count(), 2 * hour.count()}, {5, 7, 9}}));
    const auto money = [&](std::size_t pool, Leaf leaf) -> Money& {
        return run.outcome.money[run.outcome.index(pool, 1, leaf)];
    };
    run.outcome.money.resize(run.outcome.cells.size());
    money(2, Leaf::idle_no_demand) = MoneyRate{3} * slot_time(slots, 4 * hour);
    money(3, Leaf::idle_no_demand) = MoneyRate{5 + 7 + 9 + 9} * slot_time(slots, hour);
    give_back(run.plan, 90 * minute, run.outcome);
    CHECK(money(2, Leaf::idle_no_demand) == MoneyRate{3} * slot_time(slots, 90 * minute));
    CHECK(money(2, Leaf::unavail_reserved_unlaunched) ==
          MoneyRate{3} * slot_time(slots, 30 * minute));
    CHECK(money(3, Leaf::idle_no_demand) ==
          MoneyRate{5} * slot_time(slots, hour) + MoneyRate{7} * slot_time(slots, 30 * minute));
    CHECK(money(3, Leaf::unavail_reserved_unlaunched) ==
          MoneyRate{7} * slot_time(slots, 30 * minute));
    CHECK(money(0, Leaf::idle_no_demand) == Money{});
}

TEST_CASE("at the end nothing is left to give back") {
    IdleRun run;
    const Outcome before = run.outcome;
    give_back(run.plan, run.outcome.end, run.outcome);
    CHECK(run.outcome.cells == before.cells);
    CHECK(run.outcome.fingerprint == before.fingerprint);
}

} // namespace bursar::test::give_back_test
