#include <memory>

#include <fmt/format.h>

#include "scenarios/compile/compile.hpp"
#include "scenarios/traces/trace_summary.hpp"

#include "tools/bursar/command.hpp"
#include "tools/bursar/scenario_options.hpp"

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

void print_workload(const Compiled& compiled, const TraceSummary& summary) {
    std::int64_t gpus = 0;
    for (const PlanPool& pool : compiled.plan.pools)
        gpus += pool.num_gpus();
    fmt::print("workload\n  {} jobs of {} tenants over {:.1f} days, {:.1f} GPUs a job on average\n",
               compiled.plan.num_jobs(),
               summary.tenants,
               static_cast<double>(summary.span.count()) / static_cast<double>(day.count()),
               summary.mean_gpus);
    fmt::print("  {} distinct gangs, offered load {:.3f} of this fleet\n",
               compiled.plan.shapes.size(),
               summary.offered_load(gpus));
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
        fmt::print("{}\n", scenario.name);
        print_fleet(scenario);
        print_workload(compiled, summary);
        print_policy(scenario.policy);
        for (const std::string& note : compiled.trace_notes)
            fmt::print("trace: {}\n", note);
        for (const std::string& assumed : scenario.assumed)
            fmt::print("assumed: {}\n", assumed);
        for (const std::string& assumed : compiled.assumed)
            fmt::print("assumed: {}\n", assumed);
        for (const std::string& warning : compiled.warnings)
            fmt::print(stderr, "warning: {}\n", warning);
        fmt::print("ok: {} would run\n", input->file);
    });
}

} // namespace bursar
