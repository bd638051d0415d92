#include <cmath>

#include <fmt/format.h>

#include "models/scaling/compute_optimal.hpp"
#include "models/scaling/data_constrained.hpp"
#include "models/scaling/power_law.hpp"

#include "tools/model/chinchilla.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr double noticeable = 0.01; // less is rounding of the coefficients

Facts surface_section(const LossSurface& surface) {
    return {"surface",
            "loss surface L = E + A N^-alpha + B D^-beta",
            {{"id", "coefficients", surface.id, "", surface.source},
             {"entropy", "E, of endless model and data", surface.entropy, "nats/token", ""},
             {"params_coefficient", "A", surface.params_coefficient, "", ""},
             {"tokens_coefficient", "B", surface.tokens_coefficient, "", ""},
             {"alpha", "alpha", surface.alpha, "", ""},
             {"beta", "beta", surface.beta, "", ""},
             {"params_exponent",
              "a, in N ~ C^a",
              optimal_params_exponent(surface),
              "",
              "beta / (alpha + beta)"}}};
}

Facts run_section(const ChinchillaQuestion& question) {
    const Allocation& run = *question.run;
    const LossTerms terms = loss_terms(question.surface, run);
    return {"run",
            "the run: " + question.run_is,
            {{"params", "parameters N", run.params.count(), "", ""},
             {"tokens", "tokens D", run.tokens.count(), "", ""},
             {"tokens_per_param", "tokens per parameter", tokens_per_param(run), "", "D / N"},
             {"flops", "compute C", training_flops(run).count(), "FLOP", "6 N D"},
             {"loss", "loss", terms.total(), "nats/token", "the sum of:"},
             {"loss_entropy", "of the text itself", terms.entropy, "nats/token", "E"},
             {"loss_params", "of a finite model", terms.params, "nats/token", "A N^-alpha"},
             {"loss_tokens", "of finite data", terms.tokens, "nats/token", "B D^-beta"}}};
}

/// Adds the compute-optimal run with the compute of this one, if it differs.
void add_optimum(Document& answer, const ChinchillaQuestion& question) {
    const Flops spent = training_flops(*question.run);
    const Allocation best = compute_optimal(question.surface, spent);
    if (std::abs(best.params / question.run->params - 1) < noticeable)
        return;
    const double run_loss = loss(question.surface, *question.run);
    const Flops needed = training_flops(cheapest_for_loss(question.surface, run_loss));
    answer.add(Facts{"optimum",
                     "compute-optimal run of the same compute",
                     {{"params", "parameters N", best.params.count(), "", "G (C/6)^a"},
                      {"tokens", "tokens D", best.tokens.count(), "", "(C/6)^b / G"},
                      {"loss", "loss", loss(question.surface, best), "nats/token", ""},
                      {"compute_for_run_loss",
                       "compute for the run's loss",
                       needed.count(),
                       "FLOP",
                       "of the cheapest run that ends there"},
                      {"excess_compute",
                       "spent beyond it",
                       spent / needed - 1,
                       "fraction",
                       "what training off the optimum costs"}}});
    answer.sources.emplace_back("optimum: Hoffmann et al. 2022, arXiv 2203.15556, eq. 4");
}

void add_power_law(Document& answer, const ChinchillaQuestion& question) {
    const PowerLaw& law = *question.law;
    const Flops budget = *question.budget;
    const double factor = overspend(law, budget);
    answer.add(Facts{"power_law",
                     "allocation N = kN C^a, D = kD C^b",
                     {{"id", "coefficients", law.id, "", law.source},
                      {"params_factor", "kN", law.params_factor, "", ""},
                      {"params_exponent", "a", law.params_exponent, "", ""},
                      {"tokens_factor", "kD", law.tokens_factor, "", ""},
                      {"tokens_exponent", "b", law.tokens_exponent, "", ""},
                      {"budget", "budget", budget.count(), "FLOP", question.budget_option},
                      {"overspend",
                       "spent over budget",
                       factor,
                       "",
                       "6 kN kD C^(a + b - 1); 1 spends it exactly"},
                      {"corrected_params_factor",
                       "kN that spends the budget",
                       corrected(law, budget).params_factor,
                       "",
                       "kN / that factor"}}});
    if (is_blog_formula(law))
        answer.warnings.push_back(fmt::format(
            "these are the widely copied blog coefficients (N = 0.2536 C^0.4995, D = 1.7424 "
            "C^0.5005), which are no published fit: such a run spends {:.2f} times the budget; "
            "kN = {:.4f} would spend it once",
            factor,
            corrected(law, budget).params_factor));
    else if (std::abs(factor - 1) > noticeable)
        answer.warnings.push_back(
            fmt::format("this power law {} the budget: 6 N D is {:.4g} times {:.4g} FLOP{}",
                        factor > 1 ? "overspends" : "leaves unused a part of",
                        factor,
                        budget.count(),
                        std::abs(law.params_exponent + law.tokens_exponent - 1) > 1e-6
                            ? ", another factor at every other budget (a + b is not 1)"
                            : ""));
    if (!law.caution.empty() && !is_blog_formula(law))
        answer.warnings.push_back(law.id + ": " + law.caution);
}

/// Every published allocation of the same budget.
ReportTable allocations_table(const ChinchillaQuestion& question) {
    const Flops budget = question.budget.value_or(training_flops(*question.run));
    ReportTable table{"allocations",
                      "the same budget by every published allocation",
                      {{"id", "allocation", ""},
                       {"params", "N", ""},
                       {"tokens", "D", ""},
                       {"tokens_per_param", "D / N", ""},
                       {"overspend", "6 N D / C", ""},
                       {"loss", "loss on " + question.surface.id, "nats/token"}},
                      {}};
    const auto add = [&](const std::string& id, const Allocation& run) {
        table.rows.push_back({id,
                              run.params.count(),
                              run.tokens.count(),
                              tokens_per_param(run),
                              training_flops(run) / budget,
                              loss(question.surface, run)});
    };
    add("run", *question.run);
    for (const PowerLaw& law : published_power_laws())
        add(law.id, allocate(law, budget));
    return table;
}

Facts kaplan_section(const Allocation& run) {
    return {"kaplan2020",
            "legacy, for comparison only: Kaplan et al. 2020",
            {{"loss_by_params",
              "loss, data enough",
              kaplan_loss(run.params),
              "nats/token",
              "(8.8e13 / N)^0.076, N without embeddings"},
             {"loss_by_tokens",
              "loss, model large enough",
              kaplan_loss(run.tokens),
              "nats/token",
              "(5.4e13 / D)^0.095"},
             {"params_growth",
              "N grows per tenfold C",
              kaplan_params_growth(10),
              "",
              "10^0.73; biased to large models, see Hoffmann et al. 2022"}}};
}

void add_range_warning(Document& answer, const ChinchillaQuestion& question) {
    const LossSurface& surface = question.surface;
    const Flops spent = training_flops(*question.run);
    const double decades = decades_extrapolated(surface, spent);
    if (decades >= 1)
        answer.warnings.push_back(
            fmt::format("{:.2g} FLOP is {:.1f} powers of ten outside the runs that {} was fitted "
                        "on ({:.2g} to {:.2g} FLOP): an extrapolation",
                        spent.count(),
                        decades,
                        surface.id,
                        surface.fitted_from.count(),
                        surface.fitted_to.count()));
}

} // namespace

Document chinchilla_answer(const ChinchillaQuestion& question) {
    Document answer;
    answer.command = "model chinchilla";
    if (question.run)
        answer.add(run_section(question));
    if (question.plan)
        add_plan(answer, question, *question.plan);
    if (question.law)
        add_power_law(answer, question);
    if (question.run) {
        add_optimum(answer, question);
        add_circumstances(answer, question);
    }
    answer.add(surface_section(question.surface));
    if (!question.surface.caution.empty())
        answer.warnings.push_back(question.surface.id + ": " + question.surface.caution);
    if (question.run) {
        answer.add(kaplan_section(*question.run));
        answer.add(allocations_table(question));
        add_over_training(answer, question);
        add_range_warning(answer, question);
    }
    if (question.fitted)
        add_fit(answer, *question.fitted);
    answer.sources.push_back("coefficients: " + question.surface.source);
    answer.sources.emplace_back(
        "compute: 6 N D, Kaplan et al. 2020, arXiv 2001.08361, section 2.1");
    return answer;
}

}} // namespace bursar::tools
