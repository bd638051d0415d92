#include <doctest/doctest.h>

#include "policies/runs/engine_choice.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::simulate_test {

namespace {

constexpr std::int64_t ten_years_s = 10 * 365 * 86'400LL;

PolicyChoice rounds_of(Duration quantum, std::string queue, std::string preemption) {
    PolicyChoice choice;
    choice.queue = std::move(queue);
    choice.capacity = "count";
    choice.preemption = std::move(preemption);
    choice.quantum = quantum;
    return choice;
}

} // namespace

TEST_CASE("each choice of policies has the pass that is made for it") {
    const Plan plan = plan_of({{0, 10}}, {pool_of(2, 8)});
    const auto pass = [&](const PolicyChoice& choice) { return pass_kind(plan, choice); };
    CHECK(pass({"fifo", HeadRule::block}) == PassKind::arrivals);
    CHECK(pass({"fifo", HeadRule::skip}) == PassKind::plain);
    CHECK(pass({"sjf", HeadRule::block}) == PassKind::plain);
    CHECK(pass({"fair-share", HeadRule::block, "count"}) == PassKind::plain);
    CHECK(pass({"fair-share", HeadRule::block}) == PassKind::admission);
    CHECK(pass({.queue = "srtf"}) == PassKind::by_order);
    CHECK(pass({.queue = "ftf"}) == PassKind::admission);
    CHECK(pass({.preemption = "priority"}) == PassKind::admission);
    CHECK(pass({.queue = "sjf", .backfill = "easy"}) == PassKind::easy);
    CHECK(pass({.queue = "fair-share", .backfill = "easy"}) == PassKind::admission);
    CHECK(pass({.queue = "fair-share", .backfill = "conservative"}) == PassKind::conservative);
}

TEST_CASE("only jobs that may start count as waiting for a place, and none on counts") {
    const Plan plan = plan_of({{0, 10}}, {pool_of(2, 8)});
    const auto watch = [&](const PolicyChoice& choice) {
        return engine_choice(plan, choice).watch;
    };
    CHECK(watch({"fifo", HeadRule::block, "count"}) == PlaceWatch::nothing);
    CHECK(watch({"fifo", HeadRule::block}) == PlaceWatch::head);
    CHECK(watch({"fifo", HeadRule::skip}) == PlaceWatch::all);
    CHECK(watch({.preemption = "priority"}) == PlaceWatch::all);
}

TEST_CASE("ten years of rounds of 1 ms end, as rounds without changes are skipped") {
    // Each job waits for the one before it, except a late urgent one.
    Plan plan = plan_of({{0, ten_years_s, 2}, {1, ten_years_s, 2}, {ten_years_s / 2, 100, 2}},
                        {pool_of(1, 2)});
    plan.priority = {0, 0, 1};
    for (const auto& [queue, preemption] :
         {std::pair{"srtf", ""}, {"las", ""}, {"fifo", "order"}, {"fifo", "priority"}}) {
        CAPTURE(queue);
        const PolicyChoice choice = rounds_of(millisecond, queue, preemption);
        CHECK(!round_limit(plan, choice));
        Workspace workspace;
        const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
        CHECK(run.outcome.num_finished == 3);
        CHECK(run.outcome.end == Duration{1000 * (2 * ten_years_s + 100)});
    }
}

TEST_CASE("too many rounds that cannot be skipped are refused before the run") {
    const Plan plan = plan_of({{0, ten_years_s, 2}, {1, 100, 2}}, {pool_of(1, 2)});
    CHECK(round_limit(plan, rounds_of(millisecond, "fifo", "quantum")) ==
          "too many rounds (up to 315360000000, and jobs take turns at each; at most 1000000000); "
          "use longer rounds, or an earlier `until`");
    CHECK(round_limit(plan, rounds_of(millisecond, "fifo", "value")));
    for (const char* queue : {"las", "gittins"}) {
        PolicyChoice choice = rounds_of(millisecond, queue, "");
        CHECK(!round_limit(plan, choice));
        choice.queue_options.set("wake", {1});
        CHECK(round_limit(plan, choice));
    }
    CHECK(!round_limit(plan, rounds_of(second, "fifo", "quantum")));
    Plan short_one = plan;
    short_one.until = 1'000'000 * second;
    CHECK(!round_limit(short_one, rounds_of(millisecond, "fifo", "quantum")));
}

} // namespace bursar::test::simulate_test
