#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "scenarios/schema/scenario_schema.hpp"

#include "tests/places.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar {
namespace {

/// Every key anywhere in a schema.
void collect_keys(const nlohmann::ordered_json& schema, std::set<std::string>& keys) {
    if (schema.contains("properties"))
        for (const auto& [key, value] : schema["properties"].items())
            keys.insert(key);
    if (schema.is_structured())
        for (const auto& part : schema)
            collect_keys(part, keys);
}

} // namespace

TEST_CASE("the page of the scenario format mentions every key of the key table") {
    std::ifstream in{source_file("scenarios/scenario/README.md")};
    const std::string page{std::istreambuf_iterator<char>{in}, {}};
    REQUIRE_FALSE(page.empty());
    KnownNames names = test::known_names();
    for (PolicyInfo& policy : names.policies)
        policy.options = {}; // `bursar policies` has them
    std::set<std::string> keys;
    collect_keys(nlohmann::ordered_json::parse(scenario_schema(names, builtin_catalogue())), keys);
    REQUIRE(keys.contains("granularity"));
    for (const std::string& key : keys) {
        CAPTURE(key);
        const bool mentioned = page.find("`" + key + "`") != std::string::npos ||
                               page.find("." + key + "`") != std::string::npos;
        CHECK(mentioned);
    }
}

} // namespace bursar
