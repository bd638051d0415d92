#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include "models/market/supply_fit.hpp"

#include "scenarios/market/availability/read_availability.hpp"

#include "tests/shared_data.hpp"

// Generators compared with the published traces that they are fitted to, over 200 seeds.
namespace bursar::fitted_supply_test {

std::optional<SupplySeries> real_series(const std::string& name) {
    const auto path = test::shared_data(name);
    if (!path)
        return std::nullopt;
    AvailabilityOptions options;
    options.file = path->string();
    return read_availability(options).supply;
}

doctest::Approx near(double value) {
    return doctest::Approx(value).epsilon(0.1);
}

double in_hours(Duration time) {
    return static_cast<double>(time.count()) / static_cast<double>(hour.count());
}

TEST_CASE("the chosen family has the up-share, changes and up-times of the real traces") {
    struct Case {
        std::string name;
        SupplyFamily family;
    };
    const std::string one = "data/spot-skypilot/availability/1-node/aws-02-15-2023/";
    const std::string sixteen = "data/spot-skypilot/availability/16-node/aws-08-27-2023/";
    for (const Case& c : {Case{one + "us-east-1a_v100_1.json.gz", SupplyFamily::exponential},
                          Case{one + "us-east-1c_v100_1.json.gz", SupplyFamily::exponential},
                          Case{one + "us-east-1d_v100_1.json.gz", SupplyFamily::weibull},
                          Case{one + "us-east-1f_v100_1.json.gz", SupplyFamily::exponential},
                          Case{one + "us-east-2a_v100_1.json.gz", SupplyFamily::weibull},
                          Case{one + "us-west-2a_v100_1.json.gz", SupplyFamily::exponential},
                          Case{one + "us-west-2b_v100_1.json.gz", SupplyFamily::resampled},
                          Case{sixteen + "us-west-2a_v100_1.json.gz", SupplyFamily::blocks}}) {
        CAPTURE(c.name);
        const auto real = real_series(c.name);
        if (!real)
            return;
        const SupplyStatistics facts = statistics_of(*real);
        const auto fits = fit_supply(*real);
        const FittedSupply& fit = chosen_fit(fits);
        CHECK(name_of(fit.family) == name_of(c.family));
        CHECK(fit.generated.node_up_share == near(facts.node_up_share));
        CHECK(fit.generated.changes_per_day == near(facts.changes_per_day));
        CHECK(in_hours(fit.generated.mean_up) == near(in_hours(facts.mean_up)));
        CHECK(in_hours(fit.generated.p90_up) == near(in_hours(facts.p90_up)));
    }
}

TEST_CASE("the default correlation of two nodes is the median of those fitted to spot zones") {
    std::vector<double> fitted;
    for (const std::string name :
         {"spot-bamboo/traces/p3-trace.csv",
          "spot-bamboo/traces/g4dn-trace.csv",
          "spot-bamboo/traces/gcloud/a100x1-east1b.txt",
          "spot-bamboo/traces/gcloud/v100x1-east1c.txt",
          "spot-skypilot/availability/16-node/aws-08-27-2023/us-west-2a_v100_1.json.gz",
          "spot-skypilot/preemption/4-node/aws-08-03-2023/us-east-1f_v100_1.json.gz",
          "spot-skypilot/preemption/4-node/aws-08-03-2023/us-east-2a_v100_1.json.gz"}) {
        const auto real = real_series("data/" + name);
        if (!real)
            return;
        const std::vector<FittedSupply> fits = fit_supply(*real, 1);
        const ZoneSupply& law = std::get<ZoneSupply>(fits.front().model);
        const double node = law.node.up_share();
        const double both = node * (law.zone ? law.zone->up_share() : 1);
        fitted.push_back((node - both) / (1 - both));
    }
    std::ranges::sort(fitted);
    CHECK(fitted[3] == doctest::Approx(fitted_node_correlation).epsilon(0.01));
    CHECK(fitted.front() == doctest::Approx(0.05).epsilon(0.2));
    CHECK(fitted.back() == doctest::Approx(0.98).epsilon(0.02));
}

TEST_CASE("the 90th percentile of an 11-hour trace with lives up to 7 hours is not met") {
    const auto real = real_series("data/spot-bamboo/traces/p3-trace.csv");
    if (!real)
        return;
    const SupplyStatistics facts = statistics_of(*real);
    const auto fits = fit_supply(*real);
    const FittedSupply& fit = chosen_fit(fits);
    CHECK(name_of(fit.family) == "markov");
    CHECK(fit.generated.node_up_share == near(facts.node_up_share));
    CHECK(fit.generated.changes_per_day == near(facts.changes_per_day));
    CHECK(in_hours(fit.generated.mean_up) == near(in_hours(facts.mean_up)));
    CHECK(in_hours(facts.p90_up) == doctest::Approx(7.35).epsilon(0.001));
    CHECK(in_hours(fit.generated.p90_up) == doctest::Approx(4.36).epsilon(0.02));
    CHECK(fit.worst_difference == doctest::Approx(0.41).epsilon(0.02));
    // The file's percentile is at a jump: 18 of its 177 lives last 7.35 h or more, as 11 nodes
    // stayed throughout and 7 went for good when the zone lost capacity once. With two fewer it
    // would be 3.47 h; the file itself, started anywhere and repeated, has 3.8 h. The generated
    // percentile is there, too.
    const LengthRange sure = up_percentile_range(node_spells(*real), 90);
    CHECK(in_hours(sure.low) == doctest::Approx(2.45).epsilon(0.001));
    CHECK(in_hours(sure.high) == doctest::Approx(11.37).epsilon(0.001));
    CHECK(up_percentile(node_spells(*real), 89) < 4 * hour);
}

} // namespace bursar::fitted_supply_test
