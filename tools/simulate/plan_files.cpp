#include "tools/simulate/plan_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <xxhash.h>

#include "sim/plan/check_plan.hpp"
#include "sim/plan_file/plan_file.hpp"

#include "policies/choice/policy_members.hpp"
#include "policies/stored/stored_run.hpp"

#include "scenarios/compile/compiled/compiled_members.hpp"
#include "scenarios/compile/features.hpp"
#include "scenarios/compile/features/prices.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/trace_options.hpp"

#include "tools/simulate/budget_facts.hpp"
#include "tools/simulate/mapped_file.hpp"
#include "tools/simulate/simulation_error.hpp"
#include "tools/simulate/version.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::string_view extension = ".bplan";

// Sections beside those of the plan and of its run (policies/stored/stored_run.hpp).
constexpr std::string_view labels_section = "labels";
constexpr std::string_view notes_section = "notes";
constexpr std::string_view origin_section = "origin";

PlanInput input_of(const std::string& path) {
    const MappedFile file{path};
    return {path, file.bytes().size(), XXH3_64bits(file.bytes().data(), file.bytes().size())};
}

[[noreturn]] void fail_reading(const std::string& path, const std::system_error& error) {
    throw ScenarioError{Finding{{path}, {}, "cannot read the file", error.code().message(), {}}};
}

/// The files that the scenario was read from, each once. Not its own file, whose text the plan
/// holds, and not its trace, which the plan replaces.
std::vector<PlanInput> inputs_of(const Scenario& scenario) {
    std::set<std::string> paths{scenario.inputs.begin(), scenario.inputs.end()};
    paths.erase(scenario.file);
    if (const auto* trace = std::get_if<TraceWorkload>(&scenario.workload))
        paths.erase((*trace)->file);
    std::vector<PlanInput> inputs;
    for (const std::string& path : paths) {
        try {
            inputs.push_back(input_of(path));
        } catch (const std::system_error& error) {
            fail_reading(path, error);
        }
    }
    return inputs;
}

/// Throws BadPlan unless the files that the scenario names are as they were when it was compiled.
void check_inputs(const std::vector<PlanInput>& inputs) {
    for (const PlanInput& then : inputs) {
        PlanInput now;
        try {
            now = input_of(then.path);
        } catch (const std::system_error& error) {
            throw BadPlan{fmt::format("its scenario names {}, which cannot be read ({})",
                                      then.path,
                                      error.code().message())};
        }
        if (now.size != then.size || now.hash != then.hash)
            throw BadPlan{fmt::format("its scenario names {}, which has changed since it was "
                                      "compiled; compile it again",
                                      then.path)};
    }
}

template <class T>
void read(const PlanFile& file, std::string_view name, T& value) {
    if (!file.read_record(name, value))
        throw BadPlan{fmt::format("it holds a plan alone, without `{}`", name)};
}

RunTerms terms_of(const CompiledRun& run) {
    RunTerms terms;
    terms.version = version;
    if (!run.compiled->plan.until)
        terms.drawn_until = run.compiled->drawn_until;
    terms.draws_world = has_world(run.scenario);
    terms.draws_prices = draws_prices(run.scenario);
    if (budgets_act(run.scenario))
        terms.beyond.emplace_back("its budgets act on the run");
    if (prices_follow_use(run.scenario))
        terms.beyond.emplace_back("its prices follow from how its nodes come and go");
    return terms;
}

/// Throws BadPlan unless what the file holds beside the plan's columns goes with them.
void check_notes(const Compiled& compiled, const Scenario& scenario) {
    const Plan& plan = compiled.plan;
    const Labels& labels = compiled.labels;
    const auto is_right = [&](const std::vector<std::string>& names, std::size_t num) {
        return names.size() == num;
    };
    bool holds = is_right(labels.pools, plan.pools.size()) &&
                 is_right(labels.pool_gpus, plan.pools.size()) &&
                 is_right(labels.pool_regions, plan.pools.size()) &&
                 is_right(labels.tenants, plan.num_tenants) &&
                 (labels.levels.empty() || is_right(labels.levels, plan.num_levels));
    holds = holds && plan.num_jobs() > 0 && plan.pools.size() == scenario.fleet.size() &&
            (labels.job_name_end.empty() || labels.job_name_end.size() == plan.num_jobs()) &&
            (labels.spared_gpu_ms.empty() || labels.spared_gpu_ms.size() == plan.num_jobs());
    std::uint64_t begin = 0;
    for (const std::uint64_t end : labels.job_name_end) {
        holds = holds && begin <= end;
        begin = end;
    }
    holds = holds && begin <= labels.job_names.size() &&
            compiled.scenario_class.size() <= plan.classes.size();
    for (const std::uint16_t row : compiled.scenario_class)
        holds = holds && row < std::max<std::size_t>(scenario.classes.size(), 1);
    for (const ModelledGang& gang : compiled.modelled)
        holds = holds && gang.pool < plan.pools.size();
    if (!holds)
        throw BadPlan{"what it says beside its plan does not go with it"};
}

Scenario scenario_of(const PlanOrigin& origin) {
    Scenario scenario;
    try {
        scenario = load_scenario(origin.source()).scenario;
    } catch (const ScenarioError& error) {
        throw BadPlan{fmt::format("its scenario cannot be read: {}", error.what())};
    }
    if (scenario.hash != origin.scenario_hash)
        throw BadPlan{"its scenario is another one than it was compiled from; compile it again"};
    return scenario;
}

LoadedPlan loaded(const PlanFile& file) {
    LoadedPlan out;
    const auto shared = std::make_shared<Compiled>();
    Compiled& compiled = *shared;
    compiled.plan = read_plan(file);
    read(file, labels_section, compiled.labels);
    CompiledNotes notes{compiled};
    read(file, notes_section, notes);
    read(file, origin_section, out.origin);
    if (out.origin.version != version)
        throw BadPlan{fmt::format("it was compiled by bursar {}, and this is bursar {}; compile "
                                  "the scenario again",
                                  out.origin.version,
                                  version)};
    check_inputs(out.origin.inputs);
    PolicyChoice policy;
    read(file, policy_section, policy);
    out.run.scenario = scenario_of(out.origin);
    out.run.scenario.policy.seed = policy.seed;
    if (out.run.scenario.policy != policy)
        throw BadPlan{"its policies are others than its scenario names; compile it again"};
    check_notes(compiled, out.run.scenario);
    out.run.compiled = shared;
    return out;
}

} // namespace

bool is_plan_file(const std::string& path) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) // a pipe can be read only once, by the run
        return path.ends_with(extension);
    std::array<char, plan_magic.size()> begin{};
    std::ifstream in{path, std::ios::binary};
    in.read(begin.data(), begin.size());
    return begin == plan_magic || path.ends_with(extension);
}

ScenarioSource with_text(ScenarioSource source) {
    try {
        const MappedFile file{source.file};
        const std::size_t size = std::min(file.bytes().size(), max_document_bytes + 1);
        const std::span<const std::byte> bytes = file.bytes().first(size); // more is refused
        source.text.emplace(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    } catch (const std::system_error& error) {
        fail_reading(source.file, error);
    }
    return source;
}

std::vector<std::byte> plan_file_of(const ScenarioSource& source, const CompiledRun& run) {
    if (const auto flaw = check_plan(run.compiled->plan))
        throw SimulationError{
            fmt::format("{}: a defect of bursar: its plan cannot be run: {}", source.file, *flaw)};
    PlanOrigin origin{std::string{version},
                      source.file,
                      source.text.value(),
                      source.overrides,
                      source.catalogue_file,
                      source.stacks_file,
                      source.architectures_file,
                      run.scenario.hash,
                      inputs_of(run.scenario)};
    PlanFileWriter file;
    add_plan(run.compiled->plan, file);
    file.add_record(labels_section, run.compiled->labels);
    file.add_record(notes_section, CompiledNotes{*run.compiled});
    file.add_record(policy_section, run.scenario.policy);
    file.add_record(terms_section, terms_of(run));
    file.add_record(origin_section, origin);
    return std::move(file).finish();
}

LoadedPlan load_plan(const std::string& path) {
    try {
        const MappedFile file{path};
        LoadedPlan plan = loaded(PlanFile{file.bytes()});
        plan.inputs.push_back(path);
        for (const PlanInput& input : plan.origin.inputs)
            plan.inputs.push_back(input.path);
        return plan;
    } catch (const BadPlan& error) {
        throw BadPlan{fmt::format("{}: {}", path, error.what())};
    } catch (const std::system_error& error) {
        throw BadPlan{fmt::format("{}: cannot read the file ({})", path, error.code().message())};
    }
}

}} // namespace bursar::tools
