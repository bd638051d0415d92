#include <type_traits>

#include <doctest/doctest.h>

#include "models/units/units.hpp"

namespace bursar::units_test {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) { a + b; };
template <class A, class B>
concept Multipliable = requires(A a, B b) { a* b; };

// A unit adds to itself. Two units, or a unit and a bare number, must not compile.
static_assert(Addable<Duration, Duration>);
static_assert(!Addable<Duration, MoneyRate>);
static_assert(!Addable<Money, MoneyRate>);
static_assert(!Addable<Duration, std::int64_t>);
static_assert(!Addable<SlotTime, Duration>);
static_assert(!Multipliable<Duration, Duration>);
static_assert(!Multipliable<MoneyRate, Duration>, "a rate prices slot time, not wall time");
static_assert(Multipliable<MoneyRate, SlotTime>);
static_assert(!std::is_convertible_v<std::int64_t, Duration>);
static_assert(!std::is_convertible_v<Duration, std::int64_t>);
static_assert(std::is_trivially_copyable_v<Money>);
static_assert(sizeof(Money) == 16 && sizeof(Duration) == 8);

static_assert(3 * hour + 30 * minute == Duration{12'600'000});
static_assert((2 * day) / hour == 48);
static_assert(year / day == 365);
static_assert(second < minute && minute > second && second <= second && second >= second);
static_assert(second == 1'000 * millisecond && second != minute);
static_assert(MoneyRate{2} * slot_time(1000, hour) == Money{int128{2} * slot_ms_per_gpu_hour});

} // namespace

TEST_CASE("one GPU for one hour at 2.10 USD costs 2.10 USD") {
    const MoneyRate rate{2'100'000'000};
    const Money cost = rate * slot_time(slots_per_gpu, hour);
    CHECK(cost.count() % slot_ms_per_gpu_hour == 0);
    CHECK(static_cast<std::int64_t>(cost.count() / slot_ms_per_gpu_hour) == rate.count());
}

TEST_CASE("a large fleet-year stays inside 128 bits") {
    const SlotTime fleet_year = slot_time(100'000 * slots_per_gpu, year);
    const Money cost = MoneyRate{100'000'000'000} * fleet_year; // 100 USD per GPU-hour
    CHECK(cost.count() / fleet_year.count() == 100'000'000'000);
}

} // namespace bursar::units_test
