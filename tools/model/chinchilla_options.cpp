#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/scaling/loss_surface.hpp"
#include "models/scaling/power_law.hpp"
#include "models/scaling/solve_run.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/measurements/scaling_runs.hpp"

#include "tools/model/chinchilla.hpp"
#include "tools/model/machine_options.hpp"
#include "tools/model/network_options.hpp"
#include "tools/model/subcommand.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::int64_t max_left_out = 1'000'000'000;
constexpr std::int64_t max_resamples = 1'000'000; // a quarter of an hour

/// A custom power law. Without its half for tokens, the rest of the budget gives the tokens.
struct PowerLawOptions {
    std::optional<double> params_factor;
    std::optional<double> params_exponent;
    std::optional<double> tokens_factor;
    std::optional<double> tokens_exponent;
};

/// The GPU whose hours pay for a run.
struct GpuHoursOptions {
    std::string gpu;                    ///< empty: neither hours nor cost are printed
    std::optional<Precision> precision; ///< absent: the usual one of the GPU
    std::optional<double> mfu;          ///< absent: usual_mfu
    std::optional<double> reading_mfu;
    std::optional<double> writing_mfu;
    std::optional<MoneyRate> price;
};

/// A sum of money for the run.
struct MoneyOptions {
    std::optional<double> dollars;
    std::optional<double> days;
    std::optional<std::int64_t> gpus;
    std::string model; ///< empty: the catalogue's nearest in size
};

constexpr double usual_mfu = 0.4;
constexpr std::int64_t max_gpus = 1'000'000;

struct ChinchillaOptions {
    std::optional<double> flops;
    MoneyOptions money;
    std::optional<double> params;
    std::optional<double> tokens;
    std::optional<double> target_loss;
    std::string coefficients;
    PowerLawOptions power_law;

    std::optional<double> unique_tokens;
    std::optional<double> batch_tokens;
    std::optional<double> read_tokens;
    std::optional<double> written_tokens;
    std::optional<double> total_params;
    double total_weight{default_total_weight};
    GpuHoursOptions hours;

    std::string runs_file;
    std::optional<std::int64_t> drop_highest;
    std::optional<std::int64_t> resamples;
    std::uint64_t seed{1};
};

/// What --coefficients takes: loss surfaces, then the allocations that have none.
std::vector<std::string> coefficient_ids() {
    std::vector<std::string> ids;
    for (const LossSurface& surface : published_loss_surfaces())
        ids.push_back(surface.id);
    for (const PowerLaw& law : published_power_laws())
        if (find_loss_surface(law.id) == nullptr)
            ids.push_back(law.id);
    return ids;
}

OptionTable<PowerLawOptions> power_law_options() {
    using T = PowerLawOptions;
    const auto size = real_in(any_size, "X");
    const auto exponent = real_in({-10, 10}, "X");
    return option_table<T>(
               {{{"--kn", &T::params_factor, size}, "a custom power law: N = kN C^a"},
                {{"--a", &T::params_exponent, exponent}, "its exponent of N"},
                {{"--kd", &T::tokens_factor, size}, "its D = kD C^b (what the budget leaves)"},
                {{"--b", &T::tokens_exponent, exponent}, "its exponent of D"}})
        .needs("--a", "--kn")
        .needs("--kn", "--a")
        .needs("--kd", "--kn")
        .needs("--b", "--kd")
        .needs("--kd", "--b");
}

OptionTable<GpuHoursOptions> gpu_hours_options() {
    using T = GpuHoursOptions;
    return option_table<T>(
               {{{"--gpu", &T::gpu, name_among([] { return builtin_catalogue().names(); })},
                 "also print hours of this GPU, of `bursar catalog`"},
                {{"--precision", &T::precision, choice(precision_names)},
                 "number format that the GPU computes in (default: bf16, else fp16)"},
                {{"--mfu", &T::mfu, real_in(any_size, "FRACTION")},
                 fmt::format("share of its peak that training reaches (default: {}, with --dollars "
                             "the step model's)",
                             usual_mfu)},
                {{"--read-mfu", &T::reading_mfu, real_in(any_size, "X")},
                 "the same for reading prompts (default: --mfu)"},
                {{"--write-mfu", &T::writing_mfu, real_in(any_size, "X")},
                 "the same for writing answers (default: --mfu)"},
                {{"--price", &T::price, gpu_hour_price()},
                 "also print the cost, e.g. \"2.50 USD/gpu-h\""}})
        .needs("--precision", "--gpu")
        .needs("--mfu", "--gpu")
        .needs("--read-mfu", "--gpu")
        .needs("--write-mfu", "--gpu")
        .needs("--price", "--gpu");
}

OptionTable<MoneyOptions> money_options() {
    using T = MoneyOptions;
    return option_table<T>(
               {{{"--dollars", &T::dollars, real_in(any_size, "USD")},
                 "money for the run, in place of --flops: plans size, tokens, GPUs and time"},
                {{"--days", &T::days, real_in(any_size, "X")},
                 "the run takes at most this long (default: 30, or as long as --gpus take)"},
                {{"--gpus", &T::gpus, whole_in(up_to(max_gpus))},
                 "GPUs of the plan (default: as many as --days need)"},
                {{"--model", &T::model, name_among([] { return builtin_architectures().names(); })},
                 "network that the plan is timed as (default: the nearest in size of `bursar "
                 "catalog models`)"}})
        .needs("--days", "--dollars")
        .needs("--gpus", "--dollars")
        .needs("--model", "--dollars");
}

OptionTable<ChinchillaOptions> chinchilla_options() {
    using T = ChinchillaOptions;
    const auto size = real_in(any_size, "X");
    return option_table<T>(
               {{{"--flops", &T::flops, size}, "compute budget C, FLOP"},
                {&T::money, money_options()},
                {{"--params", &T::params, size},
                 "parameters N (active ones, in a mixture of experts)"},
                {{"--tokens", &T::tokens, size}, "training tokens D"},
                {{"--target-loss", &T::target_loss, size}, "loss to end at, nats per token"},
                {{"--coefficients", &T::coefficients, TextRule{"ID", coefficient_ids}},
                 fmt::format("published loss surface or allocation ({}): {}",
                             default_loss_surface().id,
                             fmt::join(coefficient_ids(), ", "))},
                {&T::power_law, power_law_options()},

                {{"--unique-tokens", &T::unique_tokens, size},
                 "distinct tokens available; further ones repeat"},
                {{"--batch-tokens", &T::batch_tokens, size},
                 "tokens per step; also prints the steps"},
                {{"--inference-tokens", &T::read_tokens, size}, "tokens that the model will serve"},
                {{"--output-tokens", &T::written_tokens, size},
                 "tokens it will write besides, at --write-mfu"},
                {{"--total-params", &T::total_params, size},
                 "total parameters of a mixture of experts"},
                {{"--total-weight", &T::total_weight, real_in(any_share, "FRACTION")},
                 "their weight in the loss (a guess)"},
                {&T::hours, gpu_hours_options()},

                {{"--fit", &T::runs_file, file_name()},
                 "fit the surface to your own runs: CSV of params, tokens or flops, loss"},
                {{"--drop-highest", &T::drop_highest, whole_in({0, max_left_out})},
                 "drop the N runs of highest loss"},
                {{"--bootstrap", &T::resamples, whole_in(up_to(max_resamples))},
                 "also print 95 % intervals, from N resamples"},
                {{"--seed", &T::seed, whole_in(any_seed)}, "seed of the resamples"}})
        .excludes("--coefficients", {"--kn", "--fit"})
        .needs("--dollars", "--gpu")
        .needs("--dollars", "--price")
        .excludes("--dollars", {"--flops", "--target-loss", "--mfu"})
        .needs("--output-tokens", "--inference-tokens")
        .needs("--total-params", "--params")
        .needs("--total-weight", "--total-params")
        .needs("--drop-highest", "--fit")
        .needs("--bootstrap", "--fit")
        .needs("--seed", "--bootstrap");
}

[[noreturn]] void refuse(const std::string& option, std::string problem, std::string remedy) {
    fail_input({option}, {}, mistake(std::move(problem), {}, std::move(remedy)));
}

std::optional<PowerLaw> law_of(const PowerLawOptions& options) {
    if (!options.params_factor)
        return std::nullopt;
    PowerLaw law =
        consistent_law("own", *options.params_factor, *options.params_exponent, "--kn and --a");
    if (options.tokens_factor) {
        law.tokens_factor = *options.tokens_factor;
        law.tokens_exponent = *options.tokens_exponent;
        law.source = "--kn, --a, --kd and --b";
    }
    return law;
}

/// mfu: of training, if it is not stated. Throws ScenarioError for an unknown GPU, UnknownFact for
/// an unknown peak.
std::optional<GpuHoursQuestion> hours_of(const GpuHoursOptions& options, double mfu) {
    if (options.gpu.empty())
        return std::nullopt;
    const Catalogue catalogue = builtin_catalogue();
    const Gpu& gpu = gpu_named(catalogue, options.gpu, "--gpu");
    const Precision precision = options.precision.value_or(usual_precision(gpu));
    const FlopRate peak = dense_peak(gpu, precision);
    const auto at = [&](double utilisation) {
        return ComputePrice{.usd_per_gpu_hour = options.price ? usd(*options.price) : 1,
                            .peak = peak,
                            .utilisation = utilisation};
    };
    const double training = options.mfu.value_or(mfu);
    return GpuHoursQuestion{.gpu = options.gpu,
                            .precision = precision,
                            .training = at(training),
                            .reading = at(options.reading_mfu.value_or(training)),
                            .writing = at(options.writing_mfu.value_or(training)),
                            .has_price = options.price.has_value()};
}

FittedRuns fit_runs(const ChinchillaOptions& options) {
    FittedRuns fitted;
    fitted.file = options.runs_file;
    fitted.left_out = static_cast<std::size_t>(options.drop_highest.value_or(0));
    fitted.runs = without_highest(read_scaling_runs(options.runs_file), fitted.left_out);
    fitted.fit = fit_surface(fitted.runs);
    if (options.resamples)
        fitted.intervals = bootstrap_intervals(
            fitted.runs, fitted.fit, static_cast<std::size_t>(*options.resamples), options.seed);
    return fitted;
}

/// The surface, and the power law that replaces it, of --coefficients, --fit and --kn.
ChinchillaQuestion chosen_coefficients(const ChinchillaOptions& options) {
    ChinchillaQuestion question;
    question.surface = default_loss_surface();
    question.law = law_of(options.power_law);
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

/// How a run was solved for, in the order of RunRule.
constexpr std::array<const char*, 8> rule_texts{"as given",
                                                "--params for as long as --flops last",
                                                "the model that sees --tokens for --flops",
                                                "compute-optimal for --params",
                                                "compute-optimal for --tokens",
                                                "compute-optimal for --flops",
                                                "tokens after which --params end at --target-loss",
                                                "cheapest run that ends at --target-loss"};

const char* budget_option(const ChinchillaOptions& options) {
    return options.money.dollars ? "--dollars" : "--flops";
}

/// What the options and the budget fix of the run. Throws ScenarioError if they fix too much.
RunConstraints constraints(const ChinchillaOptions& options, std::optional<Flops> budget) {
    if (options.target_loss && (budget || options.tokens))
        refuse("--target-loss",
               "is given together with the budget or the tokens that it decides",
               "give it alone or with --params");
    if (options.params && options.tokens && budget)
        refuse(budget_option(options),
               "is given together with --params and --tokens, which decide it (6 N D)",
               "remove one of the three");
    RunConstraints known;
    known.budget = budget;
    if (options.params)
        known.params = Parameters{*options.params};
    if (options.tokens)
        known.tokens = Tokens{*options.tokens};
    known.loss = options.target_loss;
    return known;
}

/// A run and how it was found.
struct FoundRun {
    Allocation run;
    std::string how;
};

/// Two of N, D and C give the third, one gives the optimum. A target loss gives the cheapest run
/// or, with N, its tokens. A power law allocates the budget. Absent: nothing is known of the run.
std::optional<FoundRun> found_run(const ChinchillaOptions& options,
                                  const ChinchillaQuestion& question,
                                  std::optional<Flops> budget) {
    if (question.law)
        return FoundRun{allocate(*question.law, *budget), "allocation of " + question.law->id};
    const auto found = solve_run(question.surface, constraints(options, budget));
    if (!found)
        return std::nullopt;
    std::string how = rule_texts[static_cast<std::size_t>(found->rule)];
    constexpr std::string_view flops = "--flops";
    if (const std::size_t at = how.find(flops); at != std::string::npos)
        how.replace(at, flops.size(), question.budget_option);
    return FoundRun{found->run, std::move(how)};
}

/// The GPUs, time and utilisation that --dollars pay for.
MoneyPlan planned(const ChinchillaOptions& options, const ChinchillaQuestion& question) {
    MoneyQuestion money;
    money.dollars = *options.money.dollars;
    money.price = usd(*options.hours.price);
    if (!(money.price > 0))
        refuse("--price", "is 0, which gives no number of GPU-hours", "give what one costs");
    money.gpu = options.hours.gpu;
    money.cluster = NodeOptions{}.cluster_of(money.gpu, "--gpu", std::nullopt);
    money.stack.precision = options.hours.precision.value_or(usual_precision(money.cluster.gpu));
    money.gpus = options.money.gpus;
    if (options.money.days)
        money.deadline = Seconds{*options.money.days * seconds_per_day};
    if (!options.money.model.empty()) {
        NetworkOptions network;
        network.model = options.money.model;
        money.shape = network.transformer();
    }
    if (options.batch_tokens)
        money.batch = Tokens{*options.batch_tokens};
    return plan_for(money, [options, question](Flops compute) {
        return found_run(options, question, compute)->run;
    });
}

/// The question with its run. Throws ScenarioError for options that do not go together.
ChinchillaQuestion solved(const ChinchillaOptions& options) {
    ChinchillaQuestion question = chosen_coefficients(options);
    question.budget_option = budget_option(options);
    question.target_loss = options.target_loss;
    if (options.flops)
        question.budget = Flops{*options.flops};
    const bool sized = options.params || options.tokens;
    const bool has_budget = options.flops || options.money.dollars;
    if (question.law && (sized || options.target_loss || !has_budget))
        refuse(question.law->id == "own" ? "--kn" : "--coefficients",
               "a power law allocates a budget and nothing else",
               "give --flops alone, or a loss surface");
    if (options.money.dollars) {
        question.plan = planned(options, question);
        question.budget = question.plan->compute();
        if (question.law && std::abs(overspend(*question.law, *question.budget) - 1) > 0.01)
            refuse("--coefficients",
                   fmt::format("{} allocates another compute than --dollars pay for (6 N D / C is "
                               "not 1)",
                               question.law->id),
                   "choose another, or a loss surface");
    }
    if (auto found = found_run(options, question, question.budget)) {
        question.run = found->run;
        question.run_is = std::move(found->how);
    } else if (!question.fitted) {
        refuse("bursar model chinchilla",
               "nothing to solve for",
               "give --flops, --dollars, --params, --tokens, --target-loss or --fit");
    }
    return question;
}

/// Throws ScenarioError for options that state too little or too much, ModelError if there is no
/// solution.
ChinchillaQuestion question_of(const ChinchillaOptions& options) {
    ChinchillaQuestion question = solved(options);
    if (options.unique_tokens)
        question.unique_tokens = Tokens{*options.unique_tokens};
    if (options.total_params)
        question.experts = ExpertsQuestion{Parameters{*options.total_params}, options.total_weight};
    if (options.batch_tokens)
        question.batch = Tokens{*options.batch_tokens};
    if (options.read_tokens)
        question.serving = ServingQuestion{Tokens{*options.read_tokens},
                                           Tokens{options.written_tokens.value_or(0)}};
    question.hours =
        hours_of(options.hours, question.plan ? question.plan->step.utilisation : usual_mfu);
    if (options.target_loss && options.batch_tokens && question.hours)
        refuse("--batch-tokens",
               "adds tokens to a run to --target-loss, which its GPU time would not have",
               "leave out one of them, or --gpu");
    return question;
}

} // namespace

void add_chinchilla(Command model) {
    add_answer(
        model,
        "chinchilla",
        "how large a model, on how many tokens, for a budget or a loss",
        chinchilla_options(),
        [](const ChinchillaOptions& options) { return chinchilla_answer(question_of(options)); });
}

}} // namespace bursar::tools
