#include "models/convergence/learning_rate.hpp"

#include <cmath>

#include "models/errors/require_positive.hpp"

namespace bursar {

double scaled_learning_rate(double rate, double base_batch, double batch, LearningRateRule rule) {
    require_positive("learning_rate", rate);
    require_positive("base_batch", base_batch);
    require_positive("batch", batch);
    const double growth = batch / base_batch;
    return rate * (rule == LearningRateRule::linear ? growth : std::sqrt(growth));
}

} // namespace bursar
