#include "tools/bursar/swept_options.hpp"

namespace bursar::inline tools {
namespace {

constexpr std::int64_t max_sweep_seeds = 10'000;

} // namespace

void SweptOptions::add_to(Command command) {
    command.add_option("SCENARIO", input.file, "scenario file (YAML)");
    input.add_to(command, /*with_file=*/false);
    command
        .add_option("--vary",
                    vary,
                    "values of a path, e.g. --vary policy.queue=fifo,sjf or --vary "
                    "fleet.p.nodes=30..60:5; repeated: every combination; `A=1,2; B=3,4` change "
                    "together (default: the scenario's `sweep`)")
        .type_name("PATH=V1,V2")
        .one_value_each();
    command.add_option("--seeds", seeds, up_to(max_sweep_seeds), "seeds of each scenario")
        .type_name("N");
    command
        .add_option("--max-scenarios",
                    max_scenarios,
                    up_to(1'000'000'000'000),
                    "more runs are refused (default: 1000000)")
        .type_name("N");
}

SweepRequest SweptOptions::request() const {
    if (input.file.empty())
        throw UsageError{"SCENARIO is required\nRun with --help for more information."};
    SweepRequest request{.source = input.source(),
                         .seed = input.seed,
                         .seeds = seeds,
                         .max_scenarios = max_scenarios};
    for (const std::string& text : vary)
        request.vary.push_back(parse_axis(text));
    return request;
}

} // namespace bursar::inline tools
