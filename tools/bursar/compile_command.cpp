#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "scenarios/compile/jobs/workload.hpp"

#include "reports/files/write_files.hpp"
#include "reports/text/escape.hpp"

#include "tools/bursar/scenario_options.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/messages.hpp"
#include "tools/simulate/plan_files.hpp"

namespace bursar { inline namespace tools {
namespace {

struct CompileOptions {
    ScenarioOptions input;
    std::string file;
};

/// Logs the file, its size and the seed it was compiled with.
void log_written(const std::string& file, const CompiledRun& run, std::size_t num_bytes) {
    const Scenario& scenario = run.scenario;
    std::string seed;
    if (is_random(scenario))
        seed = fmt::format(", seed {}", run.seed());
    if (is_random(scenario) && scenario.seeds > 1)
        seed +=
            fmt::format(" only (the scenario has {} seeds; --seed selects one)", scenario.seeds);
    log("written to {}: {}{}, {:.1f} kB\n",
        terminal_text(file),
        counted(run.compiled->plan.num_jobs(), "job"),
        seed,
        static_cast<double>(num_bytes) / 1e3);
}

void compile_to_file(const CompileOptions& options) {
    const ScenarioSource source = with_text(options.input.source());
    LoadedScenario loaded = load_scenario(source);
    print_warnings(loaded.scenario);
    InputFiles inputs{loaded.scenario.inputs};
    inputs.add(source.file);
    inputs.refuse(options.file);
    const CompiledRun run = compile_run(loaded, first_seed(loaded.scenario, options.input.seed));
    loaded.workloads.reset();
    const std::vector<std::byte> bytes = plan_file_of(source, run);
    write_file(options.file, inputs, [&](TextSink& sink) {
        sink.put({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    });
    log_written(options.file, run, bytes.size());
}

} // namespace

void add_compile_command(Command program) {
    using T = CompileOptions;
    add_command(
        program,
        "compile",
        "compile a scenario to a plan file for `run`",
        option_table<T>({{&T::input, scenario_options()},
                         {{"-o,--output", &T::file, file_name()}, "the plan file to write"}})
            .describe("--seed", "seed to compile with (default: the scenario's first)")
            .required("SCENARIO")
            .required("--output"),
        compile_to_file);
}

}} // namespace bursar::tools
