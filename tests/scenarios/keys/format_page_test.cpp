#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "scenarios/keys/scenario_keys.hpp"

#include "tests/places.hpp"
#include "tests/scenarios/keys/format_page.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::format_page_test {
namespace {

/// Path of a mapping, and one of its keys; lists stand for their elements.
using Keys = std::set<std::pair<std::string, std::string>>;

/// Every key of the mappings that `schema` describes, with the path of each mapping.
void collect_keys(const nlohmann::ordered_json& schema, const std::string& path, Keys& keys) {
    if (schema.is_array())
        for (const auto& one : schema)
            collect_keys(one, path, keys);
    if (!schema.is_object())
        return;
    for (const char* keyword : {"anyOf", "items"})
        if (schema.contains(keyword))
            collect_keys(schema[keyword], path, keys);
    if (!schema.contains("properties"))
        return;
    for (const auto& [key, property] : schema["properties"].items()) {
        keys.emplace(path, key);
        collect_keys(property, path.empty() ? key : path + '.' + key, keys);
    }
}

Keys all_keys() {
    KnownNames names = test::known_names();
    for (PolicyInfo& policy : names.policies)
        policy.options = {}; // listed by `bursar policies`
    Keys keys;
    collect_keys(
        nlohmann::ordered_json::parse(scenario_schema(names, builtin_catalogue())), {}, keys);
    std::erase_if(keys, [](const auto& at) { return at.first.starts_with("policy."); });
    return keys;
}

} // namespace

TEST_CASE("the page of the scenario format has a row for every key at its place") {
    std::ifstream in{source_file("scenarios/scenario/README.md")};
    REQUIRE(in);
    const test::FormatPage page{in};
    const Keys keys = all_keys();
    REQUIRE(keys.contains({"fleet.billing", "granularity"}));
    REQUIRE(keys.contains({"workload.trace.scale", "time"}));
    for (const auto& [path, key] : keys) {
        CAPTURE(path);
        CAPTURE(key);
        CHECK(page.has(path, key));
    }
}

TEST_CASE("a word elsewhere on the page is not a row") {
    std::istringstream text{"## Top level\n| key | value |\n|---|---|\n| `a` | mapping |\n\n"
                            "## a\nThe `load` of `b`.\n\n| key | value |\n|---|---|\n"
                            "| `b`, `c` | mapping with `deep` |\n\n`b` (all of it):\n\n"
                            "| key |\n|---|\n| `time` | |\n\n## x, y\n| `x.from` | |\n"};
    const test::FormatPage page{text};
    CHECK(page.has("", "a"));
    CHECK(page.has("a", "b"));
    CHECK(page.has("a", "c"));
    CHECK(page.has("a.b", "time"));
    CHECK(page.has("a.c", "deep"));
    CHECK(page.has("x", "from"));
    CHECK_FALSE(page.has("a", "load"));
    CHECK_FALSE(page.has("a", "time"));
    CHECK_FALSE(page.has("a.c", "time"));
    CHECK_FALSE(page.has("", "deep"));
}

} // namespace bursar::format_page_test
