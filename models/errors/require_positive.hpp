#pragma once

#include <cmath>

#include "models/errors/four_digits.hpp"
#include "models/errors/model_error.hpp"

namespace bursar { inline namespace models {

/// Throws ModelError, naming `parameter`, for what is not finite. Options and keys let no such
/// value in, so that it comes of others: nobody wrote the "inf" that a message would show.
inline void require_finite(const char* parameter, double value) {
    if (!std::isfinite(value))
        throw ModelError{parameter,
                         "comes out beyond any number",
                         "a size that was given is far outside the range of real ones"};
}

/// The same, and unless it is above zero: of what is worked out from the sizes a user gives.
inline void require_outcome(const char* parameter, double value) {
    require_finite(parameter, value);
    if (!(value > 0))
        throw ModelError{parameter,
                         "comes out as nothing",
                         "a size that was given is far outside the range of real ones"};
}

/// Throws ModelError, naming `parameter`, unless `value` is finite and above zero: the check of
/// every size a user gives.
inline void require_positive(const char* parameter, double value) {
    require_finite(parameter, value);
    if (!(value > 0))
        throw ModelError{parameter, four_digits(value) + " is not a finite number above zero", {}};
}

}} // namespace bursar::models
