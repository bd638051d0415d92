#include <cmath>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "scenarios/compile/compile.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/traces/trace_summary.hpp"

#include "tools/bursar/command.hpp"
#include "tools/bursar/messages.hpp"
#include "tools/bursar/scenario_options.hpp"
#include "tools/bursar/training_summary.hpp"

namespace bursar {
namespace {

void print_fleet(const Scenario& scenario) {
    std::int64_t gpus = 0;
    double usd_per_hour = 0.0;
    fmt::print("fleet\n");
    for (const PoolSpec& pool : scenario.fleet) {
        const std::int64_t pool_gpus = pool.nodes * pool.gpus_per_node;
        const double rate = static_cast<double>(pool.rate.count()) / nano_usd_per_usd;
        fmt::print("  {:<16}{:>7} x {} {}, {:.9g} USD/gpu-h ({})\n",
                   pool.name,
                   pool.nodes,
                   pool.gpus_per_node,
                   pool.gpu,
                   rate,
                   pool.price_basis);
        gpus += pool_gpus;
        usd_per_hour += static_cast<double>(pool_gpus) * rate;
    }
    fmt::print("  {} GPUs, {:.2f} USD per hour\n", gpus, usd_per_hour);
}

double in_days(Duration span) {
    return static_cast<double>(span.count()) / static_cast<double>(day.count());
}

/// GPU time asked for, at the speed of where it goes fastest, over what `gpus` GPUs have between
/// the first and the last submit; infinite when all jobs come at once.
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
    fmt::print("workload\n  {} of {} over {:.1f} days, {:.1f} GPUs a job on average\n",
               counted(compiled.plan.num_jobs(), "job"),
               counted(summary.tenants, "tenant"),
               in_days(summary.span),
               summary.mean_gpus);
    const double load = offered_load(compiled.plan, gpus);
    fmt::print("  {}{}\n",
               counted(compiled.plan.shapes.size(), "gang size"),
               std::isfinite(load) ? fmt::format(", offered load {:.3f} of this fleet", load) : "");
}

void print_time(const Scenario& scenario) {
    fmt::print("time\n  runs until {}",
               scenario.until ? fmt::format("day {:.2f}", in_days(*scenario.until))
                              : std::string{"the last job has finished"});
    if (scenario.measure_from > Duration{} || scenario.measure_to)
        fmt::print(", measured from day {:.2f} to {}",
                   in_days(scenario.measure_from),
                   scenario.measure_to ? fmt::format("day {:.2f}", in_days(*scenario.measure_to))
                                       : std::string{"the end"});
    fmt::print("{}\n", scenario.seeds > 1 ? fmt::format(", with {} seeds", scenario.seeds) : "");
}

void print_policy(const PolicySpec& policy) {
    fmt::print("policy\n  queue {}, head {}, capacity {}, placement {}, broker {}\n",
               policy.queue,
               policy.head,
               policy.capacity,
               policy.placement,
               policy.broker);
}

} // namespace

void add_check_command(CLI::App& program) {
    CLI::App* command = program.add_subcommand(
        "check", "say what is wrong with a scenario, or what it would run; no simulation");
    const auto input = std::make_shared<ScenarioOptions>();
    input->add_to(*command);
    command->callback([input] {
        const Catalogue catalogue = input->catalogue();
        const Scenario scenario = input->read(catalogue);
        print_warnings(scenario);
        Trace trace = load_workload(scenario, first_seed(scenario, input->seed));
        const TraceSummary summary = summarise(trace);
        const Compiled compiled = compile(scenario, catalogue, std::move(trace));
        fmt::print("{}\n", in_quotes(scenario.name));
        print_fleet(scenario);
        print_workload(compiled, summary);
        print_training(scenario, compiled);
        print_policy(scenario.policy);
        print_time(scenario);
        for (const std::string& note : compiled.trace_notes)
            fmt::print("trace: {}\n", note);
        for (const std::string& assumed : scenario.assumed)
            fmt::print("assumed: {}\n", assumed);
        for (const std::string& unmodelled : scenario.unmodelled)
            fmt::print("not modelled: {}\n", unmodelled);
        for (const std::string& assumed : compiled.assumed)
            fmt::print("assumed: {}\n", assumed);
        for (const std::string& warning : compiled.warnings)
            say("warning: {}\n", warning);
        fmt::print("ok: {} would run\n", input->file);
    });
}

} // namespace bursar
