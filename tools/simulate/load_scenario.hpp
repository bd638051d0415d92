#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/document/override.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/scenario/known_names.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/variants/variants.hpp"

namespace bursar { inline namespace tools {

/// Where a scenario comes from.
struct ScenarioSource {
    std::string file;                  ///< a YAML file; messages call the scenario so
    std::optional<std::string> text{}; ///< given: read in place of the file's content
    std::vector<Override> overrides{}; ///< laid over it, in order
    std::string catalogue_file{};      ///< GPUs in place of the built-in ones; empty: none
    std::string stacks_file{};         ///< the same of software-stack profiles
    std::string architectures_file{};  ///< and of networks
    bool resamples{}; ///< its trace is resampled by days, unless it has `resample` itself
};

/// A scenario that was read and checked, with what its runs share. Copies share it, too.
struct LoadedScenario {
    Scenario scenario;
    std::shared_ptr<const Catalogue> catalogue;
    std::shared_ptr<Workloads> workloads; ///< read when first asked for, then kept
};

/// Reads scenarios of one source, which share its files, catalogues and workloads.
class ScenarioLoader {
  public:
    /// Throws ScenarioError where a file cannot be read.
    explicit ScenarioLoader(const ScenarioSource& source);
    ~ScenarioLoader();
    ScenarioLoader(const ScenarioLoader&) = delete;
    ScenarioLoader& operator=(const ScenarioLoader&) = delete;

    /// The scenario with `more` laid over the source's own overrides. By one thread at a time.
    /// Throws ScenarioError with every mistake that could be found.
    [[nodiscard]] LoadedScenario load(std::span<const Override> more = {}) const;

  private:
    class Catalogues;
    std::unique_ptr<const Catalogues> catalogues_;
    std::shared_ptr<Workloads> workloads_;
};

/// The mistakes of several scenarios, each once.
class MistakesOfAll {
  public:
    /// Calls `read`, and keeps what the ScenarioError says that it may throw.
    template <class Read>
    void collect(const Read& read) {
        try {
            read();
        } catch (const ScenarioError& error) {
            add(error);
        }
    }
    /// Throws ScenarioError with all of them if there are any.
    void throw_if_any() const;

  private:
    void add(const ScenarioError& error);

    std::vector<Finding> findings_;
    std::unordered_set<std::string> texts_; ///< of them
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

/// Every name that a scenario may choose from, out of the registries and the built-in catalogues.
[[nodiscard]] KnownNames known_names();

}} // namespace bursar::tools
