#include "models/scaling/data_constrained.hpp"

#include <cmath>

#include "models/errors/require.hpp"
#include "models/scaling/compute_optimal.hpp"
#include "models/scaling/golden_section.hpp"

namespace bursar { inline namespace models {
namespace {

double diminished(double given, double unique, double decay) {
    const double repeats = given / unique - 1;
    if (repeats <= 0)
        return given;
    return unique * (1 - decay * std::expm1(-repeats / decay));
}

} // namespace

Tokens effective_tokens(Tokens tokens, Tokens unique) {
    require_positive("tokens", tokens.count());
    require_positive("unique_tokens", unique.count());
    return Tokens{diminished(tokens.count(), unique.count(), data_repeat_decay)};
}

Parameters effective_params(Parameters params, Parameters fed) {
    require_positive("params", params.count());
    require_positive("fed", fed.count());
    return Parameters{diminished(params.count(), fed.count(), excess_params_decay)};
}

Allocation effective_allocation(const LossSurface& surface, const Allocation& run, Tokens unique) {
    return {effective_params(run.params, optimal_params(surface, unique)),
            effective_tokens(run.tokens, unique)};
}

Allocation data_constrained_optimal(const LossSurface& surface, Flops budget, Tokens unique) {
    require_positive("unique_tokens", unique.count());
    const Allocation free = compute_optimal(surface, budget);
    if (free.tokens <= unique)
        return free;
    // At the optimal model for the unique data, repeats are worth less than new tokens, so a larger
    // model gains. A model too large for one epoch would leave data unused.
    const double fed = std::log(optimal_params(surface, unique).count());
    const double single_epoch =
        std::log(affordable_tokens(budget, Parameters{1}).count() / unique.count());
    const auto run_of = [&](double log_params) {
        const Parameters params{std::exp(log_params)};
        return Allocation{params, affordable_tokens(budget, params)};
    };
    return run_of(golden_section(fed, single_epoch, [&](double log_params) {
        return loss(surface, effective_allocation(surface, run_of(log_params), unique));
    }));
}

}} // namespace bursar::models
