#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/scaling/allocation.hpp"
#include "models/scaling/loss_surface.hpp"

namespace bursar { inline namespace models {

/// An allocation written as two powers of the budget: N = kN C^a, D = kD C^b. It spends exactly the
/// budget only if 6 kN kD = 1 and a + b = 1.
struct PowerLaw {
    std::string id;           ///< "hoffmann_a1"
    double params_factor{};   ///< kN, > 0
    double params_exponent{}; ///< a
    double tokens_factor{};   ///< kD, > 0
    double tokens_exponent{}; ///< b
    std::string source;
    std::string caution; ///< why not to use it; empty: none
};

/// The law whose tokens spend the rest of the budget: kD = 1/(6 kN), b = 1 - a.
[[nodiscard]] PowerLaw
consistent_law(std::string id, double params_factor, double params_exponent, std::string source);

/// compute_optimal() of a surface, as a power law.
[[nodiscard]] PowerLaw power_law_of(const LossSurface& surface);

/// Every published allocation (FORMULAS 1.2), and `blog`, a widely copied unpublished formula.
[[nodiscard]] std::span<const PowerLaw> published_power_laws();

/// The published law of that id; null if there is none.
[[nodiscard]] const PowerLaw* find_power_law(std::string_view id);

/// N and D of the law at `budget`, whether they spend it or not. Throws ModelError unless budget
/// and factors are > 0.
[[nodiscard]] Allocation allocate(const PowerLaw& law, Flops budget);

/// 6 N D / C at `budget`: above 1 the law overspends, below it leaves compute unused.
[[nodiscard]] double overspend(const PowerLaw& law, Flops budget);

/// The law with its parameters divided by its overspending at `budget`, so that it spends exactly
/// that.
[[nodiscard]] PowerLaw corrected(const PowerLaw& law, Flops budget);

/// Whether these are the widely copied N = 0.2536 C^0.4995, D = 1.7424 C^0.5005, to 5 % in the
/// factors and 0.005 in the exponents; they spend 2.65 times the budget.
[[nodiscard]] bool is_blog_formula(const PowerLaw& law);

/// The laws of Kaplan et al. 2020, arXiv 2001.08361 (WebText2; parameters without embeddings). Kept
/// for comparison only: their learning-rate schedule was not matched to the run length, which
/// favours large models (Hoffmann et al. 2022).

/// L(N) = (8.8e13 / N)^0.076 in nats per token, with enough data. non_embedding: > 0.
[[nodiscard]] double kaplan_loss(Parameters non_embedding);

/// L(D) = (5.4e13 / D)^0.095 in nats per token, with a large enough model. tokens: > 0.
[[nodiscard]] double kaplan_loss(Tokens tokens);

/// Factor by which the optimal model grows when the budget grows by `factor`: factor^0.73.
[[nodiscard]] double kaplan_params_growth(double factor);

}} // namespace bursar::models
