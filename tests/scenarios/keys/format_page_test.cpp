#include <fstream>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "tests/places.hpp"
#include "tests/scenarios/keys/format_page.hpp"
#include "tests/scenarios/keys/schema_keys.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::format_page_test {
namespace {

test::SchemaKeys all_keys() {
    KnownNames names = test::known_names();
    for (PolicyInfo& policy : names.policies)
        policy.options = {}; // listed by `bursar policies`
    test::SchemaKeys keys = test::schema_keys(names);
    std::erase_if(keys, [](const auto& at) { return at.first.starts_with("policy."); });
    return keys;
}

} // namespace

TEST_CASE("the page of the scenario format has a row for every key at its place") {
    std::ifstream in{source_file("scenarios/scenario/README.md")};
    REQUIRE(in);
    const test::FormatPage page{in};
    const test::SchemaKeys keys = all_keys();
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
