#include "models/scaling/sparse_params.hpp"

#include <cmath>

#include "models/errors/model_error.hpp"
#include "models/errors/require.hpp"

namespace bursar { inline namespace models {

Parameters sparse_effective_params(Parameters active, Parameters total, double total_weight) {
    require_positive("params", active.count());
    require_positive("total_params", total.count());
    if (total < active)
        throw ModelError{"total_params",
                         four_digits(total.count()) + " is below the active " +
                             four_digits(active.count()),
                         {}};
    if (!(total_weight >= 0 && total_weight <= 1))
        throw ModelError{"total_weight", four_digits(total_weight) + " is outside 0..1", {}};
    return Parameters{std::pow(active.count(), 1 - total_weight) *
                      std::pow(total.count(), total_weight)};
}

}} // namespace bursar::models
