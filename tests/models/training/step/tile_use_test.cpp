#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "models/training/step/tile_use.hpp"

namespace bursar::tile_use_test {
using doctest::Approx;

TEST_CASE("whole waves of whole tiles leave nobody idle") {
    // 16 x 27 tiles of 128 x 256 on 108 multiprocessors: four waves (13824 over 8 ranks, gated up).
    CHECK(tile_use(2048, 6912, 108) == Approx(1));
    // 8 rows of tiles of 256 make 8 x 54 of them: the same waves.
    CHECK(tile_use(2048, 6912, 108, 3) == Approx(1));
}

TEST_CASE("a wave that is not full waits for its last tile") {
    // 14400 over 8 ranks: 7200 is 28.1 tiles of 256 or 56.25 of 128, so 464 or 456 tiles: five
    // waves of 108 for what 4.17 hold.
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
    CHECK(rc::check("is a share, and 1 in the limit of many tiles", [] {
        const double m = *rc::gen::inRange(1, 20'000);
        const double n = *rc::gen::inRange(1, 20'000);
        const double units = *rc::gen::inRange(1, 200);
        const double used = tile_use(m, n, units);
        RC_ASSERT(used > 0);
        RC_ASSERT(used <= 1 + 1e-12);
        RC_ASSERT(tile_use(256 * m, 256 * n, units, 1000) > 0.99);
    }));
}

} // namespace bursar::tile_use_test
