#include <doctest/doctest.h>

#include "models/market/commitment.hpp"

namespace bursar::commitment_test {
namespace {

constexpr Money usd(std::int64_t dollars) {
    return Money{int128{dollars} * nano_usd_per_usd * slot_ms_per_gpu_hour};
}

} // namespace

TEST_CASE("a promise of so much a period is owed by the share of the period that went by") {
    CHECK(committed(10 * nano_usd_per_usd, hour, 3 * hour) == usd(30));
    CHECK(committed(730 * nano_usd_per_usd, Duration{year.count() / 12}, hour) == usd(1));
    CHECK(committed(10 * nano_usd_per_usd, hour, {}) == Money{});
    CHECK(committed(1, 3 * hour, hour) == Money{});                             // 1/3
    CHECK(committed(2, 3 * hour, hour) == Money{int128{slot_ms_per_gpu_hour}}); // 2/3
    CHECK(committed(std::int64_t{1} << 60, hour, Duration{(std::int64_t{1} << 40) - 1}) > usd(0));
}

TEST_CASE("what is spent beyond a promise gives nothing back") {
    CHECK(shortfall(usd(30), usd(12)) == usd(18));
    CHECK(shortfall(usd(30), usd(30)) == Money{});
    CHECK(shortfall(usd(30), usd(31)) == Money{});
}

} // namespace bursar::commitment_test
