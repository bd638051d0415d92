#include "models/training/step/straggler.hpp"

#include <cmath>

namespace bursar { inline namespace models {

Seconds straggler_wait(Seconds step, double sigma, double ranks) {
    return step * straggler_share(sigma, ranks);
}

double straggler_share(double sigma, double ranks) {
    return sigma * std::sqrt(2 * std::log(ranks));
}

}} // namespace bursar::models
