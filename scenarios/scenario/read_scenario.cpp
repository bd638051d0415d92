#include "scenarios/scenario/read_scenario.hpp"

#include <filesystem>

#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/document/load_document.hpp"
#include "scenarios/scenario/cross_checks.hpp"
#include "scenarios/scenario/scenario_keys.hpp"

namespace bursar {
namespace {

Scenario read_document(Node root,
                       const std::string& file,
                       std::span<const Override> sets,
                       const KnownNames& names,
                       const Catalogue& catalogue,
                       Findings& findings) {
    findings.throw_if_any();
    if (root.kind == NodeKind::null && sets.empty())
        throw ScenarioError{Finding{{file}, {}, "the file is empty", "expected a scenario", {}}};
    root = with_overrides(std::move(root), sets, findings);
    const Reader at{root, findings};
    Scenario scenario;
    scenario_keys(names, catalogue).read_into(at, scenario);
    check_across(at, scenario);
    findings.throw_if_any();
    scenario.file = file;
    if (scenario.name.empty())
        scenario.name = std::filesystem::path{file}.stem().string();
    scenario.hash = canonical_hash(root);
    add_warnings(at, scenario);
    add_assumptions(scenario);
    add_unmodelled(scenario);
    return scenario;
}

} // namespace

Scenario read_scenario(const std::string& path,
                       std::span<const Override> sets,
                       const KnownNames& names,
                       const Catalogue& catalogue) {
    Findings findings;
    Node root = DocumentLoader{findings}.load_file(path);
    return read_document(std::move(root), path, sets, names, catalogue, findings);
}

Scenario read_scenario_text(std::string_view text,
                            const std::string& file,
                            std::span<const Override> sets,
                            const KnownNames& names,
                            const Catalogue& catalogue) {
    Findings findings;
    Node root = DocumentLoader{findings}.load_text(text, file);
    return read_document(std::move(root), file, sets, names, catalogue, findings);
}

} // namespace bursar
