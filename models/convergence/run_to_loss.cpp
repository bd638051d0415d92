#include "models/convergence/run_to_loss.hpp"

namespace bursar { inline namespace models {

RunToLoss run_to_loss(const LossSurface& surface, Parameters params, double target, Tokens batch) {
    const Tokens min_tokens = tokens_to_reach(surface, params, target);
    const Tokens critical = critical_batch(target);
    const BatchTradeoff goal{.min_steps = min_tokens.count() / critical.count(),
                             .critical_batch = critical.count()};
    return {.min_tokens = min_tokens,
            .critical_batch = critical,
            .steps = steps_with(goal, batch.count()),
            .tokens = Tokens{samples_with(goal, batch.count())}};
}

}} // namespace bursar::models
