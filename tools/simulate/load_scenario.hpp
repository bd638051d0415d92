#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/document/override.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/variants/variants.hpp"

namespace bursar::inline tools {

/// Where a scenario comes from.
struct ScenarioSource {
    std::string file;                  ///< a YAML file; messages call the scenario so
    std::optional<std::string> text{}; ///< given: read in place of the file's content
    std::vector<Override> overrides{}; ///< laid over it, in order
    std::string catalogue_file{};      ///< GPUs in place of the built-in ones; empty: none
    std::string stacks_file{};         ///< the same of software-stack profiles
    std::string architectures_file{};  ///< and of networks
};

/// A scenario that was read and checked, with what its runs share. Copies share it, too.
struct LoadedScenario {
    Scenario scenario;
    std::shared_ptr<const Catalogue> catalogue;
    std::shared_ptr<Workloads> workloads; ///< read when first asked for, then kept
};

/// Reads a scenario. Throws ScenarioError with every mistake that could be found.
[[nodiscard]] LoadedScenario load_scenario(const ScenarioSource& source);

/// A scenario that was made in memory as if it had been read; its GPUs are in `catalogue`.
[[nodiscard]] LoadedScenario as_loaded(Scenario scenario,
                                       Catalogue catalogue = builtin_catalogue());

/// Reads a scenario once per variant, each with the variant's overrides laid over the source's own.
/// They share one catalogue and their workloads: a trace that several of them read alike is read
/// once. Throws ScenarioError with the mistakes of all of them, each once.
[[nodiscard]] std::vector<LoadedScenario> load_variants(const ScenarioSource& source,
                                                        std::span<const Variant> variants);

} // namespace bursar::inline tools
