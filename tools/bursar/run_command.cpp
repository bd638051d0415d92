#include <algorithm>
#include <string>
#include <utility>

#include "scenarios/examples/demo.hpp"

#include "reports/bill/budgets.hpp"

#include "tools/bursar/output_options.hpp"
#include "tools/bursar/scenario_options.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/progress_line.hpp"
#include "tools/simulate/plan_files.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar { inline namespace tools {

namespace {

/// Checks --bucket before the run, if the scenario has an end.
void check_bucket(const OutputChoice& output, const Scenario& scenario) {
    if (scenario.until)
        output.check_bucket(*scenario.until, scenario.fleet.size());
}

Record record_for(const OutputChoice& output, const Scenario& scenario) {
    const bool has_months =
        output.shows_months() && std::ranges::any_of(scenario.fleet, &PoolSpec::launches);
    return output.needs_timeline() || has_months ? Record::timeline : Record::jobs;
}

void show(OutputChoice& output, const Result& result, const InputFiles& inputs) {
    output.show(result, inputs);
    if (const std::string failed = failed_budgets(result); !failed.empty())
        throw AssertionFailed{failed};
}

void run_from_plan(const ScenarioOptions& input, OutputChoice& output) {
    const LoadedPlan plan = load_plan(input.file);
    input.check_for_plan(plan.run.seed());
    print_warnings(plan.run.scenario);
    const InputFiles inputs{plan.inputs};
    output.check(inputs);
    check_bucket(output, plan.run.scenario);
    const Record record = record_for(output, plan.run.scenario);
    const Result result = with_progress("jobs", [&](const OnProgress& on_progress) {
        return run_alone(plan.run, {input.seed, record, on_progress});
    });
    show(output, result, inputs);
}

void run_from_scenario(const ScenarioOptions& input, OutputChoice& output) {
    LoadedScenario loaded = load_scenario(input.source());
    print_warnings(loaded.scenario);
    const InputFiles inputs{loaded.scenario.inputs};
    output.check(inputs);
    check_bucket(output, loaded.scenario);
    const Record record = record_for(output, loaded.scenario);
    const Result result = with_progress("jobs", [&](const OnProgress& on_progress) {
        return run_scenario(std::move(loaded), {input.seed, record, on_progress});
    });
    show(output, result, inputs);
}

} // namespace

void add_run_command(Command program) {
    struct RunOptions {
        ScenarioOptions input;
        OutputChoice output;
    };
    add_command(program,
                "run",
                "simulate a scenario and print its bill",
                option_table<RunOptions>(
                    {{&RunOptions::input,
                      scenario_options("scenario file (YAML), or a plan file of `compile`")},
                     {&RunOptions::output, output_options()}})
                    .required("SCENARIO"),
                [](RunOptions& options) {
                    if (is_plan_file(options.input.file))
                        run_from_plan(options.input, options.output);
                    else
                        run_from_scenario(options.input, options.output);
                });
}

void add_demo_command(Command program) {
    add_command(program,
                "demo",
                "run a small built-in scenario",
                output_options(),
                [](OutputChoice& output) {
                    LoadedScenario loaded =
                        load_scenario({.file = "demo.yaml", .text = std::string{demo_scenario()}});
                    output.check({});
                    const Record record = output.needs_timeline() ? Record::timeline : Record::jobs;
                    const Result result = with_progress("jobs", [&](const OnProgress& on_progress) {
                        return run_scenario(std::move(loaded),
                                            {.record = record, .on_progress = on_progress});
                    });
                    output.show(result, {});
                });
}

}} // namespace bursar::tools
