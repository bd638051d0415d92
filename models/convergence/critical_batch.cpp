#include "models/convergence/critical_batch.hpp"

#include <cmath>

#include "models/errors/require.hpp"

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

RunToLoss run_to_loss(const LossSurface& surface, Parameters params, double target, Tokens batch) {
    const Tokens surface_tokens = tokens_to_reach(surface, params, target);
    const Tokens critical = critical_batch(target);
    const double surface_steps = surface_tokens / surface_batch;
    const BatchTradeoff goal{.min_steps = surface_steps / (1 + critical / surface_batch),
                             .critical_batch = critical.count()};
    return {.surface_tokens = surface_tokens,
            .critical_batch = critical,
            .steps = steps_with(goal, batch.count()),
            .tokens = Tokens{samples_with(goal, batch.count())}};
}

}} // namespace bursar::models
