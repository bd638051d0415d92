#include "models/training/step/straggler.hpp"

#include <cmath>

namespace bursar::inline models {

Seconds straggler_wait(Seconds step, double sigma, double ranks) {
    return step * (sigma * std::sqrt(2 * std::log(ranks)));
}

} // namespace bursar::inline models
