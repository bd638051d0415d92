#include <doctest/doctest.h>

#include "models/energy/power.hpp"

#include "scenarios/catalog/carbon.hpp"
#include "scenarios/catalog/catalogue.hpp"

namespace bursar::carbon_test {
namespace {

std::string own(const std::string& regions) {
    return "providers:\n"
           "  - name: own\n"
           "    pue: 1.1\n"
           "    pue_source: metered\n"
           "    source: utility\n"
           "    vintage: 2025\n"
           "    regions:\n" +
           regions + "unknown: {pue: 1.5, pue_source: s}\n";
}

std::string mistakes_of(const std::string& text) {
    try {
        (void)read_carbon_catalogue_text(text, "own.yaml");
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return "accepted";
}

CarbonSite region(const CarbonCatalogue& catalogue, std::string_view name) {
    return catalogue.region(name, Place{"command line"}, "--region");
}

} // namespace

TEST_CASE("the built-in carbon catalogue is read, and every region is found by all its names") {
    const CarbonCatalogue catalogue = builtin_carbon_catalogue();
    REQUIRE(catalogue.providers.size() == 3);
    CHECK(catalogue.unknown_pue == 1.13);
    double sum = 0;
    for (const OperatorPue& one : catalogue.all_operators())
        sum += one.pue;
    CHECK(sum / 4 == doctest::Approx(catalogue.unknown_pue).epsilon(0.005));
    CHECK(catalogue.all_operators().size() == 4);
    for (const CarbonProvider& provider : catalogue.providers) {
        CAPTURE(provider.name);
        CHECK(provider.pue >= 1);
        CHECK_FALSE(provider.vintage.empty());
        for (const GridRegion& grid : provider.regions) {
            CAPTURE(grid.name);
            CHECK(region(catalogue, grid.name).region == &grid);
            for (const std::string& alias : grid.aliases)
                CHECK(region(catalogue, alias).region == &grid);
            // A figure in metric tons taken for grams, or the reverse, is far outside.
            CHECK(grid.intensity.count() > 1);
            CHECK(grid.intensity.count() < 1000);
        }
    }
}

TEST_CASE("figures equal those of the sources, in grams per kWh") {
    const CarbonCatalogue catalogue = builtin_carbon_catalogue();
    CHECK(region(catalogue, "europe-west4").region->intensity == CarbonIntensity{208.81});
    CHECK(region(catalogue, "us-east-1").region->intensity == CarbonIntensity{415.755});
    CHECK(region(catalogue, "swedencentral").region->intensity == CarbonIntensity{9});
    const CarbonSite virginia = region(catalogue, "East US");
    CHECK(virginia.provider->name == "azure");
    CHECK(virginia.provider->pue == 1.18);
    CHECK(virginia.intensity_source().find("dda7621f8a") != std::string::npos);
    CHECK(virginia.intensity_source().find("2023-05-08") != std::string::npos);
    CHECK(virginia.intensity_source().find("from EPA") != std::string::npos);
}

TEST_CASE("an unknown region is refused with its nearest") {
    const CarbonCatalogue catalogue = builtin_carbon_catalogue();
    CHECK_THROWS_WITH_AS((void)region(catalogue, "europe-west44"),
                         "command line: --region: unknown region \"europe-west44\" (the carbon "
                         "catalogue does not have it); did you mean \"europe-west4\"?",
                         ScenarioError);
}

TEST_CASE("units of a user's catalogue convert; a grid may emit nothing") {
    const CarbonCatalogue catalogue =
        read_carbon_catalogue_text(own("      - {name: a, place: A, intensity: 0.000402 t/kWh}\n"
                                       "      - {name: b, place: B, intensity: 0.05 kg/kWh}\n"
                                       "      - {name: c, place: C, intensity: 0 g/kWh}\n"),
                                   "own.yaml");
    CHECK(region(catalogue, "a").region->intensity == CarbonIntensity{402});
    CHECK(region(catalogue, "b").region->intensity == CarbonIntensity{50});
    CHECK(region(catalogue, "c").region->intensity == CarbonIntensity{0});
    CHECK(region(catalogue, "c").intensity_source() == "utility (2025)");
}

TEST_CASE("mistakes in a carbon catalogue are reported with line and column") {
    CHECK(
        mistakes_of(own("      - {name: a, place: A, intensity: 402}\n")) ==
        "own.yaml:8:40: providers.own.regions.a.intensity: \"402\" has no unit (expected a carbon "
        "intensity such as \"57 g/kWh\")");
    CHECK(mistakes_of(own("      - {name: a, place: A, intensity: 402 t/kWh}\n")) ==
          "own.yaml:8:40: providers.own.regions.a.intensity: \"402 t/kWh\" is too large (at most 5 "
          "kg/kWh, more than any grid)");
    CHECK(mistakes_of(own("      - {name: a, place: A, intensity: 1 g/kWh}\n"
                          "      - {name: b, aliases: [a], place: B, intensity: 1 g/kWh}\n")) ==
          "own.yaml:9:29: providers.own.regions.b.aliases[0]: duplicate name (names and aliases "
          "are unique)");
    CHECK(mistakes_of("providers: []\nunknown: {pue: 0.9, pue_source: s}\n") ==
          "own.yaml:1:12: providers: the list is too short (at least 1)\n"
          "own.yaml:2:16: unknown.pue: \"0.9\" is too small (at least 1)");
    CHECK_THROWS_AS((void)read_carbon_catalogue("no/such/file.yaml"), ScenarioError);
}

TEST_CASE("GPT-3's published energy is within a twentieth at its own PUE and at the default") {
    // 10,000 V100 for 14.8 days, 1,287 MWh at a PUE of 1.1 (Patterson et al. 2021, arXiv
    // 2104.10350); a survey's 1.56 gave 1,749.
    const Gpu v100 = *builtin_catalogue().find("V100-SXM2-16GB");
    const Power busy = power_at(power_of(v100), default_utilization);
    const auto megawatt_hours = [&](double pue) {
        return (facility_power(10'000, busy, {.pue = pue}) * Seconds{14.8 * seconds_per_day})
                   .count() /
               joules_per_kwh / 1000;
    };
    CHECK(megawatt_hours(1.1) == doctest::Approx(1233).epsilon(0.001));
    CHECK(megawatt_hours(builtin_carbon_catalogue().unknown_pue) ==
          doctest::Approx(1267).epsilon(0.001));
    CHECK(megawatt_hours(1.56) == doctest::Approx(1749).epsilon(0.001));
}

} // namespace bursar::carbon_test
