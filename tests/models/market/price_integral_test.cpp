#include <algorithm>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "models/market/price_integral.hpp"

#include "tests/properties.hpp"

namespace bursar::price_integral_test {
namespace {

/// An independent computation: step by step.
int128 step_by_step(const PriceSeries& series, std::int64_t begin_ms, std::int64_t end_ms) {
    int128 sum = 0;
    for (std::size_t i = 0; i < series.size(); ++i) {
        const std::int64_t from = i == 0 ? begin_ms : std::max(series.start_ms[i], begin_ms);
        const std::int64_t to =
            i + 1 < series.size() ? std::min(series.start_ms[i + 1], end_ms) : end_ms;
        if (from < to)
            sum += int128{series.rate[i]} * (to - from);
    }
    return sum;
}

std::int64_t rate_by_search(const PriceSeries& series, std::int64_t at_ms) {
    std::int64_t rate = series.rate.front();
    for (std::size_t i = 0; i < series.size() && series.start_ms[i] <= at_ms; ++i)
        rate = series.rate[i];
    return rate;
}

/// Any number of steps, dense in places and years apart elsewhere.
PriceSeries any_series() {
    const std::int64_t zero = drawn::in_range<std::int64_t>(-(1LL << 41), 1LL << 41);
    const auto gaps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 38));
    PriceSeries series{{zero}, {drawn::in_range<std::int64_t>(0, max_series_rate.count() + 1)}};
    for (const int log : gaps) {
        const std::int64_t gap = drawn::in_range<std::int64_t>(1, (1LL << log) + 1);
        if (series.start_ms.back() + gap > max_series_time.count())
            break;
        series.start_ms.push_back(series.start_ms.back() + gap);
        series.rate.push_back(drawn::in_range<std::int64_t>(0, max_series_rate.count() + 1));
    }
    return series;
}

/// Before, inside and after the series; often at a step or beside one.
std::int64_t any_instant(const PriceSeries& series) {
    const std::int64_t near = drawn::element_of(series.start_ms);
    const std::int64_t far = drawn::in_range<std::int64_t>(-(1LL << 42), 1LL << 42);
    return drawn::one_of(near - 1, near, near + 1, far);
}

} // namespace

TEST_CASE("two days at two prices, by hand") {
    // 2 USD from 0 h, 5 USD from 10 h, 1 USD from 12 h on.
    const PriceSeries series{{0, 10 * hour.count(), 12 * hour.count()},
                             {2'000'000'000, 5'000'000'000, 1'000'000'000}};
    PriceIntegrals all;
    const PriceIntegral price = all.of(all.add(series));
    const auto usd = [](Money per_slot) {
        return static_cast<std::int64_t>(per_slot.count() / (hour.count() * nano_usd_per_usd));
    };
    CHECK(usd(price.between(0 * hour, 10 * hour)) == 20);
    CHECK(usd(price.between(9 * hour, 13 * hour)) == 2 + 10 + 1);
    CHECK(usd(price.between(12 * hour, 36 * hour)) == 24);
    CHECK_MESSAGE(usd(price.between(-5 * hour, 1 * hour)) == 12,
                  "before the first step its price holds");
    CHECK(usd(price.between(13 * hour, 9 * hour)) == -13);
    CHECK(price.between(7 * hour, 7 * hour) == Money{0});
    CHECK(price.rate_at(10 * hour) == MoneyRate{5'000'000'000});
    CHECK(price.rate_at(10 * hour - millisecond) == MoneyRate{2'000'000'000});
    CHECK(price.next_step(0 * hour, year) == 10 * hour);
    CHECK(price.next_step(-1 * hour, year) == 0 * hour);
    CHECK(price.next_step(12 * hour, year) == year);
}

TEST_CASE("one slot's money times the slots is the ledger's money") {
    PriceIntegrals all;
    const PriceIntegral price = all.of(all.add({{0}, {3'060'000'000}}));
    CHECK(price.between(1 * hour, 3 * hour) * int128{8 * slots_per_gpu} ==
          MoneyRate{3'060'000'000} * slot_time(8 * slots_per_gpu, 2 * hour));
}

TEST_CASE("a price integral") {
    CHECK(check_property("is the sum step by step, at any instants", [] {
        const PriceSeries series = any_series();
        RC_ASSERT(series.is_valid());
        PriceIntegrals all;
        const PriceIntegral price = all.of(all.add(series));
        for (int i = 0; i < 20; ++i) {
            const std::int64_t a = any_instant(series);
            const std::int64_t b = any_instant(series);
            const int128 sum = step_by_step(series, std::min(a, b), std::max(a, b));
            RC_ASSERT(price.between(Duration{std::min(a, b)}, Duration{std::max(a, b)}).count() ==
                      sum);
            RC_ASSERT(price.rate_at(Duration{a}).count() == rate_by_search(series, a));
        }
    }));
    CHECK(check_property("adds up over any division of the time", [] {
        const PriceSeries series = any_series();
        PriceIntegrals all;
        const PriceIntegral price = all.of(all.add(series));
        const Duration a{any_instant(series)};
        const Duration b{any_instant(series)};
        const Duration c{any_instant(series)};
        RC_ASSERT(price.between(a, b) + price.between(b, c) == price.between(a, c));
    }));
    CHECK(check_property("of one series is the same beside others", [] {
        const PriceSeries first = any_series();
        const PriceSeries second = any_series();
        PriceIntegrals alone;
        PriceIntegrals both;
        const std::uint32_t in_alone = alone.add(second);
        both.add(first);
        const std::uint32_t in_both = both.add(second);
        const Duration a{any_instant(second)};
        const Duration b{any_instant(second)};
        RC_ASSERT(alone.of(in_alone).between(a, b) == both.of(in_both).between(a, b));
        RC_ASSERT(alone.of(in_alone).next_step(a, year) == both.of(in_both).next_step(a, year));
    }));
}

TEST_CASE("the series at a place is the one that was added there") {
    const PriceSeries first{{-5, 10}, {3, 4}};
    const PriceSeries second{{0}, {7}};
    PriceIntegrals integrals;
    const std::uint32_t at_first = integrals.add(first);
    const std::uint32_t at_second = integrals.add(second);
    CHECK(integrals.series_at(at_first) == first);
    CHECK(integrals.series_at(at_second) == second);
}

TEST_CASE("the index is no longer than two buckets a step") {
    CHECK(check_property([] {
        const PriceSeries series = any_series();
        PriceIntegrals all;
        all.add(series);
        RC_ASSERT(all.buckets.size() < 2 * series.size());
        RC_ASSERT(all.steps.size() == series.size());
    }));
}

TEST_CASE("a series is valid only in order and in range") {
    CHECK(PriceSeries{{0}, {0}}.is_valid());
    CHECK(PriceSeries{{-5, 3}, {1, 1}}.is_valid());
    CHECK_FALSE(PriceSeries{}.is_valid());
    CHECK_FALSE(PriceSeries{{0, 0}, {1, 2}}.is_valid());
    CHECK_FALSE(PriceSeries{{1, 0}, {1, 2}}.is_valid());
    CHECK_FALSE(PriceSeries{{0}, {-1}}.is_valid());
    CHECK_FALSE(PriceSeries{{0, 1}, {1}}.is_valid());
    CHECK_FALSE(PriceSeries{{0}, {max_series_rate.count() + 1}}.is_valid());
    CHECK_FALSE(PriceSeries{{max_series_time.count() + 1}, {1}}.is_valid());
}

TEST_CASE("a dated series counted from a scenario's zero") {
    CHECK(since(Duration{1000}, {{500, 1500}, {7, 8}}) == PriceSeries{{-500, 500}, {7, 8}});
}

} // namespace bursar::price_integral_test
