#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "scenarios/keys/fleet/fleet_keys.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// A mapping that names a file of grids.
struct WrittenGrid {
    std::string file;
    std::string zone;
};

Table<WrittenGrid> grid_file_keys() {
    return table<WrittenGrid>({
        {required("file", &WrittenGrid::file, file()), "carbon intensity over time, as a table"},
        {optional("zone", &WrittenGrid::zone, text()), "of the grid, where the file has several"},
    });
}

std::optional<GridSpec> read_grid_file(const Reader& at) {
    const std::optional<WrittenGrid> written = grid_file_keys().read(at);
    if (!written)
        return std::nullopt;
    const Reader named = *at.find("file");
    try {
        auto file = std::make_shared<const GridFile>(read_grid(written->file, written->zone));
        named.names_content(file->hash);
        GridSpec grid{GridIntensity{file->steps.rate.front()}};
        grid.file = std::move(file);
        return grid;
    } catch (const ScenarioError& error) {
        named.mistakes_in_file(error);
    }
    return std::nullopt;
}

/// A cloud region by its name, an intensity with its unit, or a file of them.
struct GridRule {
    using value_type = GridSpec;

    static QuantityRule<GridSpec> stated() {
        return {carbon_intensities, Zero::allowed, [](Measure m) {
                    return GridSpec{GridIntensity{m.count}};
                }};
    }
    [[nodiscard]] std::optional<GridSpec> read(const Reader& at) const {
        const Node& node = at.node();
        if (node.kind == NodeKind::mapping)
            return read_grid_file(at);
        if (node.kind != NodeKind::scalar || node.text.empty())
            return at.expected("a cloud region, a carbon intensity such as \"57 g/kWh\", or a "
                               "mapping with `file`");
        if (node.text.front() >= '0' && node.text.front() <= '9')
            return stated().read(at);
        const std::optional<std::string> name =
            one_of(builtin_carbon_catalogue().region_names()).read(at);
        if (!name)
            return std::nullopt;
        return grid_of(builtin_carbon_catalogue().region(*name, node.place(), at.path()));
    }
    [[nodiscard]] Schema schema() const {
        return {{"anyOf",
                 {stated().schema(),
                  one_of(builtin_carbon_catalogue().region_names()).schema(),
                  grid_file_keys().schema()}}};
    }
};

/// A number, or an operator whose published PUE holds.
struct PueRule {
    using value_type = PueSpec;

    static MilliRule number() { return thousandths(1, max_pue_milli / 1000); }
    static std::vector<std::string> operators() {
        std::vector<std::string> names;
        for (const OperatorPue& one : builtin_carbon_catalogue().all_operators()) {
            names.push_back(one.name);
            names.insert(names.end(), one.aliases.begin(), one.aliases.end());
        }
        return names;
    }
    [[nodiscard]] std::optional<PueSpec> read(const Reader& at) const {
        const Node& node = at.node();
        const bool is_name = node.kind == NodeKind::scalar && !node.text.empty() &&
                             node.text.front() >= 'a' && node.text.front() <= 'z';
        if (!is_name) {
            const std::optional<std::int64_t> milli = number().read(at);
            return milli ? std::optional{PueSpec{*milli}} : std::nullopt;
        }
        const std::optional<std::string> name = one_of(operators()).read(at);
        if (!name)
            return std::nullopt;
        for (const OperatorPue& one : builtin_carbon_catalogue().all_operators())
            if (one.name == *name || std::ranges::find(one.aliases, *name) != one.aliases.end())
                return PueSpec{std::llround(one.pue * 1000),
                               fmt::format("of {}: {}", one.name, one.pue_source)};
        return std::nullopt;
    }
    [[nodiscard]] Schema schema() const {
        return {{"anyOf", {number().schema(), one_of(operators()).schema()}}};
    }
};

Table<EmbodiedSpec> embodied_keys() {
    return table<EmbodiedSpec>({
                                   {required("carbon", &EmbodiedSpec::grams, amount(carbon_masses)),
                                    "emitted by making one GPU, its share of the node "
                                    "included"},
                                   {required("life", &EmbodiedSpec::life, lifetime(Zero::refused)),
                                    "years of service that it is spread over; at least 1 d"},
                               })
        .check([](const Reader& at, EmbodiedSpec& embodied, const KeysRead& keys) {
            if (keys.good("life") && embodied.life < day)
                at.mistake_at("life", "too short to spread it over", "at least 1 d");
        });
}

void check_energy(const Reader& at, EnergySpec& energy, const KeysRead& keys) {
    energy.place = at.node().place();
    if (keys.good("idle") && keys.good("busy") && energy.idle_milliwatts &&
        energy.busy_milliwatts && *energy.idle_milliwatts > *energy.busy_milliwatts)
        at.mistake_at("idle", "is above busy");
}

} // namespace

GridSpec grid_of(const CarbonSite& site) {
    return {GridIntensity{std::llround(site.region->intensity.count() * 1000)},
            site.region->name,
            fmt::format("mean of a year, {} {}", site.provider->name, site.provider->vintage),
            std::llround(site.provider->pue * 1000)};
}

Table<EnergySpec> energy_keys() {
    return table<EnergySpec, check_energy>({
        {optional("idle", &EnergySpec::idle_milliwatts, amount(powers)),
         "IT power per GPU that no job holds, its share of the node included; "
         "default: by its TDP"},
        {optional("busy", &EnergySpec::busy_milliwatts, amount(powers, Zero::refused)),
         "the same of a GPU that a job holds; default: by its TDP"},
        {optional("pue", &EnergySpec::pue, PueRule{}),
         "power usage effectiveness: what the building draws over what its "
         "computers draw, or the operator that publishes it; default: of the region's provider"},
        {optional("grid", &EnergySpec::grid, GridRule{}),
         "cloud region of `bursar catalog carbon`, a carbon intensity, or a "
         "file of them over time; "
         "default: the pool's region where that is one"},
        {optional("embodied", &EnergySpec::embodied, embodied_keys()),
         "emissions of making the hardware; default: not counted"},
    });
}

}} // namespace bursar::scenarios
