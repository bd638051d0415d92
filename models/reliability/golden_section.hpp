#pragma once

#include <cmath>

namespace bursar {

/// The x in [low, high] at which `value` is largest, to a relative 1e-10 of the bracket; a largest
/// value at an end is found, too. value: unimodal in the bracket. low <= high.
///
/// Source: Kiefer, "Sequential minimax search for a maximum", Proc. AMS 4, 1953.
template <class Value>
double golden_section_maximum(const Value& value, double low, double high) {
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    double left = high - ratio * (high - low);
    double right = low + ratio * (high - low);
    double at_left = value(left);
    double at_right = value(right);
    const double enough = 1e-10 * (high - low);
    while (high - low > enough) {
        if (at_left < at_right) {
            low = left;
            left = right;
            at_left = at_right;
            right = low + ratio * (high - low);
            at_right = value(right);
        } else {
            high = right;
            right = left;
            at_right = at_left;
            left = high - ratio * (high - low);
            at_left = value(left);
        }
    }
    const double inside = (low + high) / 2;
    if (value(low) >= value(inside))
        return low;
    return value(high) > value(inside) ? high : inside;
}

} // namespace bursar
