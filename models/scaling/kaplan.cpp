#include "models/scaling/kaplan.hpp"

#include <cmath>

#include "models/errors/require.hpp"

namespace bursar { inline namespace models {

double kaplan_loss(Parameters non_embedding) {
    require_positive("params", non_embedding.count());
    return std::pow(8.8e13 / non_embedding.count(), 0.076);
}

double kaplan_loss(Tokens tokens) {
    require_positive("tokens", tokens.count());
    return std::pow(5.4e13 / tokens.count(), 0.095);
}

double kaplan_params_growth(double factor) {
    require_positive("factor", factor);
    return std::pow(factor, 0.73);
}

}} // namespace bursar::models
