#include <doctest/doctest.h>

#include "models/market/price_integral.hpp"
#include "models/market/price_statistics.hpp"

#include "tests/properties.hpp"

namespace bursar::price_statistics_test {
namespace {

/// 1 USD for 10 h, 3 USD for 2 h, 1 USD for 4 h, 2 USD for 8 h.
PriceSeries four_steps() {
    return {{0, 10 * hour.count(), 12 * hour.count(), 16 * hour.count()},
            {1'000'000'000, 3'000'000'000, 1'000'000'000, 2'000'000'000}};
}

} // namespace

TEST_CASE("statistics of a day with four prices, by hand") {
    const PriceStatistics found = price_statistics(four_steps(), day);
    CHECK(found.length == day);
    CHECK(found.mean == MoneyRate{1'500'000'000}); // (10 + 6 + 4 + 16) / 24
    CHECK(found.min == MoneyRate{1'000'000'000});
    CHECK(found.max == MoneyRate{3'000'000'000});
    CHECK(found.num_changes == 3);
    CHECK(found.changes_per_day == doctest::Approx(3));
    CHECK_MESSAGE(price_statistics(four_steps(), 12 * hour).max == MoneyRate{3'000'000'000},
                  "steps past the end are not looked at");
    CHECK(price_statistics(four_steps(), 10 * hour).num_changes == 0);
}

TEST_CASE("stretches at or below a bid") {
    const auto hours = [](MoneyRate bid) {
        std::vector<std::int64_t> all;
        for (const Duration stretch : up_times(four_steps(), day, bid))
            all.push_back(stretch / hour);
        return all;
    };
    CHECK(hours(MoneyRate{999'999'999}).empty());
    CHECK(hours(MoneyRate{1'000'000'000}) == std::vector<std::int64_t>{10, 4});
    CHECK(hours(MoneyRate{2'000'000'000}) == std::vector<std::int64_t>{10, 12});
    CHECK(hours(MoneyRate{3'000'000'000}) == std::vector<std::int64_t>{24});
}

TEST_CASE("how long stretches are, at the nearest rank") {
    std::vector<Duration> ten;
    for (int i = 10; i >= 1; --i)
        ten.push_back(i * hour);
    const UpTimes found = summary_of(ten);
    CHECK(found.count == 10);
    CHECK(found.total == 55 * hour);
    CHECK(found.mean == 55 * hour.count() / 10 * millisecond);
    CHECK(found.p50 == 5 * hour);
    CHECK(found.p90 == 9 * hour);
    CHECK(found.max == 10 * hour);
    CHECK(summary_of({hour}).p90 == hour);
    CHECK(summary_of({}).count == 0);
}

TEST_CASE("the mean price is the integral over the length") {
    CHECK(check_property([] {
        PriceSeries series{{0}, {drawn::in_range<std::int64_t>(0, 1'000'000'000'000)}};
        for (int i = drawn::in_range(0, 20); i > 0; --i) {
            series.start_ms.push_back(series.start_ms.back() +
                                      drawn::in_range<std::int64_t>(1, day.count()));
            series.rate.push_back(drawn::in_range<std::int64_t>(0, 1'000'000'000'000));
        }
        const Duration end{drawn::in_range<std::int64_t>(1, 20 * day.count())};
        PriceIntegrals all;
        const int128 whole = all.of(all.add(series)).between(Duration{0}, end).count();
        const PriceStatistics found = price_statistics(series, end);
        const int128 off = int128{found.mean.count()} * end.count() - whole;
        RC_ASSERT(2 * off <= end.count());
        RC_ASSERT(2 * off > -end.count());
        RC_ASSERT(summary_of(up_times(series, end, found.max)).total == end);
    }));
}

} // namespace bursar::price_statistics_test
