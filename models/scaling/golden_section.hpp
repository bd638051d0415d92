#pragma once

#include <cmath>

namespace bursar { inline namespace models {

/// The x in [low, high] where `f`, which falls and then rises, is least; to about 1e-8 of the
/// interval, the limit of doubles near a minimum.
///
/// Source: Kiefer, "Sequential minimax search for a maximum", Proc. AMS 4(3), 1953.
template <class Function>
double golden_section(double low, double high, const Function& f) {
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    double left = high - ratio * (high - low);
    double right = low + ratio * (high - low);
    double at_left = f(left);
    double at_right = f(right);
    for (int step = 0; step < 40; ++step) { // 0.618^40 = 4e-9
        if (at_left <= at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - ratio * (high - low);
            at_left = f(left);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + ratio * (high - low);
            at_right = f(right);
        }
    }
    return (low + high) / 2;
}

}} // namespace bursar::models
