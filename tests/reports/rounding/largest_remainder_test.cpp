#include <numeric>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "reports/errors/report_error.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"

#include "tests/properties.hpp"

namespace bursar::largest_remainder_test {
namespace {

std::vector<int128> widened(const std::vector<std::uint64_t>& values) {
    return {values.begin(), values.end()};
}

int128 sum_of(const std::vector<int128>& values) {
    return std::accumulate(values.begin(), values.end(), int128{0});
}

} // namespace

TEST_CASE("three thirds of a hundred add up, with the spare unit in the first") {
    const std::vector<int128> parts{100, 100, 100};
    CHECK(largest_remainder(parts, 3, 100) == std::vector<int128>{34, 33, 33});
}

TEST_CASE("parts that do not add up to their total are refused") {
    const std::vector<int128> parts{14, 26};
    CHECK_THROWS_AS(static_cast<void>(largest_remainder(parts, 10, 6)), BadResult);
    CHECK_THROWS_AS(static_cast<void>(largest_remainder(parts, 10, 2)), BadResult);
    CHECK_THROWS_AS(static_cast<void>(largest_remainder({}, 10, 1)), BadResult);
}

TEST_CASE("the largest remainders are rounded up") {
    const std::vector<int128> parts{14, 26, 9, 0, 11}; // 1.4 2.6 0.9 0 1.1, in all 6.0
    CHECK(largest_remainder(parts, 10, 6) == std::vector<int128>{1, 3, 1, 0, 1});
}

TEST_CASE("parts add up, are off by less than one unit, and zero stays zero") {
    CHECK(rc::check("largest_remainder", [](const std::vector<std::uint64_t>& raw) {
        const std::vector<int128> parts = widened(raw);
        const int128 divisor = drawn::in_range<std::int64_t>(1, 1'000'000'000'000);
        const int128 total = divide_half_up(sum_of(parts), divisor);
        const std::vector<int128> printed = largest_remainder(parts, divisor, total);
        RC_ASSERT(sum_of(printed) == total);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const int128 off = printed[i] * divisor - parts[i];
            RC_ASSERT((off < divisor && -off < divisor));
            RC_ASSERT((parts[i] != 0 || printed[i] == 0));
        }
    }));
}

TEST_CASE("columns are settled from the first that has too much to the first that lacks") {
    using Rows = std::vector<std::vector<int128>>;
    const auto settled = [](Rows rows, const std::vector<int128>& columns) {
        settle_columns(rows, columns);
        return rows;
    };
    const Rows rows{{3, 0, 2}, {1, 4, 0}};
    CHECK(settled(rows, {4, 4, 2}) == rows);
    CHECK(settled(rows, {5, 3, 2}) == Rows{{3, 0, 2}, {2, 3, 0}});
    CHECK(settled(rows, {4, 3, 3}) == Rows{{3, 0, 2}, {1, 3, 1}});
    CHECK(settled(rows, {0, 3, 7}) == Rows{{0, 0, 5}, {0, 3, 2}}); // the largest entries first
    CHECK(settled(rows, {4, 4, 3}) == rows);                       // nothing is left for the last
    CHECK_THROWS_AS(static_cast<void>(settled({{0, 0}}, {1, -1})), BadResult);
}

TEST_CASE("sharing distributes everything, in proportion") {
    const std::vector<int128> weights{1, 1, 2, 0};
    CHECK(share(10, weights) == std::vector<int128>{3, 2, 5, 0});
    const std::vector<int128> none{0, 0};
    CHECK(share(10, none) == none);
    CHECK(rc::check("share", [](const std::vector<std::uint64_t>& raw, std::uint64_t amount) {
        std::vector<int128> large = widened(raw);
        for (int128& weight : large)
            weight <<= drawn::in_range(0, 40);
        RC_PRE(sum_of(large) > 0);
        const int128 total = int128{amount} << 40;
        const std::vector<int128> parts = share(total, large);
        RC_ASSERT(sum_of(parts) == total);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            RC_ASSERT(parts[i] >= 0);
            RC_ASSERT((large[i] != 0 || parts[i] == 0));
        }
    }));
}

} // namespace bursar::largest_remainder_test
