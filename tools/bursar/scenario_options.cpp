#include "tools/bursar/scenario_options.hpp"

#include <string_view>

#include <fmt/format.h>

#include "scenarios/compile/plan_key.hpp"

#include "reports/text/escape.hpp"

#include "tools/command_line/messages.hpp"
#include "tools/simulate/plan_files.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::int64_t max_sweep_seeds = 10'000;
constexpr RealRange pruning_margins{0.001, 0.999};

} // namespace

OptionTable<ScenarioOptions> scenario_options(const std::string& help, const std::string& name) {
    using T = ScenarioOptions;
    return option_table<T>({{{name, &T::file, argument()}, help},
                            {{"--set", &T::sets, repeated("PATH=VALUE", {}, NamesForm::setting)},
                             "override a value, e.g. --set policy.queue=sjf; PATH= removes it"},
                            {{"--seed", &T::seed, whole_in(any_seed)},
                             "seed of the first run (default: the scenario's)"},
                            {{"--catalog", &T::catalogue_file, file_name()},
                             "GPU catalogue in place of the built-in one"},
                            {{"--stacks", &T::stacks_file, file_name()},
                             "software-stack profiles in place of the built-in ones"},
                            {{"--architectures", &T::architectures_file, file_name()},
                             "networks in place of the built-in ones"}});
}

ScenarioSource ScenarioOptions::source() const {
    if (is_plan_file(file))
        throw UsageError{
            fmt::format("{}: is a plan file, which `bursar run`, `sweep` and `check` take; give "
                        "the scenario that it was compiled from",
                        terminal_text(file))};
    ScenarioSource source{.file = file,
                          .catalogue_file = catalogue_file,
                          .stacks_file = stacks_file,
                          .architectures_file = architectures_file};
    for (const std::string& set : sets)
        source.overrides.push_back(parse_override(set));
    return source;
}

void ScenarioOptions::check_for_plan(std::uint64_t plan_seed) const {
    const auto refuse = [&](std::string_view option) {
        throw UsageError{fmt::format("{}: {} changes a scenario, and this is a plan, compiled "
                                     "already; give it to `bursar compile`",
                                     terminal_text(file),
                                     option)};
    };
    if (!sets.empty())
        refuse("--set");
    if (!catalogue_file.empty())
        refuse("--catalog");
    if (!stacks_file.empty())
        refuse("--stacks");
    if (!architectures_file.empty())
        refuse("--architectures");
    if (seed && static_cast<std::uint64_t>(*seed) != plan_seed)
        throw UsageError{fmt::format("{}: --seed {}: the plan was compiled with seed {}; give "
                                     "--seed to `bursar compile`",
                                     terminal_text(file),
                                     *seed,
                                     plan_seed)};
}

void print_warnings(const Scenario& scenario) {
    for (const Finding& warning : scenario.warnings) {
        log("warning: {}\n", warning.text());
    }
}

OptionTable<SweptOptions> swept_options() {
    using T = SweptOptions;
    return option_table<T>(
        {{&T::input,
          scenario_options(
              "scenario file (YAML), or a plan file of `compile`, whose policies can be swept")},
         {{"--vary", &T::vary, repeated("PATH=V1,V2", {}, NamesForm::setting)},
          "values of a path, e.g. --vary policy.queue=fifo,sjf or --vary "
          "fleet.p.nodes=30..60:5; repeated: every combination; `A=1,2; B=3,4` change "
          "together (default: the scenario's `sweep`)"},
         {{"--seeds", &T::seeds, whole_in(up_to(max_sweep_seeds))}, "seeds of each scenario"},
         {{"--max-scenarios", &T::max_scenarios, whole_in(up_to(1'000'000'000'000))},
          "refuse to sweep more runs (default: 1000000)"},
         {{"--prune", &T::prune, real_in(pruning_margins, "SHARE")},
          "skip scenarios whose models fit no pool. Also skip those that differ from another in "
          "layout, batch, precision, GPU or price alone if models predict slower and more "
          "expensive training by this share, such as 0.1; queueing is ignored (default: "
          "simulate all)"}});
}

SweepRequest SweptOptions::request() const {
    if (input.file.empty())
        throw UsageError{"SCENARIO is required\nRun with --help for more information."};
    SweepRequest request{.source = {},
                         .seed = input.seed,
                         .seeds = seeds,
                         .max_scenarios = max_scenarios,
                         .prune = prune};
    if (is_plan_file(input.file))
        add_plan(request);
    else
        request.source = input.source();
    for (const std::string& text : vary)
        request.vary.push_back(parse_axis(text));
    return request;
}

/// A plan has one seed, whatever its scenario's number of seeds.
void SweptOptions::add_plan(SweepRequest& request) const {
    const LoadedPlan plan = load_plan(input.file);
    const std::uint64_t plan_seed = plan.run.seed();
    input.check_for_plan(plan_seed);
    if (prune)
        throw UsageError{"--prune: needs a scenario; in a sweep of a plan no model, GPU or price "
                         "varies"};
    request.source = plan.origin.source();
    request.seed = static_cast<std::int64_t>(plan_seed);
    request.seeds = seeds.value_or(1);
    request.plan = {input.file, plan.run.compiled, plan_key(plan.run.scenario, plan_seed)};
}

}} // namespace bursar::tools
