#include "scenarios/keys/read_scenario.hpp"

#include <filesystem>
#include <utility>
#include <vector>

#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/document/load_document.hpp"
#include "scenarios/keys/assumptions.hpp"
#include "scenarios/keys/cross_checks.hpp"
#include "scenarios/keys/policy/policy_keys.hpp"
#include "scenarios/keys/policy/preset_layer.hpp"
#include "scenarios/keys/scenario_keys.hpp"

namespace bursar { inline namespace scenarios {
namespace {

ChoicePlaces choice_places(const Reader& at, const std::string& file) {
    const std::optional<Reader> policy = at.find("policy");
    const auto place_of = [&](const std::optional<Reader>& written) {
        return written ? written->node().place() : Place{file};
    };
    const auto of_slot = [&](std::string_view slot) {
        return place_of(policy ? policy->find(slot) : std::nullopt);
    };
    return {of_slot("queue"),
            of_slot("preemption"),
            of_slot("precision"),
            of_slot("broker"),
            place_of(at.find("measure"))};
}

/// Sets the hashes of the document and of the files that it names.
void set_hashes(const Node& root, const Findings& findings, Scenario& scenario) {
    scenario.hash = canonical_hash(root);
    scenario.hash_but_policy = canonical_hash_without("policy", root);
    for (const std::uint64_t content : findings.contents())
        for (std::uint64_t* hash : {&scenario.hash, &scenario.hash_but_policy})
            *hash = combined_hash(*hash, content);
}

} // namespace

ScenarioDocument load_scenario_document(const std::string& path) {
    ScenarioDocument document{{}, path, {}};
    document.root = DocumentLoader{document.findings}.load_file(path);
    return document;
}

ScenarioDocument scenario_document_of(std::string_view text, const std::string& file) {
    ScenarioDocument document{{}, file, {}};
    document.root = DocumentLoader{document.findings}.load_text(text, file);
    return document;
}

ScenarioReader::ScenarioReader(KnownNames names, const Catalogue& catalogue)
    : names_{std::move(names)}, stacks_{std::make_shared<const Stacks>(*names_.stacks)},
      prices_{names_.price_files ? names_.price_files : std::make_shared<PriceFiles>()},
      keys_{scenario_keys(names_, catalogue, prices_)} {}

Scenario ScenarioReader::read(const ScenarioDocument& document,
                              std::span<const Override> sets) const {
    *prices_.currencies = {};
    const std::string& file = document.file;
    Findings findings = document.findings;
    Node root = document.root;
    findings.throw_if_any();
    if (root.kind == NodeKind::null && sets.empty())
        throw ScenarioError{Finding{{file}, {}, "the file is empty", "expected a scenario", {}}};
    root = with_overrides(std::move(root), sets, findings);
    const PresetInfo* preset = preset_of(root, names_.presets);
    if (preset != nullptr)
        root = with_preset_policies(std::move(root), *preset, names_.policies_of("queue"));
    const Reader at{root, findings};
    Scenario scenario;
    keys_.read_into(at, scenario);
    check_across(at, scenario);
    findings.throw_if_any();
    scenario.file = file;
    if (scenario.name.empty())
        scenario.name = std::filesystem::path{file}.stem().string();
    scenario.places = choice_places(at, file);
    std::erase_if(root.pairs, [](const Pair& pair) { return pair.key.text == "sweep"; });
    scenario.stacks = stacks_;
    set_hashes(root, findings, scenario);
    scenario.inputs = findings.files();
    add_warnings(at, scenario);
    leave_out_empty_pools(scenario);
    add_assumptions(scenario);
    add_unmodelled(scenario);
    if (preset != nullptr) {
        // After the checks, so that messages name the classes of the file.
        root = with_preset_classes(
            std::move(root), *preset, preemption_of(scenario.policy) != preemption_none);
        Scenario with_classes;
        keys_.read_into(Reader{root, findings}, with_classes);
        findings.throw_if_any();
        scenario.preset = preset->name;
        scenario.classes = std::move(with_classes.classes);
        set_hashes(root, findings, scenario);
    }
    return scenario;
}

Scenario read_scenario(const std::string& path,
                       std::span<const Override> sets,
                       const KnownNames& names,
                       const Catalogue& catalogue) {
    return ScenarioReader{names, catalogue}.read(load_scenario_document(path), sets);
}

Scenario read_scenario_text(std::string_view text,
                            const std::string& file,
                            std::span<const Override> sets,
                            const KnownNames& names,
                            const Catalogue& catalogue) {
    return ScenarioReader{names, catalogue}.read(scenario_document_of(text, file), sets);
}

}} // namespace bursar::scenarios
