#include "scenarios/keys/read_scenario.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/document/load_document.hpp"
#include "scenarios/keys/cross_checks.hpp"
#include "scenarios/keys/fleet/fleet_keys.hpp"
#include "scenarios/keys/policy/policy_keys.hpp"
#include "scenarios/keys/policy/preset_layer.hpp"
#include "scenarios/keys/scenario_keys.hpp"
#include "scenarios/market/prices/machine_types.hpp"
#include "scenarios/scenario/policy_text.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Removes pools of 0 nodes from the fleet; notes it in `assumed`.
void leave_out_empty_pools(Scenario& scenario) {
    for (const PoolSpec& pool : scenario.fleet)
        if (pool.nodes == 0)
            scenario.assumed.push_back(
                fmt::format("pool {} has 0 nodes and is left out", pool.name));
    std::erase_if(scenario.fleet, [](const PoolSpec& pool) { return pool.nodes == 0; });
}

/// Notes the defaults of keys that the scenario does not have in `assumed`.
void add_assumptions(Scenario& scenario) {
    for (const Currency& currency : scenario.currencies)
        scenario.assumed.push_back(
            fmt::format("1 {} is {:.9g} USD{}{}",
                        currency.code,
                        static_cast<double>(currency.nano_usd) / nano_usd_per_usd,
                        currency.day ? " as of " + *currency.day : ", of no date",
                        currency.source.empty() ? "" : " (" + currency.source + ")"));
    for (const PoolSpec& pool : scenario.fleet)
        if (pool.purchase == Purchase::reserved && pool.is_amortised)
            scenario.assumed.push_back(fmt::format(
                "reserved pool {} is amortised: of its terms the run's share is paid", pool.name));
        else if (pool.purchase == Purchase::reserved && !pool.term)
            scenario.assumed.push_back(
                fmt::format("reserved pool {} has no term: paid to the end of the run", pool.name));

    for (const PoolSpec& pool : scenario.fleet)
        if (pool.file_price && pool.file_price->of_machines && !pool.file_price->gpus &&
            !machine_gpus(pool.file_price->offer.type))
            scenario.assumed.push_back(fmt::format(
                "pool {}: a machine of {} has {} GPUs of its kind, which {} does not say",
                pool.name,
                pool.file_price->offer.text(),
                pool.gpus_per_node,
                pool.file_price->name()));

    for (const PoolSpec& pool : scenario.fleet) {
        if (pool.launches() && pool.boot.mean == Duration{})
            scenario.assumed.push_back(fmt::format("pool {}: nodes boot at once", pool.name));
        if (pool.has_range() && !pool.idle_timeout)
            scenario.assumed.push_back(
                fmt::format("pool {}: a node ends when it was not needed for {}",
                            pool.name,
                            duration_text(default_idle_timeout)));
    }

    std::vector<std::string> priced;
    for (const PoolSpec& pool : scenario.fleet)
        if (!pool.price_varies() && !pool.owned &&
            pool.purchase == Purchase::spot) // other purchases have an agreed price
            priced.push_back(pool.name);
    if (priced.size() == 1)
        scenario.assumed.push_back(
            fmt::format("price of pool {} is constant for the whole run", priced.front()));
    else if (!priced.empty())
        scenario.assumed.push_back(fmt::format("prices of pools {} are constant for the whole run",
                                               fmt::join(priced, ", ")));

    const auto without_checkpoint = std::ranges::count_if(
        scenario.classes, [](const ClassSpec& spec) { return !spec.checkpoint; });
    if (preemption_of(scenario.policy) != preemption_none &&
        (without_checkpoint > 0 || scenario.classes.empty()))
        scenario.assumed.emplace_back(
            "a preempted job saves all its work, at no cost, where its class has no checkpoint");

    const auto without_startup = std::ranges::count(
        scenario.classes, Duration{}, [](const ClassSpec& one) { return one.startup.whole; });
    if (scenario.classes.empty())
        scenario.assumed.emplace_back("no startup time declared");
    else if (without_startup > 0)
        scenario.assumed.push_back(fmt::format("no startup time declared ({} {})",
                                               without_startup,
                                               without_startup == 1 ? "class" : "classes"));
}

/// Notes what this version does not simulate in `unmodelled`.
void add_unmodelled(Scenario& scenario) {
    const auto is_by_use = [](const PoolSpec& pool) {
        return pool.purchase == Purchase::spot || pool.purchase == Purchase::on_demand;
    };
    const bool scales = std::ranges::any_of(scenario.fleet, &PoolSpec::has_range);
    const auto fails = [](const PoolSpec& pool) { return pool.failures.has_value(); };
    const bool some_fail = std::ranges::any_of(scenario.fleet, fails);
    std::vector<std::string_view> missing;
    const bool jobs_fail = std::ranges::any_of(
        scenario.classes, [](const ClassSpec& spec) { return spec.failures.has_value(); });
    if (!some_fail)
        missing.emplace_back(jobs_fail ? "failures of nodes" : "failures");
    const auto is_supplied = [](const PoolSpec& pool) { return pool.availability.has_value(); };
    const bool some_supplied = std::ranges::any_of(scenario.fleet, is_supplied);
    if (!some_supplied)
        missing.emplace_back("reclaim");
    if (!scales)
        missing.emplace_back("autoscaling");
    if (!missing.empty())
        scenario.unmodelled.push_back(fmt::format("{}", fmt::join(missing, ", ")));
    for (const PoolSpec& pool : scenario.fleet) {
        if (some_fail && !fails(pool))
            scenario.unmodelled.push_back(fmt::format("pool {}: failures", pool.name));
        if (some_supplied && pool.purchase == Purchase::spot && !is_supplied(pool))
            scenario.unmodelled.push_back(fmt::format("pool {}: reclaim", pool.name));
        const bool spot = pool.purchase == Purchase::spot;
        if (is_by_use(pool) && !pool.launches())
            scenario.unmodelled.push_back(
                fmt::format("pool {}: nodes are up and paid for the whole run", pool.name));
        if (spot && !pool.price_varies())
            scenario.unmodelled.push_back(
                fmt::format("pool {}: price changes of spot capacity", pool.name));
    }
}

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
            of_slot("staging"),
            place_of(at.find("measure"))};
}

/// Sets the text of the document, and the hashes of it and of the files that it names.
void set_document(const Node& root, const Findings& findings, Scenario& scenario) {
    scenario.text = block_text(root);
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
    set_document(root, findings, scenario);
    scenario.inputs = findings.files();
    add_warnings(at, scenario);
    leave_out_empty_pools(scenario);
    add_assumptions(scenario);
    add_unmodelled(scenario);
    if (preset != nullptr) {
        // After the checks, whose messages name the classes as they are written in the file.
        root = with_preset_classes(
            std::move(root), *preset, preemption_of(scenario.policy) != preemption_none);
        Scenario with_classes;
        keys_.read_into(Reader{root, findings}, with_classes);
        findings.throw_if_any();
        scenario.preset = preset->name;
        scenario.classes = std::move(with_classes.classes);
        set_document(root, findings, scenario);
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
