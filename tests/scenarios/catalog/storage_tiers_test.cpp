#include <doctest/doctest.h>

#include "scenarios/catalog/storage_tiers.hpp"
#include "scenarios/errors/scenario_error.hpp"

namespace bursar::storage_tiers_test {

TEST_CASE("published tiers are found by name; colder ones are cheaper to keep and dearer to read") {
    const StorageTiers catalogue = builtin_storage_tiers();
    const std::vector<StorageTier>& tiers = catalogue.all;
    REQUIRE(tiers.size() == 4);
    for (std::size_t i = 1; i < tiers.size(); ++i) {
        CAPTURE(tiers[i].name);
        CHECK(catalogue.find(tiers[i].name) == &tiers[i]);
        CHECK(tiers[i].usd_per_gb_month < tiers[i - 1].usd_per_gb_month);
        CHECK(tiers[i].usd_per_1000_reads > tiers[i - 1].usd_per_1000_reads);
        CHECK(tiers[i].min_days > tiers[i - 1].min_days);
    }
    CHECK(catalogue.find("s4") == nullptr);
    CHECK(catalogue.names().size() == tiers.size());
    CHECK(catalogue.names().front() == "s3-standard");
    CHECK(tiers[0].usd_per_gb_month == 0.023);
    CHECK(tiers[3].usd_per_gb_month == 0.00099);
    CHECK(egress_usd(tiers[1], ByteVolume{1e12}) == doctest::Approx(100));
}

TEST_CASE("a user's tiers replace them, and mistakes are reported by place") {
    const StorageTiers own = read_storage_tiers_text(
        "tiers:\n  - {name: disk, usd_per_gb_month: 0.01, source: contract}\n", "own.yaml");
    REQUIRE(own.all.size() == 1);
    CHECK(own.find("disk")->usd_per_gb_egress == 0);
    CHECK_THROWS_AS((void)read_storage_tiers_text(
                        "tiers:\n  - {name: a, usd_per_gb_month: -1, source: s}\n", "own.yaml"),
                    ScenarioError);
    CHECK_THROWS_AS((void)read_storage_tiers_text("tiers:\n"
                                                  "  - {name: a, usd_per_gb_month: 1, source: s}\n"
                                                  "  - {name: a, usd_per_gb_month: 2, source: s}\n",
                                                  "own.yaml"),
                    ScenarioError);
    CHECK_THROWS_AS((void)read_storage_tiers("no/such/file.yaml"), ScenarioError);
}

} // namespace bursar::storage_tiers_test
