#pragma once

#include <cmath>

#include "models/errors/four_digits.hpp"
#include "models/errors/model_error.hpp"

namespace bursar::inline models {

/// Throws ModelError, naming `parameter`, unless `value` is finite and above zero: the check of
/// every size a user gives.
inline void require_positive(const char* parameter, double value) {
    if (std::isfinite(value) && value > 0)
        return;
    throw ModelError{parameter, four_digits(value) + " is not a finite number above zero", {}};
}

} // namespace bursar::inline models
