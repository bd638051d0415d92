#include "tools/simulate/load_scenario.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/scenario/read_scenario.hpp"

#include "tools/simulate/known_names.hpp"

namespace bursar::inline tools {
namespace {

std::shared_ptr<const Catalogue> catalogue_of(const ScenarioSource& source) {
    return std::make_shared<const Catalogue>(source.catalogue_file.empty()
                                                 ? builtin_catalogue()
                                                 : read_catalogue(source.catalogue_file));
}

Scenario
read(const ScenarioSource& source, std::span<const Override> more, const Catalogue& catalogue) {
    std::vector<Override> overrides = source.overrides;
    overrides.insert(overrides.end(), more.begin(), more.end());
    Scenario scenario =
        source.text
            ? read_scenario_text(*source.text, source.file, overrides, known_names(), catalogue)
            : read_scenario(source.file, overrides, known_names(), catalogue);
    if (!source.catalogue_file.empty())
        scenario.inputs.push_back(source.catalogue_file);
    return scenario;
}

} // namespace

LoadedScenario load_scenario(const ScenarioSource& source) {
    std::shared_ptr<const Catalogue> catalogue = catalogue_of(source);
    Scenario scenario = read(source, {}, *catalogue);
    return {std::move(scenario), std::move(catalogue), std::make_shared<Workloads>()};
}

LoadedScenario as_loaded(Scenario scenario, Catalogue catalogue) {
    return {std::move(scenario),
            std::make_shared<const Catalogue>(std::move(catalogue)),
            std::make_shared<Workloads>()};
}

std::vector<LoadedScenario> load_variants(const ScenarioSource& source,
                                          std::span<const Variant> variants) {
    const std::shared_ptr<const Catalogue> catalogue = catalogue_of(source);
    const auto workloads = std::make_shared<Workloads>();
    std::vector<LoadedScenario> loaded;
    std::vector<Finding> findings;
    for (const Variant& variant : variants) {
        try {
            loaded.push_back({read(source, variant.sets, *catalogue), catalogue, workloads});
        } catch (const ScenarioError& error) {
            for (const Finding& finding : error.findings())
                if (std::ranges::find(findings, finding.text(), &Finding::text) == findings.end())
                    findings.push_back(finding);
        }
    }
    if (!findings.empty())
        throw ScenarioError{findings};
    return loaded;
}

} // namespace bursar::inline tools
