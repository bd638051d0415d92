#include "models/convergence/critical_batch.hpp"

#include <cmath>

#include "models/errors/require_positive.hpp"

namespace bursar { inline namespace models {

double steps_with(const BatchTradeoff& goal, double batch) {
    require_positive("batch", batch);
    return goal.min_steps * (1 + goal.critical_batch / batch);
}

double samples_with(const BatchTradeoff& goal, double batch) {
    return steps_with(goal, batch) * batch;
}

Tokens critical_batch(double loss) {
    require_positive("loss", loss);
    return Tokens{2e8 / std::pow(loss, 1 / 0.21)};
}

}} // namespace bursar::models
