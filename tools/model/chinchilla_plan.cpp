#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "models/convergence/critical_batch.hpp"
#include "models/errors/model_error.hpp"
#include "models/training/job/check_layout.hpp"
#include "models/training/job/flops.hpp"
#include "models/training/search/layout_budget.hpp"

#include "scenarios/catalog/architectures.hpp"

#include "reports/text/human_number.hpp"

#include "tools/model/chinchilla.hpp"
#include "tools/model/job_parts.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr double first_utilisation = 0.4; ///< where the search for a shape begins
constexpr double max_plan_gpus = 1'000'000;
constexpr std::size_t max_node_counts = 5;  ///< numbers of nodes tried
constexpr double max_size_ratio = 1.5;      ///< of a shape that stands for a run, without a warning
constexpr std::int64_t max_sequence = 8192; ///< longer ones are trained for a small part of a run

/// Whether 2, 3 and 5 are its only prime factors: such numbers of nodes have many layouts.
bool divides_well(std::int64_t number) {
    for (const std::int64_t factor : {2, 3, 5})
        while (number % factor == 0)
            number /= factor;
    return number == 1;
}

/// Dense decoders of the catalogue, any of which may stand for a run of about its size.
std::vector<const Transformer*> decoders() {
    std::vector<const Transformer*> found;
    for (const Architecture& architecture : builtin_architectures().all)
        if (const auto* transformer = std::get_if<Transformer>(&architecture))
            if (transformer->causal && !transformer->experts)
                found.push_back(transformer);
    return found;
}

double size_ratio(const Transformer& shape, Parameters params) {
    return active_parameters(shape) / params.count();
}

/// The nearest in size. One without a gated feed-forward block, as older networks are, is taken
/// only if it is max_size_ratio times as near.
std::size_t nearest_shape(const std::vector<const Transformer*>& shapes, Parameters params) {
    const auto distance = [&](const Transformer* shape) {
        const bool is_gated = shape->ffn_matrices == 3;
        return std::abs(std::log(size_ratio(*shape, params))) +
               (is_gated ? 0 : std::log(max_size_ratio));
    };
    const auto nearest = std::ranges::min_element(shapes, {}, distance);
    return static_cast<std::size_t>(nearest - shapes.begin());
}

/// Sequences per step on `gpus` GPUs within 10 % of `wanted`: a multiple of the largest divisor of
/// their number that allows it, so that many layouts divide it.
std::int64_t batch_that_divides(double wanted, std::int64_t gpus) {
    constexpr double tolerance = 0.1;
    constexpr double max_sequences = 1e12;
    wanted = std::clamp(wanted, 1.0, max_sequences);
    for (std::int64_t part = 1; part <= gpus; ++part) {
        if (gpus % part != 0)
            continue;
        const std::int64_t divisor = gpus / part;
        const std::int64_t batch = divisor * std::llround(wanted / real(divisor));
        if (std::abs(real(batch) - wanted) <= tolerance * wanted)
            return batch;
    }
    return std::llround(wanted);
}

/// The step of `shape` under its fastest layout on `gpus` GPUs. Throws ModelError if none fits.
PlannedStep planned_step(const MoneyQuestion& money, const Transformer& shape, std::int64_t gpus) {
    PlannedStep planned;
    TrainingJob& job = planned.job;
    job.model = shape;
    job.sequence = std::min(shape.sequence, max_sequence);
    const Gpu& gpu = money.cluster.gpu;
    const Cluster cluster =
        NodeOptions{}.cluster_of(money.gpu, "--gpu", std::max(gpus, money.cluster.gpus_per_node));
    planned.gpu = gpu.name;
    planned.stack = money.stack.settle_for_search(job, gpu);
    const StackProfile& profile = planned.stack.profile;
    const Tokens batch = money.batch.value_or(surface_batch);
    const LayoutSpace space =
        usual_layout_space(job, gpus, batch_that_divides(batch.count() / real(job.sequence), gpus));
    LayoutSearch found;
    try {
        found = fitting_layouts(job, cluster, profile, space, 1, planned.stack.settings.overheads);
    } catch (const ModelError& error) {
        throw ModelError{error.parameter(), shape.name + ": " + error.problem(), error.remedy()};
    }
    job.layout = found.best.front().layout;
    planned.layouts = found.evaluated;
    planned.step = found.best.front().step;
    planned.utilisation = flops_utilization(
        flops_per_token(shape, job.sequence, FlopConvention::six_n) * planned.tokens(),
        planned.step,
        real(gpus),
        dense_peak(gpu, job.precision));
    return planned;
}

/// Numbers of GPUs that spend the money within the deadline, the smallest first.
std::vector<std::int64_t> gpu_counts(const MoneyQuestion& money, Seconds deadline) {
    const double fewest = money.gpu_hours() * seconds_per_hour / deadline.count();
    if (!(fewest <= max_plan_gpus))
        throw ModelError{
            "--dollars",
            fmt::format("{:.4g} USD in {:.4g} days at {:.4g} USD/gpu-h are {:.3g} GPUs, more than "
                        "{:.0f}",
                        money.dollars,
                        deadline.count() / seconds_per_day,
                        money.price,
                        fewest,
                        max_plan_gpus),
            "give more --days, or fewer dollars"};
    const std::int64_t of_node = money.cluster.gpus_per_node;
    std::vector<std::int64_t> counts;
    for (std::int64_t gpus = 1; gpus < of_node; gpus *= 2)
        if (real(gpus) >= fewest)
            counts.push_back(gpus);
    const auto first = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::ceil(fewest / real(of_node) - 1e-9)));
    for (std::int64_t nodes = first; counts.size() < max_node_counts; ++nodes)
        if (nodes == first || divides_well(nodes))
            counts.push_back(nodes * of_node);
    return counts;
}

/// The plan on `gpus` GPUs: the size of the run follows from the utilisation, which follows from
/// the size.
MoneyPlan plan_on(const MoneyQuestion& money,
                  std::int64_t gpus,
                  std::optional<Seconds> deadline,
                  const std::function<Allocation(Flops)>& run_of) {
    MoneyPlan plan;
    plan.money = money;
    plan.duration = Seconds{money.gpu_hours() * seconds_per_hour / real(gpus)};
    if (deadline)
        plan.duration = std::min(plan.duration, *deadline);
    plan.full_rate = dense_peak(money.cluster.gpu, *money.stack.precision) * real(gpus);
    std::vector<const Transformer*> shapes = decoders();
    if (money.shape)
        shapes = {&*money.shape};
    const auto shape_at = [&](double utilisation) {
        return nearest_shape(shapes, run_of(plan.compute(utilisation)).params);
    };
    std::vector<std::optional<PlannedStep>> steps(shapes.size());
    const auto settled = settled_shape(shape_at(first_utilisation), shape_at, [&](std::size_t at) {
        steps[at] = planned_step(money, *shapes[at], gpus);
        return steps[at]->utilisation;
    });
    plan.step = *std::move(steps[settled]);
    return plan;
}

std::string gpus_note(const MoneyPlan& plan) {
    const MoneyQuestion& money = plan.money;
    if (money.gpus)
        return "--gpus";
    if (plan.gpus_tried.size() == 1)
        return "the fewest that spend the money within the time";
    return fmt::format("from {} to {} tried: the most compute within the time",
                       human_count(plan.gpus_tried.front()),
                       human_count(plan.gpus_tried.back()));
}

/// The command that prints the planned layout.
std::string layout_command(const MoneyPlan& plan) {
    const TrainingJob& job = plan.step.job;
    return fmt::format("bursar model layout --model {}{} --gpu {} --gpus {} --global-batch {}{}",
                       job.model.name,
                       job.sequence == job.model.sequence ? std::string{}
                                                          : fmt::format(" --seq {}", job.sequence),
                       plan.money.gpu,
                       job.layout.gpus(),
                       job.layout.global_batch(),
                       job.precision == usual_precision(plan.money.cluster.gpu)
                           ? std::string{}
                           : fmt::format(" --precision {}", name(job.precision)));
}

std::string per_cent(double share) {
    return human_number(100 * share) + " %";
}

/// "neither --days nor --gpus is given: 30 days are assumed"; empty: one is.
std::string assumed_days(const MoneyQuestion& money) {
    if (money.deadline || money.gpus)
        return {};
    return fmt::format("neither --days nor --gpus is given: {:.0f} days are assumed",
                       assumed_deadline.count() / seconds_per_day);
}

/// What the plan assumes, for programs.
std::string assumption_of(const ChinchillaQuestion& question, const MoneyPlan& plan) {
    const Transformer& timed = plan.step.job.model;
    std::string text = fmt::format("timed as {}, {:.3g} of N; no failures, no saves",
                                   timed.name,
                                   size_ratio(timed, question.run->params));
    const std::string days = assumed_days(plan.money);
    return days.empty() ? text : days + "; " + text;
}

/// The plan if steps take as long as modelled, and at either end of their 80 % range. A row is the
/// run that the same money and time pay for then; the columns planned_* are of the planned run,
/// were it trained to its end all the same.
ReportTable range_table(const ChinchillaQuestion& question, const MoneyPlan& plan) {
    ReportTable table{"range",
                      "the plan within the 80 % range of the step time",
                      {{"case", "steps take", ""},
                       {"utilisation", "utilisation", "fraction"},
                       {"flops", "compute", "FLOP"},
                       {"params", "N", ""},
                       {"tokens", "D", ""},
                       {"loss", "loss", "nats/token"},
                       {"planned_duration_s", "time of the planned run", "s"},
                       {"planned_cost_usd", "its cost", "USD"},
                       {"duration_s", "time", "s", true},
                       {"cost_usd", "cost", "USD", true},
                       {"gpus", "GPUs", "", true},
                       {"steps", "steps", "", true},
                       {"step_s", "step", "s", true},
                       {"assumed", "assumed", "", true}},
                      {}};
    const std::string assumed = assumption_of(question, plan);
    const auto add = [&](const std::string& label, double longer) {
        const double utilisation = plan.step.utilisation / longer;
        const Allocation run = plan.run_of(plan.compute(utilisation));
        const double steps = run.tokens.count() / plan.step.tokens();
        table.rows.push_back({label,
                              utilisation,
                              plan.compute(utilisation).count(),
                              run.params.count(),
                              run.tokens.count(),
                              loss(question.surface, run),
                              plan.duration.count() * longer,
                              plan.cost() * longer,
                              plan.duration.count(),
                              plan.cost(),
                              plan.gpus(),
                              steps,
                              plan.duration.count() / steps,
                              assumed});
    };
    const StepError error = plan.step.error();
    if (error.range.high > 1)
        add(per_cent(error.range.high - 1) + " longer", error.range.high);
    add("as modelled", 1);
    if (error.range.low < 1)
        add(per_cent(1 - error.range.low) + " shorter", error.range.low);
    table.note =
        fmt::format("N, D and loss: what the same money trains then. Steps are within this "
                    "range in 80 % of cases ({}). The loss surface has an error, too, "
                    "which is not in it.",
                    error.why);
    return table;
}

} // namespace

MoneyPlan plan_for(const MoneyQuestion& money, std::function<Allocation(Flops)> run_of) {
    std::optional<Seconds> deadline = money.deadline;
    if (!deadline && !money.gpus)
        deadline = assumed_deadline;
    const std::vector<std::int64_t> counts =
        money.gpus ? std::vector{*money.gpus} : gpu_counts(money, *deadline);
    std::optional<MoneyPlan> best;
    std::optional<ModelError> unfit;
    for (const std::int64_t gpus : counts) {
        try {
            MoneyPlan plan = plan_on(money, gpus, deadline, run_of);
            if (!best || plan.compute(plan.step.utilisation) > best->compute())
                best = std::move(plan);
        } catch (const ModelError& error) {
            unfit = error;
        }
    }
    if (!best)
        throw *unfit;
    best->gpus_tried = counts;
    best->run_of = std::move(run_of);
    return *std::move(best);
}

void add_plan(Document& answer, const ChinchillaQuestion& question, const MoneyPlan& plan) {
    const MoneyQuestion& money = plan.money;
    const TrainingJob& job = plan.step.job;
    const double ratio = size_ratio(job.model, question.run->params);
    const double steps = question.run->tokens.count() / plan.step.tokens();
    Facts section{
        "plan",
        "the plan for --dollars",
        {{"budget_usd", "budget", money.dollars, "USD", "--dollars"},
         {"price", "price", money.price, "USD/gpu-h", "--price"},
         {"gpu", "GPU", money.gpu, "", ""},
         {"gpus", "GPUs", plan.gpus(), "", gpus_note(plan)},
         {"duration_s",
          "wall-clock time",
          plan.duration.count(),
          "s",
          "no failures, no saves (`bursar model checkpoint` has them)"},
         {"gpu_hours", "GPU-hours", plan.gpu_hours(), "h", "GPUs x time"},
         {"cost_usd", "cost", plan.cost(), "USD", "GPU-hours x price"},
         {"utilisation",
          "utilisation",
          plan.step.utilisation,
          "fraction",
          "6 N tokens / (step x GPUs x peak), from the step model"},
         {"shape",
          "timed as",
          job.model.name,
          "",
          money.shape
              ? fmt::format("--model, {:.3g} of N", ratio)
              : fmt::format("the catalogue's nearest, gated ones first: {:.3g} of N", ratio)},
         {"layout",
          "layout",
          ranks_text(job.layout),
          "",
          fmt::format("the first of {} that fit, by `{}`",
                      human_count(plan.step.layouts),
                      layout_command(plan))},
         {"global_batch",
          "global batch",
          job.layout.global_batch(),
          "sequences",
          money.batch ? "near --batch-tokens"
                      : "near the batch of the loss surface, " +
                            human_number(surface_batch.count()) + " tokens"},
         {"sequence", "tokens of a sequence", job.sequence, "", ""},
         {"timed_step_s",
          "step of that network",
          plan.step.step.count(),
          "s",
          "`bursar model step` has its terms"},
         {"step_s",
          "step of the run",
          plan.duration.count() / steps,
          "s",
          "at the same utilisation: longer by N over the size of that network"},
         {"steps", "steps", steps, "", "D / tokens per step; x step: the wall-clock time"}},
        false};
    add_range(section, "range", "80 % of steps", plan.step.error());
    answer.add(std::move(section));
    answer.add(range_table(question, plan));
    answer.sources.push_back(
        fmt::format("step time: models/FORMULAS.md sections 3.4 and 4; stack {}",
                    plan.step.stack.profile.name));
    if (std::string days = assumed_days(money); !days.empty())
        answer.warnings.push_back(std::move(days));
    if (const double left = money.dollars - plan.cost(); left > 1e-6 * money.dollars)
        answer.warnings.push_back(
            fmt::format("{} GPUs spend {:.4g} of {:.4g} USD in {:.4g} days; {:.0f} would spend all",
                        plan.gpus(),
                        plan.cost(),
                        money.dollars,
                        plan.duration.count() / seconds_per_day,
                        std::ceil(real(plan.gpus()) * money.dollars / plan.cost())));
    if (std::max(ratio, 1 / ratio) > max_size_ratio)
        answer.warnings.push_back(fmt::format(
            "the run was timed as {}, which has {:.3g} times its size", job.model.name, ratio));
    if (!money.batch && job.layout.global_batch() * money.cluster.gpus_per_node < plan.gpus())
        answer.warnings.push_back(fmt::format(
            "{} sequences a step are fewer than the nodes, which costs utilisation: give "
            "--batch-tokens; the critical batch at this loss is {:.2g} tokens",
            human_count(job.layout.global_batch()),
            critical_batch(loss(question.surface, *question.run)).count()));
    for (const std::string& warning : layout_warnings(job, money.cluster))
        answer.warnings.push_back(warning);
}

}} // namespace bursar::tools
