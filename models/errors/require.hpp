#pragma once

#include <cmath>

#include "models/errors/model_error.hpp"
#include "models/errors/number_text.hpp"

namespace bursar { inline namespace models {

/// Throws ModelError, naming `parameter`, unless `value` is finite. Options and keys allow finite
/// numbers only, so an infinite value is computed from others; the message therefore does not show
/// it.
inline void require_finite(const char* parameter, double value) {
    if (!std::isfinite(value))
        throw ModelError{parameter,
                         "comes out beyond any number",
                         "a size that was given is far outside the range of real ones"};
}

/// The same, also unless it is above zero, for values computed from a user's sizes.
inline void require_outcome(const char* parameter, double value) {
    require_finite(parameter, value);
    if (!(value > 0))
        throw ModelError{parameter,
                         "comes out as nothing",
                         "a size that was given is far outside the range of real ones"};
}

/// Throws ModelError, naming `parameter`, unless `value` is finite and above zero, for a user's
/// sizes.
inline void require_positive(const char* parameter, double value) {
    require_finite(parameter, value);
    if (!(value > 0))
        throw ModelError{parameter, four_digits(value) + " is not a finite number above zero", {}};
}

/// Throws ModelError, naming `parameter`, unless `value` is finite and zero or above.
inline void require_not_negative(const char* parameter, double value) {
    require_finite(parameter, value);
    if (!(value >= 0))
        throw ModelError{
            parameter, four_digits(value) + " is not a finite number of zero or above", {}};
}

/// Throws ModelError, naming `parameter`, unless `value` is a share: 0 to 1, both allowed.
inline void require_share(const char* parameter, double value) {
    require_finite(parameter, value);
    if (value >= 0 && value <= 1)
        return;
    throw ModelError{parameter, four_digits(value) + " is not a share between 0 and 1", {}};
}

}} // namespace bursar::models
