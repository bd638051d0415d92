#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "models/errors/model_error.hpp"

/// Checks of what users hand to a model, each in the same words. `parameter` is the input's name as
/// users know it.
namespace bursar {

/// Throws ModelError unless `value` is a finite number above zero.
inline void require_positive(double value, std::string_view parameter) {
    if (!(value > 0) || !std::isfinite(value))
        throw ModelError{std::string{parameter}, "must be a finite number above zero", ""};
}

/// Throws ModelError unless `value` is a finite number, zero or above.
inline void require_not_negative(double value, std::string_view parameter) {
    if (!(value >= 0) || !std::isfinite(value))
        throw ModelError{std::string{parameter}, "must be a finite number, zero or above", ""};
}

/// Throws ModelError unless `value` is a share: 0 to 1, both allowed.
inline void require_share(double value, std::string_view parameter) {
    if (!(value >= 0 && value <= 1))
        throw ModelError{std::string{parameter}, "must be a share between 0 and 1", ""};
}

} // namespace bursar
