#include "tools/simulate/load_scenario.hpp"

#include <utility>

#include "policies/choice/policy_slots.hpp"
#include "policies/choice/presets.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/catalog/profiles.hpp"
#include "scenarios/catalog/stacks.hpp"
#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/document/load_document.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/keys/read_scenario.hpp"
#include "scenarios/trace_formats/registry.hpp"

namespace bursar { inline namespace tools {
/// What scenarios of a source may name: of its files, read once, or built in.
class ScenarioLoader::Catalogues {
  public:
    explicit Catalogues(const ScenarioSource& source)
        : source_{source}, document_{source.text ? scenario_document_of(*source.text, source.file)
                                                 : load_scenario_document(source.file)},
          gpus_{std::make_shared<const Catalogue>(source.catalogue_file.empty()
                                                      ? builtin_catalogue()
                                                      : read_catalogue(source.catalogue_file))} {
        take(source.catalogue_file);
        if (take(source.stacks_file))
            stacks_ = read_stacks(source.stacks_file);
        if (take(source.architectures_file))
            architectures_ = read_architectures(source.architectures_file);
        KnownNames names = known_names();
        names.price_files = std::make_shared<PriceFiles>();
        names.stacks = stacks_ ? &*stacks_ : names.stacks;
        names.architectures = architectures_ ? &*architectures_ : names.architectures;
        reader_.emplace(std::move(names), *gpus_);
    }

    [[nodiscard]] const std::shared_ptr<const Catalogue>& gpus() const { return gpus_; }

    [[nodiscard]] Scenario read(std::span<const Override> more) const {
        std::vector<Override> overrides = source_.overrides;
        overrides.insert(overrides.end(), more.begin(), more.end());
        Scenario scenario = reader_->read(document_, overrides);
        if (source_.resamples && !is_resampled(scenario)) {
            overrides.push_back({"workload.trace.resample", "1 d", "--resample"});
            scenario = reader_->read(document_, overrides);
        }
        for (const DocumentFacts& one : given_) {
            add_inputs(one, scenario);
            scenario.hash = combined_hash(scenario.hash, one.hash);
        }
        const auto* drawn = std::get_if<SyntheticSpec>(&scenario.workload);
        if (drawn != nullptr && !drawn->profiles.empty())
            add_inputs(document_facts(drawn->profiles), scenario);
        return scenario;
    }

  private:
    /// Throws ScenarioError without a trace.
    static bool is_resampled(const Scenario& scenario) {
        if (const auto* trace = std::get_if<TraceWorkload>(&scenario.workload))
            return trace->is_resampled();
        throw ScenarioError{Finding{{"--resample"},
                                    "workload",
                                    "has no trace to draw from",
                                    "synthetic and listed jobs have no days",
                                    "`--seeds N`, which draws synthetic jobs anew"}};
    }

    /// Whether that file was given; if so it is an input, with what it includes.
    bool take(const std::string& file) {
        if (!file.empty())
            given_.push_back(document_facts(file));
        return !file.empty();
    }

    static void add_inputs(const DocumentFacts& document, Scenario& scenario) {
        scenario.inputs.insert(scenario.inputs.end(), document.files.begin(), document.files.end());
    }

    ScenarioSource source_;
    ScenarioDocument document_; ///< parsed once, however many variants there are
    std::shared_ptr<const Catalogue> gpus_;
    std::optional<Stacks> stacks_;
    std::optional<Architectures> architectures_;
    std::vector<DocumentFacts> given_; ///< files in place of the built-in ones
    std::optional<ScenarioReader> reader_;
};

ScenarioLoader::ScenarioLoader(const ScenarioSource& source)
    : catalogues_{std::make_unique<const Catalogues>(source)},
      workloads_{std::make_shared<Workloads>()} {}

ScenarioLoader::~ScenarioLoader() = default;

LoadedScenario ScenarioLoader::load(std::span<const Override> more) const {
    return {catalogues_->read(more), catalogues_->gpus(), workloads_};
}

LoadedScenario load_scenario(const ScenarioSource& source) {
    return ScenarioLoader{source}.load();
}

LoadedScenario as_loaded(Scenario scenario, Catalogue catalogue) {
    return {std::move(scenario),
            std::make_shared<const Catalogue>(std::move(catalogue)),
            std::make_shared<Workloads>()};
}

std::vector<LoadedScenario> load_variants(const ScenarioSource& source,
                                          std::span<const Variant> variants) {
    const ScenarioLoader loader{source};
    std::vector<LoadedScenario> loaded;
    MistakesOfAll mistakes;
    bool has_base = true;
    for (const Variant& variant : variants) {
        mistakes.collect([&] {
            loaded.push_back(loader.load(variant.sets));
            if (has_base)
                check_seeds(loaded.front().scenario, loaded.back().scenario);
        });
        has_base = has_base && !loaded.empty(); // the first may be wrong
    }
    mistakes.throw_if_any();
    return loaded;
}

void MistakesOfAll::add(const ScenarioError& error) {
    for (const Finding& finding : error.findings())
        if (texts_.insert(finding.text()).second)
            findings_.push_back(finding);
}

void MistakesOfAll::throw_if_any() const {
    if (!findings_.empty())
        throw ScenarioError{findings_};
}

KnownNames known_names() {
    KnownNames names;
    names.policies = policy_catalog();
    names.presets.assign(presets().begin(), presets().end());
    for (const TraceFormat& format : trace_formats())
        names.trace_formats.emplace_back(format.name);
    names.synthetic = builtin_profiles().names();
    return names;
}

}} // namespace bursar::tools
