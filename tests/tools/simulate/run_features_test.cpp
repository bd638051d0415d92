#include <string_view>

#include <doctest/doctest.h>

#include "scenarios/compile/features.hpp"

#include "tests/scenarios/keys/schema_keys.hpp"
#include "tools/simulate/load_scenario.hpp"
#include "tools/simulate/run_features.hpp"

namespace bursar::test::run_features_test {
namespace {

void check_rows(const auto& rows, const SchemaKeys& keys) {
    for (const auto& row : rows)
        for (const std::string_view path : row.keys) {
            CAPTURE(row.name);
            CAPTURE(path);
            CHECK((path.empty() || has_path(keys, path)));
        }
}

} // namespace

TEST_CASE("the keys that a feature names are keys of a scenario") {
    const SchemaKeys keys = schema_keys(known_names());
    REQUIRE(has_path(keys, "fleet.billing.granularity"));
    REQUIRE(has_path(keys, "egress"));
    CHECK_FALSE(has_path(keys, "fleet.egress"));
    check_rows(features(), keys);
    check_rows(run_features(), keys);
}

} // namespace bursar::test::run_features_test
