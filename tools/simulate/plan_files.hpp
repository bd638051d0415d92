#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/plan/plan_members.hpp"

#include "scenarios/document/override.hpp"

#include "tools/simulate/load_scenario.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar { inline namespace tools {

/// A file that a scenario was read from beside its own, and what it held.
struct PlanInput {
    std::string path;
    std::uint64_t size{};
    std::uint64_t hash{}; ///< XXH3 of its bytes
};

/// Where a compiled run comes from: enough to read its scenario again, without its workload.
struct PlanOrigin {
    std::string version; ///< of the program that compiled it
    std::string file;
    std::string text; ///< of the scenario as it was written
    std::vector<Override> overrides;
    std::string catalogue_file; ///< as in ScenarioSource
    std::string stacks_file;
    std::string architectures_file;
    std::uint64_t scenario_hash{};
    std::vector<PlanInput> inputs; ///< but for the trace

    [[nodiscard]] ScenarioSource source() const {
        return {file, text, overrides, catalogue_file, stacks_file, architectures_file};
    }
};

template <AnyConst<PlanInput> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("path", self.path);
    visit("size", self.size);
    visit("hash", self.hash);
}

template <AnyConst<PlanOrigin> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("version", self.version);
    visit("file", self.file);
    visit("text", self.text);
    visit("overrides", self.overrides);
    visit("catalogue_file", self.catalogue_file);
    visit("stacks_file", self.stacks_file);
    visit("architectures_file", self.architectures_file);
    visit("scenario_hash", self.scenario_hash);
    visit("inputs", self.inputs);
}

}} // namespace bursar::tools

namespace bursar { inline namespace scenarios {

template <AnyConst<Override> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("path", self.path);
    visit("value", self.value);
    visit("origin", self.origin);
}

}} // namespace bursar::scenarios

/// Compiled runs as plan files (sim/plan_file/README.md): what a run needs, without its trace.
namespace bursar { inline namespace tools {

/// Whether that file is a plan rather than a scenario: by its first bytes, or, where they cannot be
/// read or are damaged, by its name (*.bplan).
[[nodiscard]] bool is_plan_file(const std::string& path);

/// The source with the text of its file. A plan is compiled from the text that it holds. Throws
/// ScenarioError where the file cannot be read.
[[nodiscard]] ScenarioSource with_text(ScenarioSource source);

/// The plan file of a run. source: with its text; `run` was compiled from it. Throws ScenarioError
/// where a file that the scenario names cannot be read a second time.
[[nodiscard]] std::vector<std::byte> plan_file_of(const ScenarioSource& source,
                                                  const CompiledRun& run);

/// A run as it was compiled.
struct LoadedPlan {
    CompiledRun run;
    PlanOrigin origin;
    std::vector<std::string> inputs; ///< every file that was read
};

/// Throws BadPlan, with the file and what is wrong with it, or with what the scenario in it names:
/// a file of prices that is gone, or has changed since.
[[nodiscard]] LoadedPlan load_plan(const std::string& path);

}} // namespace bursar::tools
