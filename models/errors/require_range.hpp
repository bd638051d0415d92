#pragma once

#include "models/errors/four_digits.hpp"
#include "models/errors/model_error.hpp"
#include "models/errors/require_positive.hpp"

namespace bursar { inline namespace models {

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
