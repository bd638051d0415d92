#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/random_bill.hpp"
#include "tests/properties.hpp"

// A ledger divided by time, against the whole one, and against runs that measure one bucket alone.
namespace bursar::test::bucket_properties_test {
namespace {

/// Widths, some so narrow that buckets become wider.
BucketWidth draw_buckets() {
    const std::int64_t least = drawn::boolean() ? 1 : 1'000;
    const auto width = drawn::in_range<std::int64_t>(least, 40 * least);
    return {Duration{width}, Duration{-drawn::in_range<std::int64_t>(0, 3 * width)}};
}

Run run_by(const BucketWidth& buckets, const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate(
        plan, order_for(plan, choice), choice, Record::jobs, workspace, nullptr, buckets);
}

/// The sum of each cell over all buckets, or one of them.
template <class Part>
std::vector<Part> summed(const Run& run, Part BucketCell::*part, const std::uint32_t* only = {}) {
    std::vector<Part> sum(run.outcome.cells.size());
    for (const BucketCell& one : run.by_time.cells)
        if (only == nullptr || one.bucket == *only)
            sum[one.cell] += one.*part;
    return sum;
}

/// The leaf of time past the end of a run, which a bill of a part of the run excludes.
std::vector<SlotTime> without_time_past_end(std::vector<SlotTime> cells) {
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
        if (static_cast<Leaf>(cell % num_leaves) == Leaf::unavail_reserved_unlaunched)
            cells[cell] = SlotTime{};
    return cells;
}

void check_one_bucket(const Run& run, const Plan& plan, const PolicyChoice& choice) {
    const BucketWidth& buckets = run.by_time.buckets;
    const BucketCell& some =
        run.by_time.cells[drawn::in_range<std::size_t>(0, run.by_time.cells.size())];
    const std::int64_t end_ms = buckets.end_ms(some.bucket);
    const std::int64_t begin_ms = std::max<std::int64_t>(end_ms - buckets.width.count(), 0);
    RC_ASSERT(without_time_past_end(summed(run, &BucketCell::held, &some.bucket)) ==
              without_time_past_end(time_inside(plan, choice, begin_ms, end_ms)));
}

} // namespace

TEST_CASE(
    "each bucket of a ledger has what a bill of its time alone says, and all of them the whole") {
    for (const PolicyChoice& choice : every_choice_at_all()) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            Plan plan = draw_run();
            if (drawn::boolean())
                give_prices(plan);
            const Run run = run_by(draw_buckets(), plan, choice);
            const Outcome plain = ledger_of(plan, choice);
            RC_ASSERT(run.outcome.fingerprint == plain.fingerprint);
            RC_ASSERT(run.outcome.cells == plain.cells);
            RC_ASSERT(run.outcome.money == plain.money);
            RC_ASSERT(summed(run, &BucketCell::held) == plain.cells);
            if (run.by_time.cells.empty())
                return;
            check_one_bucket(run, plan, choice);
            for (const BucketCell& part : run.by_time.cells)
                RC_ASSERT(part.held >= SlotTime{} && part.cost >= Money{});
            if (plain.money.empty())
                return;
            const std::vector<Money> cost = summed(run, &BucketCell::cost);
            for (std::size_t pool = 0, cell = 0; pool < plan.pools.size(); ++pool)
                for (std::size_t i = 0; i < cost.size() / plan.pools.size(); ++i, ++cell)
                    RC_ASSERT(cost[cell] ==
                              (plan.pools[pool].has_series() ? plain.money[cell] : Money{}));
        }));
    }
}

} // namespace bursar::test::bucket_properties_test
