#include <doctest/doctest.h>

#include "models/training/step/gemm.hpp"

#include "tests/properties.hpp"

namespace bursar::gemm_test {

using doctest::Approx;

namespace {
constexpr MatrixUnit unit{FlopRate{100e12}, 128, ByteRate{1e12}, 2};
}

TEST_CASE("a large product runs at the unit's rate, a small one at half per half-size dimension") {
    constexpr MatrixUnit sharp{FlopRate{100e12}, 0, ByteRate{1e12}, 2};
    CHECK(gemm_time({4096, 4096, 4096}, sharp).count() ==
          Approx(2 * 4096e0 * 4096 * 4096 / 100e12));
    const double large = 1e6;
    const double ideal = 2 * 128 * large * large / 100e12;
    CHECK(gemm_time({128, large, large}, unit).count() == Approx(2 * ideal).epsilon(0.001));
}

TEST_CASE("a thin product moves its operands") {
    // 1 x 8192 x 8192 in 2 bytes: 134 MB at 1 TB/s against 1.3 us of arithmetic.
    const double bytes = 2 * (8192.0 + 8192.0 * 8192 + 8192);
    constexpr MatrixUnit sharp{FlopRate{100e12}, 0, ByteRate{1e12}, 2};
    CHECK(gemm_time({1, 8192, 8192}, sharp).count() == Approx(bytes / 1e12));
}

TEST_CASE("tiles and short rows slow a product where the multiprocessors are known") {
    constexpr MatrixUnit tiled{FlopRate{270e12}, 0, ByteRate{2e12}, 2, 108};
    constexpr MatrixUnit whole{FlopRate{270e12}, 0, ByteRate{2e12}, 2};
    CHECK(gemm_time({2048, 6912, 13824}, tiled) == gemm_time({2048, 6912, 13824}, whole));
    // 7200: 0.833 of the waves, and rows of 32 x 225 numbers.
    CHECK(gemm_time({2048, 7200, 14400}, tiled) / gemm_time({2048, 7200, 14400}, whole) ==
          Approx(1 / (0.8333 * 0.9)).epsilon(1e-3));
}

TEST_CASE("experts in one kernel take as long as one product of all their rows") {
    constexpr MatrixUnit tiled{FlopRate{270e12}, 0, ByteRate{2e12}, 2, 108};
    const Seconds grouped = gemm_time({256, 2048, 4096, 27}, tiled);
    CHECK(grouped == gemm_time({256 * 27, 2048, 4096}, tiled));
    CHECK(grouped < 27.0 * gemm_time({256, 2048, 4096}, tiled));
}

TEST_CASE("products") {
    CHECK(check_property("take longer when larger, and no longer on a better unit", [] {
        const double m = drawn::in_range(1, 20'000);
        const double n = drawn::in_range(1, 20'000);
        const double k = drawn::in_range(1, 20'000);
        const Seconds time = gemm_time({m, n, k}, unit);
        RC_ASSERT(time < gemm_time({m + 1, n, k}, unit));
        RC_ASSERT(time < gemm_time({m, n, k + 1}, unit));
        MatrixUnit better = unit;
        better.rate = unit.rate * 1.5;
        RC_ASSERT(gemm_time({m, n, k}, better) <= time);
        better.memory = unit.memory * 1.5;
        RC_ASSERT(gemm_time({m, n, k}, better) < time);
    }));
}

using doctest::Approx;

TEST_CASE("whole waves of whole tiles leave no multiprocessor idle") {
    // 16 x 27 tiles of 128 x 256 on 108 multiprocessors: four waves (13824 over 8 ranks, gated up).
    CHECK(tile_use(2048, 6912, 108) == Approx(1));
    // 8 rows of tiles of 256 make 8 x 54 of them: the same waves.
    CHECK(tile_use(2048, 6912, 108, 3) == Approx(1));
}

TEST_CASE("a wave that is not full waits for its last tile") {
    // 14400 over 8 ranks: 7200 is 28.1 tiles of 256 or 56.25 of 128, so 464 or 456 tiles: five
    // waves of 108 for the work of 4.17.
    const double used = 2048.0 * 7200 / (5 * 108 * 128 * 256);
    CHECK(tile_use(2048, 7200, 108) == Approx(used));
    CHECK(used == Approx(0.833).epsilon(0.001));
    // Four times the tokens: 17.2 waves become 18.
    CHECK(tile_use(8192, 7200, 108) > 0.92);
}

TEST_CASE("products in one kernel share their last wave") {
    // 64 tiles each: alone 0.59 of one wave, 27 of them exactly 16.
    CHECK(tile_use(1024, 2048, 108) < 0.6);
    CHECK(tile_use(1024, 2048, 108, 27) == Approx(1));
}

TEST_CASE("rows of 128 bytes") {
    CHECK(missing_halvings(1792) == 0);
    CHECK(missing_halvings(7200) == 1);  // 32 x 225
    CHECK(missing_halvings(216) == 3);   // 8 x 27
    CHECK(missing_halvings(180) == 4);   // 4 x 45
    CHECK(missing_halvings(31250) == 4); // 2 x 15625
}

TEST_CASE("use of tiles") {
    CHECK(check_property("is a share, and 1 in the limit of many tiles", [] {
        const double m = drawn::in_range(1, 20'000);
        const double n = drawn::in_range(1, 20'000);
        const double units = drawn::in_range(1, 200);
        const double used = tile_use(m, n, units);
        RC_ASSERT(used > 0);
        RC_ASSERT(used <= 1 + 1e-12);
        RC_ASSERT(tile_use(256 * m, 256 * n, units, 1000) > 0.99);
    }));
}

} // namespace bursar::gemm_test
