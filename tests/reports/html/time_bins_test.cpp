#include <doctest/doctest.h>

#include "reports/html/time_bins.hpp"

#include "tests/reports/support/sample_result.hpp"

namespace bursar::time_bins_test {

TEST_CASE("bins of the sample run equal figures by hand") {
    const TimeBins time = time_bins(test::sample_result(), 4);
    REQUIRE(time.width == hour);
    REQUIRE(time.bins.size() == 4);
    const TimeBin& first = time.bins[0];
    // train holds 4 of the 8 owned GPUs for the hour, crash 4 of them for 50 minutes.
    CHECK(first.pools[0].allocated == doctest::Approx(4 + 4 * 50.0 / 60));
    CHECK(first.pools[1].allocated == doctest::Approx(1.5 / 60)); // quit, on a T4
    CHECK(first.queue_jobs == doctest::Approx(0.5));              // hostile, from 0:30 on
    CHECK(first.most_jobs == 1);
    CHECK(first.oldest == 30 * minute);
    CHECK(first.burn_usd_per_hour == doctest::Approx(8 * 0.95 + 2 * 0.35));
    CHECK(time.bins[1].oldest == 90 * minute); // it starts at 2:00, when the bin ends
    CHECK(time.bins[2].oldest == Duration{});
    CHECK(time.bins[3].oldest == 30 * minute);            // late never starts
    CHECK(time.bins[3].queue_gpus == doctest::Approx(4)); // 8 GPUs for half of the hour
}

TEST_CASE("bins are round spans of time, at most as many as requested") {
    Result result = test::sample_result();
    CHECK(time_bins(result, 3).width == 2 * hour);
    CHECK(time_bins(result, 1000).width == minute);
    result.end = 10'000 * day;
    CHECK(time_bins(result, 100).bins.size() <= 100);
    result.timeline = {};
    CHECK(time_bins(result, 3).bins.empty());
}

} // namespace bursar::time_bins_test
