#include <fmt/format.h>

#include "models/scaling/compute_optimal.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/measurements/scaling_runs.hpp"

#include "tools/bursar/model/chinchilla_options.hpp"

namespace bursar::inline tools {
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

Allocation run_to_target(const ChinchillaOptions& options, ChinchillaQuestion& question) {
    if (options.flops || options.tokens)
        refuse("--target-loss",
               "is given together with the budget or the tokens that it decides",
               "give it alone or with --params");
    if (!options.params) {
        question.run_is = "cheapest run that ends at --target-loss";
        return cheapest_for_loss(question.surface, *options.target_loss);
    }
    const Parameters params{*options.params};
    question.run_is = "tokens after which --params end at --target-loss";
    return {params, tokens_to_reach(question.surface, params, *options.target_loss)};
}

/// N, D or both from what was given of N, D and C.
Allocation given_run(const ChinchillaOptions& options, ChinchillaQuestion& question) {
    const std::optional<Flops> budget = question.budget;
    if (options.params && options.tokens) {
        if (budget)
            refuse("--flops",
                   "is given together with --params and --tokens, which decide it (6 N D)",
                   "remove one of the three");
        question.run_is = "as given";
        return {Parameters{*options.params}, Tokens{*options.tokens}};
    }
    if (options.params && budget) {
        const Parameters params{*options.params};
        question.run_is = "--params for as long as --flops last";
        return {params, affordable_tokens(*budget, params)};
    }
    if (options.tokens && budget) {
        question.run_is = "the model that sees --tokens for --flops";
        return {affordable_params(*budget, Tokens{*options.tokens}), Tokens{*options.tokens}};
    }
    if (options.params) {
        question.run_is = "compute-optimal for --params";
        const Parameters params{*options.params};
        return {params, optimal_tokens(question.surface, params)};
    }
    question.run_is = "compute-optimal for --tokens";
    const Tokens tokens{*options.tokens};
    return {optimal_params(question.surface, tokens), tokens};
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
    } else if (options.target_loss) {
        question.run = run_to_target(options, question);
    } else if (sized) {
        question.run = given_run(options, question);
    } else if (question.budget) {
        question.run_is = "compute-optimal for --flops";
        question.run = compute_optimal(question.surface, *question.budget);
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

} // namespace bursar::inline tools
