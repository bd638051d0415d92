#include <limits>

#include <doctest/doctest.h>

#include "models/market/billing.hpp"

#include "tests/properties.hpp"

namespace bursar::billing_test {

namespace {

static_assert(billed(Duration{0}, hour) == Duration{0});
static_assert(billed(millisecond, hour) == hour);
static_assert(billed(hour, hour) == hour);
static_assert(billed(hour + millisecond, hour) == 2 * hour);
static_assert(billed(90 * minute, minute) == 90 * minute);
static_assert(billed(Duration{1'234'567}, millisecond) == Duration{1'234'567});
static_assert(billed(400 * day, year) == 2 * year,
              "a reserved year is paid whole, as often as "
              "the run needs it");
static_assert(billed(max_billable, max_billable - millisecond) == 2 * (max_billable - millisecond));

static_assert(per_gpu(24'480'000'000, 8) == 3'060'000'000);
static_assert(per_gpu(7, 2) == 4, "half up");
static_assert(per_gpu(10, 3) == 3);
static_assert(per_gpu(11, 3) == 4);
static_assert(per_gpu(std::numeric_limits<std::int64_t>::max(), 1) ==
              std::numeric_limits<std::int64_t>::max());

} // namespace

TEST_CASE("billed time") {
    CHECK(check_property("is the least multiple of the step that covers the use", [] {
        const Duration step{drawn::in_range<std::int64_t>(1, max_billable.count())};
        const Duration used{drawn::in_range<std::int64_t>(0, max_billable.count())};
        const Duration paid = billed(used, step);
        RC_ASSERT(paid.count() % step.count() == 0);
        RC_ASSERT(paid >= used);
        RC_ASSERT(paid - used < step);
    }));
    CHECK(check_property("billing billed time again changes nothing", [] {
        const Duration step{drawn::in_range<std::int64_t>(1, year.count())};
        const Duration used{drawn::in_range<std::int64_t>(0, 10 * year.count())};
        RC_ASSERT(billed(billed(used, step), step) == billed(used, step));
    }));
}

TEST_CASE("a node's price split over its GPUs is within half a nano-dollar each") {
    CHECK(check_property([] {
        const std::int64_t gpus = drawn::in_range<std::int64_t>(1, 1024);
        const std::int64_t node = drawn::in_range<std::int64_t>(0, std::int64_t{1} << 52);
        const std::int64_t off = per_gpu(node, gpus) * gpus - node;
        RC_ASSERT(2 * off <= gpus);
        RC_ASSERT(2 * off > -gpus);
    }));
}

namespace {

constexpr Money usd(std::int64_t dollars) {
    return Money{int128{dollars} * nano_usd_per_usd * slot_ms_per_gpu_hour};
}

} // namespace

TEST_CASE("a commitment per period is owed pro rata") {
    CHECK(committed(10 * nano_usd_per_usd, hour, 3 * hour) == usd(30));
    CHECK(committed(730 * nano_usd_per_usd, Duration{year.count() / 12}, hour) == usd(1));
    CHECK(committed(10 * nano_usd_per_usd, hour, {}) == Money{});
    CHECK(committed(1, 3 * hour, hour) == Money{});                             // 1/3
    CHECK(committed(2, 3 * hour, hour) == Money{int128{slot_ms_per_gpu_hour}}); // 2/3
    CHECK(committed(std::int64_t{1} << 60, hour, Duration{(std::int64_t{1} << 40) - 1}) > usd(0));
}

TEST_CASE("spending beyond a commitment is not credited") {
    CHECK(shortfall(usd(30), usd(12)) == usd(18));
    CHECK(shortfall(usd(30), usd(30)) == Money{});
    CHECK(shortfall(usd(30), usd(31)) == Money{});
}

} // namespace bursar::billing_test
