#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "models/convergence/critical_batch.hpp"
#include "models/scaling/compute_optimal.hpp"
#include "models/scaling/data_constrained.hpp"

#include "tools/model/chinchilla.hpp"

namespace bursar { inline namespace tools {
namespace {

void add_data(Document& answer, const ChinchillaQuestion& question, Tokens unique) {
    const LossSurface& surface = question.surface;
    const Allocation& run = *question.run;
    const Allocation worth = effective_allocation(surface, run, unique);
    const Allocation best = data_constrained_optimal(surface, training_flops(run), unique);
    const double epochs = run.tokens / unique;
    const std::string decay = fmt::format(
        "U + U R* (1 - exp(-R/R*)), R = repeats, R* = {} [unverified digits]", data_repeat_decay);
    answer.add(
        Facts{"data",
              "the run on limited data",
              {{"unique_tokens", "different tokens U", unique.count(), "", "--unique-tokens"},
               {"epochs", "epochs", epochs, "", "D / U"},
               {"effective_tokens", "tokens are worth", worth.tokens.count(), "", decay},
               {"effective_params",
                "parameters are worth",
                worth.params.count(),
                "",
                fmt::format("same form beyond the optimum for U, R* = {}", excess_params_decay)},
               {"loss", "loss", loss(surface, worth), "nats/token", "of what they are worth"},
               {"best_params", "best N for the same compute", best.params.count(), "", ""},
               {"best_tokens", "its D", best.tokens.count(), "", ""},
               {"best_epochs", "its epochs", best.tokens / unique, "", ""},
               {"best_loss",
                "its loss",
                loss(surface, effective_allocation(surface, best, unique)),
                "nats/token",
                ""}}});
    answer.sources.emplace_back("repeated data: Muennighoff et al. 2023, arXiv 2305.16264");
    if (epochs > max_epochs_fitted)
        answer.warnings.push_back(
            fmt::format("{:.3g} epochs: the fit of repeated data is poor beyond {}",
                        epochs,
                        max_epochs_fitted));
    if (epochs > 1 && run.params > optimal_params(surface, unique) * 10)
        answer.warnings.emplace_back(
            "more than 10 times the parameters that the different tokens are optimal for: on C4 "
            "this "
            "form has the loss of such models 6 to 9 % too high relative to smaller ones "
            "(tools/model/VALIDATION.md)");
    if (epochs > 1 && (run.params > max_params_fitted || run.tokens > max_tokens_fitted))
        answer.warnings.emplace_back(
            "repeated data was measured up to 9e9 parameters and 9e11 tokens only");
}

void add_experts(Document& answer,
                 const ChinchillaQuestion& question,
                 const ExpertsQuestion& experts) {
    const Parameters taken_for =
        sparse_effective_params(question.run->params, experts.total, experts.total_weight);
    answer.add(
        Facts{"experts",
              "as a mixture of experts",
              {{"total_params", "all parameters", experts.total.count(), "", "--total-params"},
               {"effective_params",
                "loss as if dense with",
                taken_for.count(),
                "",
                fmt::format("N^{:.4g} N_total^{:.4g} [unverified heuristic]",
                            1 - experts.total_weight,
                            experts.total_weight)},
               {"loss",
                "loss",
                loss(question.surface, taken_for, question.run->tokens),
                "nats/token",
                "claims no accuracy"}}});
}

void add_steps(Document& answer, const ChinchillaQuestion& question, Tokens batch) {
    const Allocation& given = *question.run;
    const Tokens critical = critical_batch(loss(question.surface, given));
    const bool to_loss = question.target_loss.has_value();
    const Tokens tokens =
        to_loss ? run_to_loss(question.surface, given.params, *question.target_loss, batch).tokens
                : given.tokens;
    answer.add(Facts{"steps",
                     to_loss ? "steps to --target-loss" : "steps of the run",
                     {{"batch_tokens", "tokens per step B", batch.count(), "", "--batch-tokens"},
                      {"critical_batch",
                       "critical batch B_crit",
                       critical.count(),
                       "tokens",
                       "2e8 / L^(1/0.21), at the loss it ends at"},
                      {"surface_batch",
                       "batch of the surface B_ref",
                       surface_batch.count(),
                       "tokens",
                       std::string{surface_batch_source}},
                      {"steps", "steps", tokens / batch, "", "tokens / B"},
                      {"tokens",
                       "tokens",
                       tokens.count(),
                       "",
                       to_loss ? "D (1 + B / B_crit) / (1 + B_ref / B_crit)"
                               : "D as it is; its loss is that of a batch of B_ref"},
                      {"flops",
                       "compute",
                       training_flops(given.params, tokens).count(),
                       "FLOP",
                       "6 N tokens"}}});
    answer.sources.emplace_back("critical batch: McCandlish et al. 2018, arXiv 1812.06162; of "
                                "language models Kaplan et al. 2020, eq. 1.4");
    answer.sources.push_back(fmt::format("batch of the loss surface, {:.2g} tokens: {}",
                                         surface_batch.count(),
                                         surface_batch_source));
    if (batch > critical)
        answer.warnings.push_back(fmt::format(
            "a batch of {:.3g} tokens is above the critical {:.3g}: more samples are wasted than "
            "steps saved",
            batch.count(),
            critical.count()));
}

/// Served tokens, weighted by their price relative to training if a GPU is given.
Tokens weighed_demand(const ChinchillaQuestion& question) {
    const auto& [read, written] = *question.serving;
    if (!question.hours)
        return read + written;
    const GpuHoursQuestion& hours = *question.hours;
    return price_weighted_tokens({read, written, hours.reading, hours.writing}, hours.training);
}

void add_serving(Document& answer, const ChinchillaQuestion& question) {
    const Tokens served = weighed_demand(question);
    const double target = loss(question.surface, *question.run);
    const Allocation best = inference_aware_optimal(question.surface, target, served);
    const Flops together = lifetime_flops(best, served);
    Facts section{
        "serving",
        "the run of the same loss that is cheapest with what it serves",
        {{"served_tokens",
          "tokens served",
          served.count(),
          "",
          question.hours ? "weighed by their price against training"
                         : "--inference-tokens and --output-tokens"},
         {"params", "parameters N", best.params.count(), "", "least 6 N D + 2 N D_served"},
         {"tokens", "tokens D", best.tokens.count(), "", ""},
         {"tokens_per_param", "tokens per parameter", tokens_per_param(best), "", ""},
         {"training_flops", "training", training_flops(best).count(), "FLOP", "6 N D"},
         {"serving_flops",
          "serving",
          inference_flops(best.params, served).count(),
          "FLOP",
          "2 N D_served"},
         {"lifetime_flops", "together", together.count(), "FLOP", ""},
         {"saved",
          "saved against the run",
          1 - together / lifetime_flops(*question.run, served),
          "fraction",
          "of training and serving"}}};
    if (question.hours && question.hours->has_price)
        section.values.push_back({"lifetime_cost",
                                  "cost of both",
                                  question.hours->training.usd(together),
                                  "USD",
                                  "at --price; dollar form [unverified against the paper]"});
    answer.add(std::move(section));
    answer.sources.emplace_back("serving: Sardana et al. 2024, arXiv 2401.00448");
}

void add_hours(Document& answer,
               const ChinchillaQuestion& question,
               const GpuHoursQuestion& hours) {
    const ComputePrice& training = hours.training;
    const Flops work = training_flops(*question.run);
    Facts section{
        "hours",
        "GPU time of the run",
        {{"gpu", "GPU", hours.gpu, "", ""},
         {"peak",
          fmt::format("peak at {}", name(hours.precision)),
          training.peak.count(),
          "FLOP/s",
          "dense; `bursar catalog` names the source"},
         {"mfu", "share of it reached", training.utilisation, "fraction", "--mfu, an assumption"},
         {"gpu_hours", "GPU-hours", training.gpu_hours(work), "h", "6 N D / (MFU x peak)"}}};
    if (hours.has_price) {
        section.values.push_back(
            {"price", "price", training.usd_per_gpu_hour, "USD/gpu-h", "--price"});
        section.values.push_back({"cost", "cost", training.usd(work), "USD", "hours x price"});
    }
    answer.add(std::move(section));
}

/// A row of runs beside the optimum, of `share` of its size.
struct SmallerRun {
    std::string label;
    Parameters params;
    std::optional<Tokens> tokens; ///< absent: the loss is never reached
};

std::vector<SmallerRun> smaller_runs(const LossSurface& surface, const Allocation& best) {
    std::vector<SmallerRun> runs{{"the optimum", best.params, best.tokens}};
    for (const int divisor : {2, 4, 8})
        runs.push_back({fmt::format("1/{} of it, same compute", divisor),
                        best.params / divisor,
                        best.tokens * divisor});
    const double target = loss(surface, best);
    if (target <= surface.entropy) // beyond the digits of a double
        return runs;
    for (const int divisor : {2, 4, 8}) {
        SmallerRun run{fmt::format("1/{} of it, same loss", divisor), best.params / divisor, {}};
        if (run.params > min_params(surface, target))
            run.tokens = tokens_to_reach(surface, run.params, target);
        runs.push_back(std::move(run));
    }
    return runs;
}

/// Served tokens from which on `smaller`, of the same loss, costs less compute in all than `best`.
double served_to_pay(const Allocation& smaller, const Allocation& best) {
    const Flops extra = training_flops(smaller) - training_flops(best);
    return extra / inference_flops(best.params - smaller.params, Tokens{1});
}

ReportTable intervals_table(const LossSurface& surface, const SurfaceIntervals& intervals) {
    ReportTable table{"intervals",
                      "95 % intervals of the fit",
                      {{"coefficient", "coefficient", ""},
                       {"fitted", "fitted", ""},
                       {"low", "low", ""},
                       {"high", "high", ""}},
                      {}};
    const auto add = [&](const char* coefficient, double fitted, const Interval& interval) {
        table.rows.push_back({std::string{coefficient}, fitted, interval.low, interval.high});
    };
    add("E", surface.entropy, intervals.entropy);
    add("A", surface.params_coefficient, intervals.params_coefficient);
    add("B", surface.tokens_coefficient, intervals.tokens_coefficient);
    add("alpha", surface.alpha, intervals.alpha);
    add("beta", surface.beta, intervals.beta);
    add("a", optimal_params_exponent(surface), intervals.params_exponent);
    return table;
}

} // namespace

void add_circumstances(Document& answer, const ChinchillaQuestion& question) {
    if (question.unique_tokens)
        add_data(answer, question, *question.unique_tokens);
    if (question.experts)
        add_experts(answer, question, *question.experts);
    if (question.batch)
        add_steps(answer, question, *question.batch);
    if (question.serving)
        add_serving(answer, question);
    if (question.hours && !question.plan) // the plan has them
        add_hours(answer, question, *question.hours);
}

void add_over_training(Document& answer, const ChinchillaQuestion& question) {
    const LossSurface& surface = question.surface;
    const Allocation best = compute_optimal(surface, training_flops(*question.run));
    const bool has_price = question.hours && question.hours->has_price;
    ReportTable table{"over_training",
                      "smaller models, trained for longer than is optimal for the run's compute",
                      {{"run", "run", ""},
                       {"params", "N", ""},
                       {"tokens", "D", ""},
                       {"tokens_per_param", "D / N", ""},
                       {"relative_flops", "6 N D / optimum's", ""},
                       {"loss", "loss", "nats/token"},
                       {"served_to_pay", "pays from, served", "tokens"}},
                      {}};
    if (has_price)
        table.columns.emplace_back("cost_usd", "training", "USD");
    std::string never;
    for (const SmallerRun& smaller : smaller_runs(surface, best)) {
        const bool reached = smaller.tokens.has_value();
        const Allocation run{smaller.params, smaller.tokens.value_or(Tokens{not_known})};
        const bool same_loss = smaller.label.ends_with("same loss");
        std::vector<Cell> row{smaller.label,
                              run.params.count(),
                              run.tokens.count(),
                              tokens_per_param(run),
                              training_flops(run) / training_flops(best),
                              reached ? loss(surface, run) : not_known,
                              same_loss && reached ? served_to_pay(run, best) : not_known};
        if (has_price)
            row.emplace_back(reached ? question.hours->training.usd(training_flops(run))
                                     : not_known);
        table.rows.emplace_back(std::move(row));
        if (!reached && never.empty())
            never = fmt::format(" Models below {:.3g} parameters never reach the optimum's loss.",
                                min_params(surface, loss(surface, best)).count());
    }
    table.note =
        "A served token costs 2 N FLOP. From \"pays from, served\" on, the smaller model of "
        "the same loss is cheaper in training and serving together." +
        never;
    answer.add(std::move(table));
}

void add_fit(Document& answer, const FittedRuns& fitted) {
    const SurfaceError error = surface_error(fitted.fit.surface, fitted.runs);
    answer.add(
        Facts{"fit",
              "fit to " + fitted.file,
              {{"runs", "runs", static_cast<std::int64_t>(fitted.runs.size()), "", ""},
               {"left_out",
                "left out",
                static_cast<std::int64_t>(fitted.left_out),
                "",
                "of highest loss, --drop-highest"},
               {"objective",
                "objective",
                fitted.fit.objective,
                "",
                fmt::format("sum of Huber losses, delta {}, of log loss", huber_delta)},
               {"mean_absolute_error", "mean error", error.mean_absolute, "fraction", "|L^/L - 1|"},
               {"bias", "bias", error.bias, "fraction", "L^/L - 1"}}});
    if (fitted.intervals)
        answer.add(intervals_table(fitted.fit.surface, *fitted.intervals));
    answer.sources.emplace_back("fit: Hoffmann et al. 2022, Approach 3, as in Besiroglu et al. "
                                "2024, arXiv 2404.10102; intervals: bootstrap, Efron 1979");
}

}} // namespace bursar::tools
