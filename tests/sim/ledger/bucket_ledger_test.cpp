#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::bucket_ledger_test {
namespace {

const PolicyChoice fifo{"fifo", HeadRule::block, "count", ""};

Run run_by(const BucketWidth& buckets, const Plan& plan, const PolicyChoice& choice = fifo) {
    Workspace workspace;
    Run run =
        simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace, nullptr, buckets);
    const std::vector<BucketCell>& cells = run.by_time.cells;
    CHECK(std::ranges::is_sorted(cells, {}, [](const BucketCell& part) {
        return std::pair{part.bucket, part.cell};
    }));
    CHECK(std::ranges::none_of(cells, [](const BucketCell& part) {
        return part.held == SlotTime{} && part.cost == Money{};
    }));
    return run;
}

/// GPU-seconds of a leaf, bucket by bucket, of all tenants of the first pool.
std::vector<std::int64_t> gpu_seconds_by_bucket(const Run& run, Leaf leaf) {
    std::vector<std::int64_t> out;
    for (const BucketCell& part : run.by_time.cells) {
        if (static_cast<Leaf>(part.cell % num_leaves) != leaf)
            continue;
        out.resize(std::max<std::size_t>(out.size(), part.bucket + std::size_t{1}));
        out[part.bucket] += static_cast<std::int64_t>(part.held.count() / slots_per_gpu / 1000);
    }
    return out;
}

} // namespace

TEST_CASE("buckets begin at their origin") {
    const BucketWidth buckets{hour, -30 * minute};
    CHECK(buckets.at(0) == 0);
    CHECK(buckets.at((29 * minute).count()) == 0);
    CHECK(buckets.at((30 * minute).count()) == 1);
    CHECK(buckets.end_ms(0) == (30 * minute).count());
    CHECK(buckets.end_ms(2) == (150 * minute).count());
}

TEST_CASE("saves that cost more or less than their time move money from work, or to it") {
    // Two parts of 10 ms: the first costs 100 and half of it are saves, the second 300 and a fifth.
    const auto shared = [](std::int64_t cost) {
        std::vector<StretchPart> parts{{0, {10, Money{100}}, {5}}, {1, {10, Money{300}}, {2}}};
        share_saves(Money{cost}, parts);
        return std::pair{parts[0].saved.cost, parts[1].saved.cost};
    };
    CHECK(shared(110) == std::pair{Money{50}, Money{60}});
    CHECK(shared(150) == std::pair{Money{50 + 6}, Money{60 + 34}}); // 40 by 50 : 240
    CHECK(shared(88) == std::pair{Money{50 - 10}, Money{60 - 12}}); // 22 by 50 : 60
    CHECK(shared(400) == std::pair{Money{100}, Money{300}});
    CHECK(shared(0) == std::pair{Money{}, Money{}});

    // All but 2 of a cost that is too large for the product: what rounding leaves goes to the first
    // part with room.
    const int128 large = int128{1} << 62U;
    std::vector<StretchPart> parts;
    for (const int128 cost : {int128{511}, large, int128{511}})
        parts.push_back({0, {10'000'000, Money{cost}}, {}});
    share_saves(Money{large + 1022 - 2}, parts);
    CHECK(parts[0].saved.cost == Money{510});
    CHECK(parts[1].saved.cost == Money{large - 1});
    CHECK(parts[2].saved.cost == Money{511});
}

SCENARIO("a bill by time") {
    GIVEN("a job of 4 GPUs that works from second 10 to 110, on 8 GPUs") {
        Plan plan = plan_of({{0, 100, 4}}, {pool_of(1, 8)});
        plan.classes[0].startup = 10 * second;
        THEN("each bucket of 40 s has its part") {
            const Run run = run_by({40 * second, {}}, plan);
            CHECK(gpu_seconds_by_bucket(run, Leaf::over_startup) == std::vector<std::int64_t>{40});
            CHECK(gpu_seconds_by_bucket(run, Leaf::prod_useful) ==
                  std::vector<std::int64_t>{120, 160, 120});
            CHECK(gpu_seconds_by_bucket(run, Leaf::idle_no_demand) ==
                  std::vector<std::int64_t>{160, 160, 120});
        }
        THEN("buckets that began before the run end earlier by that time") {
            const Run run = run_by({40 * second, -15 * second}, plan);
            CHECK(gpu_seconds_by_bucket(run, Leaf::prod_useful) ==
                  std::vector<std::int64_t>{60, 160, 160, 20});
        }
        THEN("more than 4096 buckets become 24 times as wide") {
            const Run run = run_by({Duration{20}, {}}, plan);
            CHECK(run.by_time.buckets.width == Duration{480});
            CHECK(run.by_time.cells.back().bucket == 110'000 / 480);
        }
    }
    GIVEN("a job of as many seconds as there may be buckets, or one more, at 1 USD and then 3") {
        const auto run_of = [](std::int64_t work_s) {
            Plan plan = plan_of({{0, work_s, 1}}, {pool_of(1, 1)});
            plan.pools[0].price_series = static_cast<std::uint16_t>(
                plan.prices.add({{0, 36'000}, {nano_usd_per_usd, 3 * nano_usd_per_usd}}));
            return run_by({second, {}}, plan);
        };
        THEN("they become wider only if there are more, and keep what they hold") {
            CHECK(gpu_seconds_by_bucket(run_of(4096), Leaf::prod_useful) ==
                  std::vector<std::int64_t>(4096, 1));
            std::vector<std::int64_t> days(171, 24);
            days.back() = 17;
            const Run run = run_of(4097);
            CHECK(gpu_seconds_by_bucket(run, Leaf::prod_useful) == days);
            const Money gpu_second = MoneyRate{nano_usd_per_usd} * slot_time(slots_per_gpu, second);
            CHECK(run.by_time.cells[0].cost == 24 * gpu_second);
            CHECK(run.by_time.cells[1].cost == (12 + 12 * 3) * gpu_second);
        }
    }
    GIVEN("8 GPUs that are billed for a year, and a job of 110 s") {
        Plan plan = plan_of({{0, 110, 4}}, {pool_of(1, 8)});
        plan.pools[0].billing_step = year;
        THEN("the rest of the year is in the bucket in which the run ends") {
            const Run run = run_by({40 * second, {}}, plan);
            CHECK(run.by_time.buckets.width == 40 * second);
            CHECK(gpu_seconds_by_bucket(run, Leaf::unavail_reserved_unlaunched) ==
                  std::vector<std::int64_t>{0, 0, 8 * (365 * 86'400 - 110)});
        }
    }
    GIVEN("a job that is stopped half-way, and cancelled at its end") {
        Plan plan = plan_of({{0, 100, 4, 1, 0, JobEnd::cancelled}, {40, 10, 4}}, {pool_of(1, 4)});
        THEN("its earlier work is lost in the buckets where it was done") {
            const Run run = run_by({40 * second, {}}, plan, {"srtf", HeadRule::skip, "count", ""});
            REQUIRE(run.outcome.num_preempted == 1);
            CHECK(gpu_seconds_by_bucket(run, Leaf::lost_cancelled) ==
                  std::vector<std::int64_t>{160, 120, 120});
            CHECK(gpu_seconds_by_bucket(run, Leaf::prod_useful) ==
                  std::vector<std::int64_t>{0, 40});
        }
    }
    GIVEN("30 s of work in three parts with saves of 5 s between, 1 USD, from 20 s on 4") {
        Plan plan = plan_of({{0, 30, 1}}, {pool_of(1, 1)});
        plan.classes[0].checkpoint = Checkpoint::every;
        plan.classes[0].interval = 10 * second;
        plan.classes[0].save = 5 * second;
        const auto saves_by_bucket = [&](std::int64_t later_usd) {
            plan.prices = {};
            plan.pools[0].price_series = static_cast<std::uint16_t>(
                plan.prices.add({{0, 20'000}, {nano_usd_per_usd, later_usd * nano_usd_per_usd}}));
            std::vector<Money> out;
            for (const BucketCell& part : run_by({20 * second, {}}, plan).by_time.cells)
                if (static_cast<Leaf>(part.cell % num_leaves) == Leaf::over_checkpoint)
                    out.push_back(part.cost);
            return out;
        };
        const Money gpu_second = MoneyRate{nano_usd_per_usd} * slot_time(slots_per_gpu, second);
        THEN("each half has a save, at a quarter of its cost") {
            CHECK(saves_by_bucket(4) == std::vector<Money>{5 * gpu_second, 20 * gpu_second});
        }
        THEN("at a constant price a save costs its time") {
            CHECK(saves_by_bucket(1) == std::vector<Money>{5 * gpu_second, 5 * gpu_second});
        }
    }
    GIVEN("long jobs that save often, at prices of which no share is whole") {
        for (std::int64_t work_s = 9'000; work_s < 9'040; ++work_s) {
            Plan plan = plan_of({{0, work_s, 1}}, {pool_of(1, 1)});
            plan.classes[0].checkpoint = Checkpoint::every;
            plan.classes[0].interval = 700 * millisecond;
            plan.classes[0].save = 300 * millisecond;
            plan.pools[0].price_series =
                static_cast<std::uint16_t>(plan.prices.add({{0, 3'000'000}, {1, 2}}));
            const Run run = run_by({Duration{3'001}, {}}, plan);
            Money sum;
            for (const BucketCell& part : run.by_time.cells) {
                CHECK(part.held >= SlotTime{});
                CHECK(part.cost >= Money{});
                sum += part.cost;
            }
            Money all;
            for (const Money& cell : run.outcome.money)
                all += cell;
            CHECK(sum == all);
        }
    }
}

} // namespace bursar::test::bucket_ledger_test
