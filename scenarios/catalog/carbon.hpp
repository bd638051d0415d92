#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/energy/carbon.hpp"

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// The grid that one cloud region draws from.
struct GridRegion {
    std::string name;                 ///< as its provider writes it, unique: "europe-west4"
    std::vector<std::string> aliases; ///< other names, unique in a catalogue: "eastus"
    std::string place;
    CarbonIntensity intensity; ///< location-based, mean of a year
    std::string source;        ///< the body that published it, as the provider's data set says; may
                               ///< be empty
};

/// The regions of one provider, from one data set.
struct CarbonProvider {
    std::string name;
    std::vector<std::string> aliases;
    double pue{}; ///< power usage effectiveness, >= 1
    std::string pue_source;
    std::string source;  ///< of the intensities
    std::string vintage; ///< year of the intensities
    std::vector<GridRegion> regions;
};

/// A region with its provider; both stay valid while the catalogue does.
struct CarbonSite {
    const CarbonProvider* provider;
    const GridRegion* region;

    /// Data set, year and publishing body of the intensity, as one line.
    [[nodiscard]] std::string intensity_source() const;
};

/// Power usage effectiveness of an operator's data centers.
struct OperatorPue {
    std::string name;
    std::vector<std::string> aliases;
    double pue{}; ///< >= 1
    std::string pue_source;
};

/// Measured power of a node in training, per GPU.
struct NodePower {
    std::vector<std::string> gpus; ///< names of GPUs that it holds for
    std::int64_t busy_milliwatts{};
    std::int64_t low_milliwatts{}; ///< of the workload that draws least
    std::int64_t high_milliwatts{};
    std::string source;
};

/// The electricity of cloud regions, buildings and nodes.
struct CarbonCatalogue {
    std::vector<CarbonProvider> providers; ///< in the order of the file
    std::vector<OperatorPue> operators;    ///< without regions
    double unknown_pue{};                  ///< without a provider
    std::string unknown_pue_source;
    std::vector<NodePower> nodes;

    /// The region of that name or alias. If there is none, throws ScenarioError at `place`, under
    /// `path`, with the nearest regions.
    [[nodiscard]] CarbonSite
    region(std::string_view name_or_alias, const Place& place, const std::string& path) const;

    /// All operators with a published PUE, the providers first.
    [[nodiscard]] std::vector<OperatorPue> all_operators() const;

    /// The measured power of nodes with that GPU; null: none.
    [[nodiscard]] const NodePower* node_with(std::string_view gpu) const;

    /// Names of all regions in the order of the file, each followed by its aliases.
    [[nodiscard]] std::vector<std::string> region_names() const;
};

/// Built into the program: scenarios/catalog/carbon.yaml.
const CarbonCatalogue& builtin_carbon_catalogue();

/// A file of the user's own; same layout. Throws ScenarioError with every mistake in it.
CarbonCatalogue read_carbon_catalogue(const std::string& path);

/// The same for a text; messages name `file`.
CarbonCatalogue read_carbon_catalogue_text(std::string_view text, const std::string& file);

}} // namespace bursar::scenarios
