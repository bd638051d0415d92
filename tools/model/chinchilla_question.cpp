#include <array>

#include <fmt/format.h>

#include "models/scaling/solve_run.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/measurements/scaling_runs.hpp"

#include "tools/model/chinchilla_options.hpp"

namespace bursar { inline namespace tools {
namespace {

[[noreturn]] void refuse(const std::string& option, std::string problem, std::string remedy) {
    fail_input({option}, {}, mistake(std::move(problem), {}, std::move(remedy)));
}

FittedRuns fit_runs(const ChinchillaOptions& options) {
    FittedRuns fitted;
    fitted.file = options.runs_file;
    fitted.left_out = options.drop_highest;
    fitted.runs = without_highest(read_scaling_runs(options.runs_file), options.drop_highest);
    fitted.fit = fit_surface(fitted.runs);
    if (options.resamples > 0)
        fitted.intervals =
            bootstrap_intervals(fitted.runs, fitted.fit, options.resamples, options.seed);
    return fitted;
}

/// Which surface, and which power law in its place, --coefficients, --fit and --kn name.
ChinchillaQuestion chosen_coefficients(const ChinchillaOptions& options) {
    ChinchillaQuestion question;
    question.surface = default_loss_surface();
    question.law = options.power_law.law();
    if (!options.runs_file.empty()) {
        question.fitted = fit_runs(options);
        question.surface = question.fitted->fit.surface;
    } else if (!options.coefficients.empty()) {
        const std::string& id = options.coefficients;
        const PowerLaw* law = find_power_law(id);
        if (const LossSurface* surface = find_loss_surface(id))
            question.surface = *surface;
        else if (law != nullptr)
            question.law = *law;
        else
            refuse("--coefficients",
                   fmt::format("no published set is named {}", in_quotes(id)),
                   suggestion(id, coefficient_ids()));
    }
    return question;
}

/// Where a run comes from, by RunRule.
constexpr std::array<const char*, 8> rule_texts{"as given",
                                                "--params for as long as --flops last",
                                                "the model that sees --tokens for --flops",
                                                "compute-optimal for --params",
                                                "compute-optimal for --tokens",
                                                "compute-optimal for --flops",
                                                "tokens after which --params end at --target-loss",
                                                "cheapest run that ends at --target-loss"};

/// What the options say of the run, unless that is too much.
RunConstraints constraints(const ChinchillaOptions& options) {
    if (options.target_loss && (options.flops || options.tokens))
        refuse("--target-loss",
               "is given together with the budget or the tokens that it decides",
               "give it alone or with --params");
    if (options.params && options.tokens && options.flops)
        refuse("--flops",
               "is given together with --params and --tokens, which decide it (6 N D)",
               "remove one of the three");
    RunConstraints known;
    if (options.flops)
        known.budget = Flops{*options.flops};
    if (options.params)
        known.params = Parameters{*options.params};
    if (options.tokens)
        known.tokens = Tokens{*options.tokens};
    known.loss = options.target_loss;
    return known;
}

/// What is asked of the run itself.
ChinchillaQuestion solved(const ChinchillaOptions& options) {
    ChinchillaQuestion question = chosen_coefficients(options);
    if (options.flops)
        question.budget = Flops{*options.flops};
    const bool sized = options.params || options.tokens;
    if (question.law && (sized || options.target_loss || !options.flops))
        refuse(question.law->id == "own" ? "--kn" : "--coefficients",
               "a power law allocates a budget and nothing else",
               "give --flops alone, or a loss surface");
    if (question.law) {
        question.run = allocate(*question.law, *question.budget);
        question.run_is = "allocation of " + question.law->id;
    } else if (const auto found = solve_run(question.surface, constraints(options))) {
        question.run = found->run;
        question.run_is = rule_texts[static_cast<std::size_t>(found->rule)];
    } else if (!question.fitted) {
        refuse("bursar model chinchilla",
               "nothing is asked",
               "give --flops, --params, --tokens, --target-loss or --fit");
    }
    return question;
}

} // namespace

ChinchillaQuestion ChinchillaOptions::question() const {
    ChinchillaQuestion question = solved(*this);
    if (unique_tokens)
        question.unique_tokens = Tokens{*unique_tokens};
    if (total_params)
        question.experts = ExpertsQuestion{Parameters{*total_params}, total_weight};
    if (batch_tokens)
        question.batch = Tokens{*batch_tokens};
    if (read_tokens)
        question.serving =
            ServingQuestion{Tokens{*read_tokens}, Tokens{written_tokens.value_or(0)}};
    question.hours = hours.question();
    return question;
}

}} // namespace bursar::tools
