#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/market/price_integral.hpp"

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/features/prices.hpp"
#include "scenarios/compile/jobs/training_notes.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/traces/trace_summary.hpp"

#include "reports/summary/uncertainty.hpp"
#include "reports/text/escape.hpp"

#include "tools/bursar/scenario_options.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/messages.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/simulate/budget_facts.hpp"
#include "tools/simulate/plan_files.hpp"
#include "tools/simulate/run_facts.hpp"

namespace bursar { inline namespace tools {
namespace {

double usd(MoneyRate rate) {
    return static_cast<double>(rate.count()) / nano_usd_per_usd;
}

/// Varying prices per GPU-hour: those of the file, or one year of drawn prices.
PriceSeries prices_of(const PoolSpec& pool, std::uint64_t seed) {
    return pool.drawn_price
               ? pool.drawn_price->per_gpu_hour(pool.gpus_per_node, year, seed, pool.name)
               : pool.file_price->per_gpu_hour(pool.gpus_per_node);
}

/// The mean price of a pool over the time of its price file or the drawn year; the price itself if
/// it does not vary.
MoneyRate mean_rate(const PoolSpec& pool, std::uint64_t seed) {
    if (!pool.list_price_varies())
        return pool.rate;
    PriceIntegrals prices;
    const PriceIntegral price = prices.of(prices.add(prices_of(pool, seed)));
    const Duration begin{pool.drawn_price ? 0 : pool.file_price->steps.start_ms.front()};
    const Duration length = pool.drawn_price ? year : Duration{pool.file_price->end_ms} - begin;
    if (length <= Duration{})
        return price.rate_at(begin);
    const Money paid = price.between(begin, begin + length);
    return MoneyRate{static_cast<std::int64_t>(paid.count() / length.count())};
}

std::string price_text(const PoolSpec& pool, std::uint64_t seed) {
    const std::string mean = fmt::format("{:.9g} USD/gpu-h", usd(mean_rate(pool, seed)));
    if (!pool.list_price_varies())
        return mean;
    const PriceSeries prices = prices_of(pool, seed);
    const auto [min, max] = std::ranges::minmax(prices.rate);
    return fmt::format("{} on average over {}, {:.9g} to {:.9g}",
                       mean,
                       pool.drawn_price ? "a year as drawn" : "its file",
                       usd(MoneyRate{min}),
                       usd(MoneyRate{max}));
}

/// "16", or "0..16" for a range.
std::string nodes_text(const PoolSpec& pool) {
    return pool.has_range() ? fmt::format("{}..{}", pool.min_nodes.value_or(0), pool.nodes)
                            : std::to_string(pool.nodes);
}

void print_fleet(const Scenario& scenario) {
    std::int64_t gpus = 0;
    double usd_per_hour = 0.0;
    put_text("fleet\n");
    for (const PoolSpec& pool : scenario.fleet) {
        const std::int64_t pool_gpus = pool.nodes * pool.gpus_per_node;
        put_text("  {:<16}{:>7} x {} {}, {} ({})\n",
                 pool.name,
                 nodes_text(pool),
                 pool.gpus_per_node,
                 pool.gpu,
                 price_text(pool, scenario.policy.seed),
                 terminal_text(pool.price_basis));
        gpus += pool_gpus;
        usd_per_hour += static_cast<double>(pool_gpus) * usd(mean_rate(pool, scenario.policy.seed));
    }
    const bool any_varies = std::ranges::any_of(scenario.fleet, &PoolSpec::list_price_varies);
    const bool any_range = std::ranges::any_of(scenario.fleet, &PoolSpec::has_range);
    put_text("  {}{} GPUs, {:.2f} USD per hour{}\n",
             any_range ? "at most " : "",
             gpus,
             usd_per_hour,
             any_varies ? " at mean prices" : "");
}

double in_days(Duration span) {
    return static_cast<double>(span.count()) / static_cast<double>(day.count());
}

/// Requested GPU time, at the speed of each job's fastest pool, over the GPU time of `gpus` GPUs
/// between the first and the last submit. Infinite if all jobs are submitted at once.
double offered_load(const Plan& plan, std::int64_t gpus) {
    double gpu_ms = 0.0;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        gpu_ms += static_cast<double>(plan.gpus(job)) * static_cast<double>(plan.work_ms[job]);
    return gpu_ms / (static_cast<double>(gpus) *
                     static_cast<double>(plan.submit_ms.back() - plan.submit_ms.front()));
}

void print_workload(const Compiled& compiled, const TraceSummary& summary) {
    std::int64_t gpus = 0;
    for (const PlanPool& pool : compiled.plan.pools)
        gpus += pool.num_gpus();
    put_text("workload\n  {} of {} over {:.1f} days, {:.1f} GPUs a job on average\n",
             counted(compiled.plan.num_jobs(), "job"),
             counted(summary.tenants, "tenant"),
             in_days(summary.span),
             summary.mean_gpus);
    const double load = offered_load(compiled.plan, gpus);
    std::set<std::uint32_t> sizes; // shapes may differ with equal size
    for (const JobShape& shape : compiled.plan.shapes)
        sizes.insert(shape.gpus);
    put_text("  {}{}\n",
             counted(sizes.size(), "gang size"),
             std::isfinite(load) ? fmt::format(", offered load {:.3f} of this fleet", load) : "");
}

void print_trained_gang(const Scenario& scenario, const TrainingSpec& spec, const TrainedOn& on) {
    constexpr double seconds_per_day = 86400.0;
    put_text("  {} on {} of {}: {} of {:.4g} s, {:.4g} days, {}\n",
             name(*spec.model),
             counted(static_cast<std::uint64_t>(on.gpus), "GPU"),
             scenario.fleet[on.pool].name,
             counted(static_cast<std::uint64_t>(on.steps), "step"),
             on.step.total().count(),
             on.total().count() / seconds_per_day,
             range_text(on.error));
    put_text("    {}; {}, {}\n", describe(on.layout), name(on.precision), on.stack);
    const Seconds whole = on.step.total();
    put_text("    stalls: comm {:.1f} %, bubble {:.1f} %, input {:.1f} %, sync {:.1f} %\n",
             100 * (on.step.communication() / whole),
             100 * (on.step.bubble / whole),
             100 * (on.step.input / whole),
             100 * (on.step.straggler / whole));
    put_text("    memory {:.1f} of {:.1f} GB usable per GPU, checkpoint {:.4g} GB\n",
             on.memory.total().count() / bytes_per_gb,
             on.usable.count() / bytes_per_gb,
             on.checkpoint.count() / bytes_per_gb);
}

/// The training of job classes with a model, per gang size and pool.
void print_training(const Scenario& scenario, const Compiled& compiled) {
    if (!compiled.trained.empty())
        put_text("training\n");
    for (const TrainedGang& gang : compiled.trained)
        for (const TrainedOn& on : gang.pools)
            print_trained_gang(scenario, scenario.classes[gang.job_class].training, on);
}

std::int64_t gpus_in_largest_group(const Plan& plan, std::size_t pool, std::size_t level) {
    const std::uint32_t* group = &plan.node_group[plan.level_begin[pool * plan.num_levels + level]];
    std::vector<std::int64_t> gpus(plan.pools[pool].num_nodes);
    for (std::size_t node = 0; node < gpus.size(); ++node)
        gpus[group[node]] += plan.pools[pool].gpus_per_node;
    return *std::ranges::max_element(gpus);
}

/// Levels of the plan that have the same groups in a pool.
struct SameLevels {
    std::size_t narrowest{};
    std::string names; ///< "rack, fabric"
};

/// The levels at which the pool can hold a gang.
std::vector<SameLevels> levels_for(const Compiled& compiled, std::size_t pool, std::int64_t gpus) {
    const Plan& plan = compiled.plan;
    const std::uint32_t* begin = &plan.level_begin[pool * plan.num_levels];
    std::vector<SameLevels> levels;
    for (std::size_t level = 0; level < plan.num_levels; ++level) {
        const std::string& name = compiled.labels.levels[level];
        if (gpus_in_largest_group(plan, pool, level) < gpus)
            continue;
        if (!levels.empty() && begin[level] == begin[levels.back().narrowest])
            levels.back().names += ", " + name;
        else
            levels.push_back({level, name});
    }
    return levels;
}

/// The training of this job's class on a pool; null: none.
const TrainedOn* training_of(const Compiled& compiled, std::size_t job, std::size_t pool) {
    for (const TrainedGang& gang : compiled.trained)
        if (gang.plan_class == compiled.plan.job_class[job])
            for (const TrainedOn& on : gang.pools)
                if (on.pool == pool)
                    return &on;
    return nullptr;
}

void print_levels_on(const Compiled& compiled, std::size_t job, std::size_t pool) {
    const Plan& plan = compiled.plan;
    const std::vector<SameLevels> levels = levels_for(compiled, pool, plan.gpus(job));
    if (levels.empty())
        return;
    const TrainedOn* training = training_of(compiled, job, pool);
    const auto speed = [&](const SameLevels& level) {
        return static_cast<double>(plan.speed_of(job, pool, level.narrowest)->speed);
    };
    put_text("  {} on {}, e.g. job {}\n",
             counted(plan.gpus(job), "GPU"),
             compiled.labels.pools[pool],
             terminal_text(compiled.labels.job(job)));
    for (const SameLevels& level : levels) {
        if (training != nullptr)
            put_text("    {:<11} {:.4g} s a step\n",
                     level.names,
                     training->step.total().count() * speed(levels.front()) / speed(level));
        else
            put_text("    {:<11} {:.4g} x the run time\n",
                     level.names,
                     static_cast<double>(reference_speed) / speed(level));
    }
}

/// Run time of gangs at each level, once per class and gang size.
void print_levels(const Compiled& compiled) {
    constexpr std::size_t max_shown = 12;
    const Plan& plan = compiled.plan;
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::size_t> gangs; // the first job of each
    for (std::size_t job = 0; job < plan.num_jobs() && plan.num_levels > 1; ++job)
        if (plan.gpus(job) > 1 && plan.speed_of(job, 0) != nullptr)
            gangs.try_emplace({plan.job_class[job], plan.gpus(job)}, job);
    if (gangs.empty())
        return;
    put_text("levels\n");
    std::size_t shown = 0;
    for (const auto& [gang, job] : gangs) {
        if (shown++ == max_shown)
            break;
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
            if ((plan.shapes[plan.shape[job]].permitted_pools >> pool & 1U) != 0)
                print_levels_on(compiled, job, pool);
    }
    if (gangs.size() > max_shown)
        put_text("  and {} of other classes or sizes\n", counted(gangs.size() - max_shown, "gang"));
}

void print_time(const Scenario& scenario) {
    put_text("time\n  runs until {}",
             scenario.until               ? fmt::format("day {:.2f}", in_days(*scenario.until))
             : scenario.until_last_submit ? std::string{"the last submit"}
                                          : std::string{"the last job has finished"});
    if (scenario.measure_from > Duration{} || scenario.measure_to)
        put_text(", measured from day {:.2f} to {}",
                 in_days(scenario.measure_from),
                 scenario.measure_to ? fmt::format("day {:.2f}", in_days(*scenario.measure_to))
                                     : std::string{"the end"});
    put_text("{}\n", scenario.seeds > 1 ? fmt::format(", with {} seeds", scenario.seeds) : "");
}

void print_policy(const Scenario& scenario) {
    const PolicyLabels labels = labels_of(scenario);
    put_text("policy\n");
    for (const PolicyLabel& label : policy_labels)
        if (!(labels.*label.text).empty())
            put_text("  {:<12}{}\n", label.name, labels.*label.text);
}

void print_notes(const Scenario& scenario, const Compiled& compiled) {
    for (const std::string& note : compiled.trace_notes)
        put_text("trace: {}\n", note);
    for (const std::string& assumed : compiled.notes.decisive)
        put_text("assumed: {}\n", assumed);
    for (const std::string& assumed : scenario.assumed)
        put_text("assumed: {}\n", assumed);
    for (const std::string& unmodelled : scenario.unmodelled)
        put_text("not modelled: {}\n", unmodelled);
    for (const std::string& unmodelled : compiled.notes.unmodelled)
        put_text("not modelled: {}\n", unmodelled);
    for (const std::string& assumed : assumed_under(scenario.policy, compiled.notes.assumed))
        put_text("assumed: {}\n", assumed);
    const Plan& plan = compiled.plan;
    const Duration end = plan.until.value_or(Duration{plan.submit_ms.back()});
    const Notes prices = run_notes_of_prices(scenario, plan, compiled.labels.zero_utc_ms, end);
    for (const std::string& unmodelled : prices.unmodelled)
        put_text("not modelled: {}\n", terminal_text(unmodelled));
    for (const std::string& assumed : prices.assumed)
        put_text("assumed: {}\n", terminal_text(assumed));
    for (const std::string& warning : prices.warnings)
        log("warning: {}\n", warning);
    for (const std::string& warning : compiled.notes.warnings)
        log("warning: {}\n", warning);
}

void check_scenario(const ScenarioOptions& input) {
    const LoadedScenario loaded = load_scenario(input.source());
    const Scenario& scenario = loaded.scenario;
    print_warnings(scenario);
    const Trace trace = load_workload(scenario, first_seed(scenario, input.seed));
    const TraceSummary summary = summarise(trace);
    const Compiled compiled = compile(scenario, *loaded.catalogue, trace);
    check_budgets(scenario, compiled.labels);
    put_text("{}\n", in_quotes(scenario.name));
    print_fleet(scenario);
    print_workload(compiled, summary);
    print_training(scenario, compiled);
    print_levels(compiled);
    print_policy(scenario);
    print_time(scenario);
    print_notes(scenario, compiled);
}

/// A plan holds less than its scenario: not the trace.
void check_plan(const ScenarioOptions& input) {
    const LoadedPlan plan = load_plan(input.file);
    input.check_for_plan(plan.run.seed());
    const Scenario& scenario = plan.run.scenario;
    const Compiled& compiled = *plan.run.compiled;
    print_warnings(scenario);
    put_text("{}\n", in_quotes(scenario.name));
    put_text("plan\n  compiled from {} by bursar {}{}\n",
             terminal_text(plan.origin.file),
             plan.origin.version,
             is_random(scenario) ? fmt::format(" with seed {}", plan.run.seed()) : "");
    for (const Override& set : plan.origin.overrides)
        put_text("  --set {}={}\n", terminal_text(set.path), terminal_text(set.value));
    print_fleet(scenario);
    put_text("workload\n  {} of {}, {}\n",
             counted(compiled.plan.num_jobs(), "job"),
             counted(compiled.plan.num_tenants, "tenant"),
             counted(compiled.plan.shapes.size(), "gang size"));
    print_policy(scenario);
    print_time(scenario);
    print_notes(scenario, compiled);
}

} // namespace

void add_check_command(Command program) {
    add_command(
        program,
        "check",
        "check a scenario and print what it would run, without simulating",
        scenario_options("scenario file (YAML), or a plan file of `compile`").required("SCENARIO"),
        [](const ScenarioOptions& input) {
            if (is_plan_file(input.file))
                check_plan(input);
            else
                check_scenario(input);
            put_text("ok: {} would run\n", input.file);
        });
}

}} // namespace bursar::tools
