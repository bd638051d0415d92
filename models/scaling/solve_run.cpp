#include "models/scaling/solve_run.hpp"

#include "models/errors/model_error.hpp"
#include "models/errors/require.hpp"
#include "models/scaling/compute_optimal.hpp"

namespace bursar { inline namespace models {
namespace {

SolvedRun run_to_loss(const LossSurface& surface, const RunConstraints& known) {
    if (known.budget || known.tokens)
        throw ModelError{"loss",
                         "is given together with the budget or the tokens that it decides",
                         "keep one of them"};
    if (!known.params)
        return {cheapest_for_loss(surface, *known.loss), RunRule::cheapest_for_loss};
    return {{*known.params, tokens_to_reach(surface, *known.params, *known.loss)},
            RunRule::tokens_for_loss};
}

SolvedRun run_of_params(const LossSurface& surface, const RunConstraints& known) {
    const Parameters params = *known.params;
    if (known.tokens && known.budget)
        throw ModelError{"budget",
                         "is given together with the parameters and tokens that decide it (6 N D)",
                         "remove one of the three"};
    if (known.tokens)
        return {{params, *known.tokens}, RunRule::as_given};
    if (known.budget)
        return {{params, affordable_tokens(*known.budget, params)}, RunRule::tokens_of_budget};
    return {{params, optimal_tokens(surface, params)}, RunRule::optimal_for_params};
}

std::optional<SolvedRun> solved(const LossSurface& surface, const RunConstraints& known) {
    if (known.loss)
        return run_to_loss(surface, known);
    if (known.params)
        return run_of_params(surface, known);
    if (known.tokens && known.budget)
        return SolvedRun{{affordable_params(*known.budget, *known.tokens), *known.tokens},
                         RunRule::params_of_budget};
    if (known.tokens)
        return SolvedRun{{optimal_params(surface, *known.tokens), *known.tokens},
                         RunRule::optimal_for_tokens};
    if (known.budget)
        return SolvedRun{compute_optimal(surface, *known.budget), RunRule::optimal_for_budget};
    return std::nullopt;
}

} // namespace

std::optional<SolvedRun> solve_run(const LossSurface& surface, const RunConstraints& known) {
    const std::optional<SolvedRun> found = solved(surface, known);
    if (found) {
        require_outcome("params", found->run.params.count());
        require_outcome("tokens", found->run.tokens.count());
    }
    return found;
}

}} // namespace bursar::models
