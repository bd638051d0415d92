#include <doctest/doctest.h>

#include "models/training/step/attention_core.hpp"

namespace bursar::attention_core_test {
using doctest::Approx;

namespace {

constexpr MatrixUnit unit{FlopRate{270e12}, 0, ByteRate{1.7e12}, 2};
constexpr AttentionConstants constants{0.5, 4, 0.7};
constexpr AttentionShape shape{2, 4096, 4096, 16, 128, true};
constexpr double scores = 2.0 * 16 * 4096 * 4096;

Seconds core(Attention attention, bool hopper = false) {
    return attention_core_time(shape, attention, unit, constants, hopper);
}

} // namespace

TEST_CASE("unfused attention computes the full square and moves its scores") {
    const double math = 4 * scores * 128 / (270e12 * 0.5);
    const double traffic = 4 * scores * 2 / 1.7e12;
    CHECK(core(Attention::unfused).count() == Approx(math + traffic));
}

TEST_CASE("head sizes other than multiples of 64 slow unfused products, not fused ones") {
    MatrixUnit known = unit;
    known.units = 108;
    const auto slower = [&](double head_dim, Attention attention) {
        AttentionShape narrow = shape;
        narrow.head_dim = head_dim;
        constexpr AttentionConstants products{0.5, 0, 0.7};
        return attention_core_time(narrow, attention, known, products, false) /
               attention_core_time(narrow, attention, unit, products, false);
    };
    CHECK(slower(128, Attention::unfused) == Approx(1));
    CHECK(slower(224, Attention::unfused) == Approx(1 / 0.7));
    CHECK(slower(180, Attention::unfused) == Approx(1 / (0.7 * 0.7 * 0.7 * 0.7)));
    CHECK(slower(180, Attention::flash2) == Approx(1));
}

TEST_CASE("a fused kernel computes half of a causal square and moves none") {
    CHECK(core(Attention::flash2).count() == Approx(2 * scores * 128 / (270e12 * 0.7)));
    AttentionShape both_ways = shape;
    both_ways.causal = false;
    const Seconds full = attention_core_time(both_ways, Attention::flash2, unit, constants, false);
    CHECK(full.count() == Approx(2 * core(Attention::flash2).count()));
}

TEST_CASE("generations of the fused kernel: each faster than the one before, on its GPU") {
    CHECK(core(Attention::flash1) < core(Attention::unfused));
    CHECK(core(Attention::flash2) < core(Attention::flash1));
    CHECK(core(Attention::flash3, true) < core(Attention::flash2, true));
    CHECK(core(Attention::flash3) == core(Attention::flash2)); // it is written for Hopper
}

TEST_CASE("generation 2 gains nothing from matrix units newer than Hopper's") {
    const auto on = [](double rate, Attention attention) {
        MatrixUnit newer = unit;
        newer.rate = FlopRate{rate};
        return attention_core_time(shape, attention, newer, constants, true);
    };
    constexpr double hopper = 0.8 * 989e12;
    constexpr double blackwell = 0.78 * 2250e12;
    CHECK(on(blackwell, Attention::flash2) / on(hopper, Attention::flash2) == Approx(1));
    CHECK(on(blackwell, Attention::flash3) < 0.5 * on(hopper, Attention::flash3));
}

TEST_CASE("a fused backward pass computes the scores again") {
    CHECK(attention_backward_factor(Attention::unfused) == 2);
    CHECK(attention_backward_factor(Attention::flash2) == 2.5);
}

} // namespace bursar::attention_core_test
