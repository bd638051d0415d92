#include <cmath>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/market/supply_fit.hpp"

namespace bursar::supply_fit_test {

const FittedSupply& fit_of(const std::vector<FittedSupply>& fits, SupplyFamily family) {
    for (const FittedSupply& fit : fits)
        if (fit.family == family)
            return fit;
    FAIL("no such family");
    return fits.front();
}

TEST_CASE("exponential nodes are fitted with their true means, and that law ranks first") {
    const ZoneSupply truth{
        1, {LifeLaw::exponential(3 * hour), LifeLaw::exponential(hour)}, std::nullopt};
    const auto fits = fit_supply(generate(truth, 400 * day, 5), 5);
    REQUIRE(fits.size() == 3);
    const auto& model = std::get<ZoneSupply>(fits[0].model);
    CHECK(model.node.up.mean_ms() == doctest::Approx(3 * 3.6e6).epsilon(0.05));
    CHECK(model.node.down.mean_ms() == doctest::Approx(3.6e6).epsilon(0.05));
    const auto& weibull = std::get<ZoneSupply>(fit_of(fits, SupplyFamily::weibull).model);
    CHECK(weibull.node.up.shape() == doctest::Approx(1).epsilon(0.05));
    CHECK(chosen_fit(fits).family == SupplyFamily::exponential);
    CHECK(chosen_fit(fits).worst_difference < 0.1);
}

TEST_CASE("lives with early ends are fitted with their true shape, chosen by percentile") {
    const ZoneSupply truth{
        1, {LifeLaw::weibull(0.5, 2 * hour), LifeLaw::weibull(0.8, hour)}, std::nullopt};
    const auto fits = fit_supply(generate(truth, 400 * day, 6), 5);
    const FittedSupply& fit = fit_of(fits, SupplyFamily::weibull);
    const auto& model = std::get<ZoneSupply>(fit.model);
    CHECK(model.node.up.shape() == doctest::Approx(0.5).epsilon(0.05));
    CHECK(model.node.down.shape() == doctest::Approx(0.8).epsilon(0.05));
    CHECK(model.node.up.mean_ms() == doctest::Approx(4 * 3.6e6).epsilon(0.1));
    CHECK(fit_of(fits, SupplyFamily::exponential).worst_difference > 0.1);
    CHECK(chosen_fit(fits).family == SupplyFamily::weibull);
}

TEST_CASE("nodes that go together are fitted with their correlation") {
    const ZoneSupply truth = zone_supply({8, 5 * hour, 0.8, 0.4});
    const auto fits = fit_supply(generate(truth, 200 * day, 7), 2);
    REQUIRE(fits.size() == 4);
    const auto& model = std::get<ZoneSupply>(fit_of(fits, SupplyFamily::exponential).model);
    REQUIRE(model.zone.has_value());
    CHECK(model.node.up_share() == doctest::Approx(truth.node.up_share()).epsilon(0.02));
    CHECK(model.zone->up_share() == doctest::Approx(truth.zone->up_share()).epsilon(0.03));
    CHECK(std::holds_alternative<MarkovSupply>(fit_of(fits, SupplyFamily::markov).model));
    CHECK(std::holds_alternative<BlockSupply>(fit_of(fits, SupplyFamily::blocks).model));
}

TEST_CASE("a series with too few events is refused") {
    CHECK_THROWS_WITH_AS((void)fit_supply(SupplySeries{{{0, 1}, {5000, 0}}, hour}),
                         "supply: too few nodes come and go; a fit needs two up-times and two "
                         "down-times from beginning to end",
                         ModelError);
    CHECK_THROWS_AS((void)fit_supply(SupplySeries{{{0, 1}}, hour}), ModelError);
}

} // namespace bursar::supply_fit_test
