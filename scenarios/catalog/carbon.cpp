#include "scenarios/catalog/carbon.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

QuantityRule<CarbonIntensity> intensity() {
    return {carbon_intensities, Zero::allowed, [](Measure m) {
                return CarbonIntensity{static_cast<double>(m.count) / 1000};
            }};
}

NumberRule effectiveness() {
    return {1, Bound::included, 10};
}

Table<GridRegion> region_keys() {
    return table<GridRegion>({
        {required("name", &GridRegion::name, text()), "as its provider writes it, unique"},
        {optional("aliases", &GridRegion::aliases, list_of(text(), 0)), "other names, unique"},
        {required("place", &GridRegion::place, text()), "its place"},
        {required("intensity", &GridRegion::intensity, intensity()), "of its grid, yearly mean"},
        {optional("source", &GridRegion::source, text()), "the body that published the figure"},
    });
}

Table<CarbonProvider> provider_keys() {
    return table<CarbonProvider>({
        {required("name", &CarbonProvider::name, text()), "the provider of the regions"},
        {optional("aliases", &CarbonProvider::aliases, list_of(text(), 0)), "other names"},
        {required("pue", &CarbonProvider::pue, effectiveness()), "facility power over computers'"},
        {required("pue_source", &CarbonProvider::pue_source, text()), "where that was published"},
        {required("source", &CarbonProvider::source, text()), "the data set of the intensities"},
        {required("vintage", &CarbonProvider::vintage, text()), "the year they are of"},
        {required("regions", &CarbonProvider::regions, list_of(region_keys())), "its regions"},
    });
}

Table<OperatorPue> operator_keys() {
    return table<OperatorPue>({
        {required("name", &OperatorPue::name, text()), "the operator"},
        {optional("aliases", &OperatorPue::aliases, list_of(text(), 0)), "other names"},
        {required("pue", &OperatorPue::pue, effectiveness()), "as of a provider"},
        {required("pue_source", &OperatorPue::pue_source, text()), "where that was published"},
    });
}

Table<NodePower> node_keys() {
    return table<NodePower>({
        {required("gpus", &NodePower::gpus, list_of(text())), "names of GPUs that it holds for"},
        {required("busy", &NodePower::busy_milliwatts, amount(powers, Zero::refused)),
         "power of a node in training, per GPU"},
        {required("low", &NodePower::low_milliwatts, amount(powers, Zero::refused)),
         "of the workload that draws least"},
        {required("high", &NodePower::high_milliwatts, amount(powers, Zero::refused)),
         "of the workload that draws most"},
        {required("source", &NodePower::source, text()), "where that was measured"},
    });
}

Table<CarbonCatalogue> carbon_keys() {
    Table<CarbonCatalogue> unknown = table<CarbonCatalogue>({
        {required("pue", &CarbonCatalogue::unknown_pue, effectiveness()), "as of a provider"},
        {required("pue_source", &CarbonCatalogue::unknown_pue_source, text()), "its source"},
    });
    return table<CarbonCatalogue>({
        {required("providers", &CarbonCatalogue::providers, list_of(provider_keys())),
         "the providers"},
        {optional("operators", &CarbonCatalogue::operators, list_of(operator_keys(), 0)),
         "operators without regions"},
        {section("unknown", Presence::required, std::move(unknown)), "where no provider is named"},
        {optional("nodes", &CarbonCatalogue::nodes, list_of(node_keys(), 0)),
         "measured power of nodes"},
    });
}

CatalogueFile<CarbonCatalogue> carbon_file() {
    return CatalogueFile{
        carbon_keys(), [](const Reader& root) {
            UniqueNames regions;
            const std::optional<Reader> providers = root.find("providers");
            for (std::size_t i = 0; providers && i < providers->node().items.size(); ++i)
                regions.claim_names(providers->element(i), "regions");
        }};
}

} // namespace

std::string CarbonSite::intensity_source() const {
    const std::string body = region->source.empty() ? "" : fmt::format(", from {}", region->source);
    return fmt::format("{} ({}){}", provider->source, provider->vintage, body);
}

CarbonSite CarbonCatalogue::region(std::string_view name_or_alias,
                                   const Place& place,
                                   const std::string& path) const {
    for (const CarbonProvider& provider : providers)
        for (const GridRegion& region : provider.regions)
            if (region.name == name_or_alias ||
                std::ranges::find(region.aliases, name_or_alias) != region.aliases.end())
                return {&provider, &region};
    fail_input(place,
               path,
               mistake(fmt::format("unknown region {}", in_quotes(name_or_alias)),
                       "the carbon catalogue does not have it",
                       suggestion(name_or_alias, region_names())));
}

std::vector<OperatorPue> CarbonCatalogue::all_operators() const {
    std::vector<OperatorPue> all;
    for (const CarbonProvider& provider : providers)
        all.push_back({provider.name, provider.aliases, provider.pue, provider.pue_source});
    all.insert(all.end(), operators.begin(), operators.end());
    return all;
}

const NodePower* CarbonCatalogue::node_with(std::string_view gpu) const {
    for (const NodePower& node : nodes)
        if (std::ranges::find(node.gpus, gpu) != node.gpus.end())
            return &node;
    return nullptr;
}

std::vector<std::string> CarbonCatalogue::region_names() const {
    std::vector<std::string> names;
    for (const CarbonProvider& provider : providers)
        for (const GridRegion& region : provider.regions) {
            names.push_back(region.name);
            names.insert(names.end(), region.aliases.begin(), region.aliases.end());
        }
    return names;
}

const CarbonCatalogue& builtin_carbon_catalogue() {
    static const CarbonCatalogue catalogue =
        read_carbon_catalogue_text(builtin_carbon_yaml, "carbon.yaml");
    return catalogue;
}

CarbonCatalogue read_carbon_catalogue(const std::string& path) {
    return carbon_file().read(path);
}

CarbonCatalogue read_carbon_catalogue_text(std::string_view text, const std::string& file) {
    return carbon_file().read_text(text, file);
}

}} // namespace bursar::scenarios
