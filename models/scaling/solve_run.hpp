#pragma once

#include <cstdint>
#include <optional>

#include "models/scaling/loss_surface.hpp"

/// A training run from constraints. Two of N, D and C = 6 N D give the third; one alone gives the
/// optimum. A loss gives the cheapest run or, with N, its tokens (FORMULAS 1.2).
namespace bursar { inline namespace models {

/// The constraints of a run; each > 0.
struct RunConstraints {
    std::optional<Flops> budget{};      ///< C
    std::optional<Parameters> params{}; ///< N
    std::optional<Tokens> tokens{};     ///< D
    std::optional<double> loss{};       ///< final loss; not with `budget` or `tokens`
};

/// The formula that gave the run.
enum class RunRule : std::uint8_t {
    as_given,           ///< N and D
    tokens_of_budget,   ///< D = C / 6N
    params_of_budget,   ///< N = C / 6D
    optimal_for_params, ///< optimal_tokens()
    optimal_for_tokens, ///< optimal_params()
    optimal_for_budget, ///< compute_optimal()
    tokens_for_loss,    ///< tokens_to_reach()
    cheapest_for_loss   ///< cheapest_for_loss()
};

struct SolvedRun {
    Allocation run;
    RunRule rule{};
};

/// The run; absent without constraints. Throws ModelError for too many constraints (N, D and C; a
/// loss with C or D), and if there is no solution.
[[nodiscard]] std::optional<SolvedRun> solve_run(const LossSurface& surface,
                                                 const RunConstraints& known);

}} // namespace bursar::models
