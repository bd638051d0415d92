#pragma once

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// Time and cost of a training run without failures and checkpoints.
struct RunCost {
    Seconds duration;
    double usd{};
};

/// steps, gpus: > 0. price: of a GPU-hour.
[[nodiscard]] BURSAR_HD inline RunCost
run_cost(Seconds step, double steps, std::int64_t gpus, MoneyRate price) {
    const Seconds duration = step * steps;
    const double gpu_hours = duration.count() / seconds_per_hour * real(gpus);
    return {duration,
            gpu_hours * static_cast<double>(price.count()) / static_cast<double>(nano_usd_per_usd)};
}

}} // namespace bursar::models
