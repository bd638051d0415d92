#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/compile.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/compile/made_scenario.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::energy_test {
namespace {

/// Two pools of V100 (300 W), the second with `keys` and perhaps another `gpu`; `more` is added at
/// the top.
Compiled compiled(const std::string& keys,
                  const std::string& more,
                  const std::string& gpu = "V100-SXM2-16GB") {
    static const Catalogue builtin = builtin_catalogue();
    const std::string text =
        "bursar: 1\nworkload: {trace: {file: jobs.csv}}\nfleet:\n"
        "  - {pool: a, purchase: owned, gpu: V100-SXM2-16GB, nodes: 1, gpus_per_node: 8, "
        "price: 1 USD/gpu-h}\n"
        "  - {pool: b, purchase: owned, gpu: " +
        gpu + ", nodes: 1, gpus_per_node: 8, " + keys + "}\n" + more;
    const Scenario scenario = read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin);
    return compile(scenario, builtin, test::trace_of({{0, 3600, 4}}));
}

std::string mistakes(const std::string& keys, const std::string& more) {
    try {
        compiled(keys, more);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

bool says(const std::vector<std::string>& texts, const std::string& part) {
    return std::ranges::any_of(
        texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

constexpr const char* priced = "price: 1 USD/gpu-h";

} // namespace

TEST_CASE("energy is computed if a scenario asks for it, and then for all pools") {
    CHECK(compiled(priced, "").plan.energy.empty());
    CHECK(compiled(priced, "energy: {}\n").plan.energy.size() == 2);
    CHECK(compiled(std::string{priced} + ", energy: {busy: 300 W, idle: 30 W, pue: 1.1}", "")
              .plan.energy.size() == 2);
}

TEST_CASE("energy that is not specified comes from the catalogues, and is noted") {
    const Compiled plan = compiled(priced, "energy: {grid: europe-west4}\n");
    REQUIRE(plan.plan.energy.size() == 2);
    // 300 W x 0.825 and x 0.15, 27.5 % more for the node, Google's PUE of 1.1.
    CHECK(plan.plan.energy[0].busy.count() == doctest::Approx(300'000 * 0.825 * 1.275 * 1.1));
    CHECK(plan.plan.energy[0].idle.count() == doctest::Approx(300'000 * 0.15 * 1.275 * 1.1));
    CHECK(plan.plan.energy[0].pue_milli == 1100);
    REQUIRE(plan.plan.energy[0].grid);
    CHECK(plan.plan.energy[0].grid->count() == 208'810);
    CHECK(plan.plan.energy[0].grid_name == "europe-west4");
    CHECK(says(plan.notes.assumed,
               "energy of pool a: 208.81 g CO2e per kWh throughout in europe-west4"));
    CHECK(says(plan.notes.assumed, "82.5 % of its TDP"));
    CHECK(says(plan.notes.assumed, "a PUE of 1.1 (of gcp: the operator's mean"));
    CHECK(says(plan.notes.unmodelled, "carbon of making the hardware"));
}

TEST_CASE("without a grid there is energy but no carbon, which is noted") {
    const Compiled plan = compiled(priced, "energy: {}\n");
    CHECK_FALSE(plan.plan.energy[0].grid);
    CHECK(plan.plan.energy[0].pue_milli == 1130);
    CHECK(says(plan.notes.assumed,
               "a PUE of 1.13 (the mean of Meta, Google, AWS and Azure; no operator is named)"));
    CHECK(says(plan.notes.unmodelled, "carbon (no grid is named)"));
}

TEST_CASE(
    "stated energy counts, a pool's own before the scenario's, and is not listed as assumed") {
    const Compiled plan =
        compiled(std::string{priced} + ", energy: {busy: 400 W, grid: 0.1 kg/kWh}",
                 "energy: {idle: 50 W, busy: 200 W, pue: 1.5, grid: 57 g/kWh, "
                 "embodied: {carbon: 150 kg, life: 5 y}}\n");
    const std::vector<PlanEnergy>& energy = plan.plan.energy;
    CHECK(energy[0].idle == DrawnPower{75'000});
    CHECK(energy[0].busy == DrawnPower{300'000});
    CHECK(energy[1].busy == DrawnPower{600'000});
    CHECK(energy[0].grid == GridIntensity{57'000});
    CHECK(energy[1].grid == GridIntensity{100'000});
    // 150 kg over 43,800 h
    CHECK(energy[0].embodied == EmbodiedRate{3'424'657'534});
    CHECK_FALSE(says(plan.notes.assumed, "energy of pool"));
    CHECK(plan.notes.unmodelled.empty());
}

TEST_CASE("the power in a pool's cost of ownership is its power") {
    const Compiled plan =
        compiled("owned: {capex: 9000 USD/gpu, life: 4 y, power: 0.5 kW, pue: 1.3, "
                 "electricity: 0.1 USD/kWh}",
                 "energy: {}\n");
    CHECK(plan.plan.energy[1].idle == DrawnPower{650'000});
    CHECK(plan.plan.energy[1].busy == DrawnPower{650'000});
    CHECK(says(plan.notes.assumed, "500 W per GPU, idle or busy, as under `owned`"));
}

TEST_CASE("an operator's PUE holds without a region, and is noted with its source") {
    const Compiled plan = compiled(priced, "energy: {pue: meta}\n");
    CHECK(plan.plan.energy[0].pue_milli == 1080);
    CHECK(says(plan.notes.assumed, "a PUE of 1.08 (of meta: the operator's mean"));
    CHECK(compiled(priced, "energy: {pue: google}\n").plan.energy[0].pue_milli == 1100);
    CHECK(mistakes(priced, "energy: {pue: gogle}\n").find("google") != std::string::npos);
}

TEST_CASE("a node that was measured draws what was measured, and its range is noted") {
    const Compiled plan = compiled("price: 1 USD/gpu-h", "energy: {pue: 1}\n", "H100-SXM5-80GB");
    // 8 of them draw 7.75 kW; idle in proportion: 15 over 82.5 % of the TDP.
    CHECK(plan.plan.energy[1].busy == DrawnPower{969'000});
    CHECK(plan.plan.energy[1].idle.count() == doctest::Approx(969'000 * 0.15 / 0.825));
    CHECK(says(plan.notes.assumed, "969 W per busy GPU with its node (measured, 838 W to 1050 W"));
}

TEST_CASE("a pool's region determines its grid if the catalogue has it") {
    const std::string regions = std::string{priced} + ", region: us-east-1";
    CHECK(mistakes(regions, "energy: {}\n").find("fleet.a.energy.grid: missing") !=
          std::string::npos);
    const Compiled plan = compiled(regions + ", energy: {}", "energy: {grid: 57 g/kWh}\n");
    CHECK(plan.plan.energy[1].grid == GridIntensity{57'000}); // a stated value counts
}

TEST_CASE("impossible energy is refused") {
    const std::string energy = "energy: ";
    CHECK(mistakes(priced, energy + "{idle: 90 W, busy: 80 W}\n").find("idle: is above busy") !=
          std::string::npos);
    CHECK(mistakes(priced, energy + "{busy: 20 kW}\n").find("at most 10 kW") != std::string::npos);
    CHECK(mistakes(priced, energy + "{grid: us-est1}\n").find("us-east1") != std::string::npos);
    CHECK(mistakes(priced, energy + "{grid: 9 kg/kWh}\n").find("too large") != std::string::npos);
    CHECK(mistakes(priced, energy + "{pue: 0.9}\n").find("pue") != std::string::npos);
    CHECK(
        mistakes(priced, energy + "{embodied: {carbon: 1 kg, life: 1 h}}\n").find("at least 1 d") !=
        std::string::npos);
    CHECK(mistakes(priced, energy + "{idle: 900 W}\n").find("is above busy") != std::string::npos);
}

} // namespace bursar::energy_test
