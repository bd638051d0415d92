#include <regex>
#include <string>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "scenarios/reader/pattern.hpp"

#include "tests/properties.hpp"

namespace bursar::pattern_test {

TEST_CASE("characters, classes and escapes take one character each") {
    CHECK(has_form("UTC", "UTC"));
    CHECK_FALSE(has_form("UTC ", "UTC"));
    CHECK_FALSE(has_form("UT", "UTC"));
    CHECK(has_form("a-7", "[a-z][+-][0-9]"));
    CHECK_FALSE(has_form("A-7", "[a-z][+-][0-9]"));
    CHECK(has_form(".[+", "\\.\\[\\+"));
    CHECK(has_form("", ""));
    CHECK_FALSE(has_form("x", ""));
}

TEST_CASE("quantifiers follow characters, classes and groups") {
    CHECK(has_form("", "a?"));
    CHECK_FALSE(has_form("aa", "a?"));
    CHECK(has_form("abab", "(ab)*"));
    CHECK_FALSE(has_form("aba", "(ab)*"));
    CHECK_FALSE(has_form("", "[0-9]+"));
    CHECK(has_form("2026", "[0-9]{4}"));
    CHECK_FALSE(has_form("20261", "[0-9]{4}"));
    CHECK(has_form("4x4x4", "[1-9][0-9]{0,5}(x[1-9][0-9]{0,5}){0,5}"));
    CHECK_FALSE(has_form("4x4x4x4x4x4x4", "[1-9][0-9]{0,5}(x[1-9][0-9]{0,5}){0,5}"));
}

TEST_CASE("alternatives extend to the ends of their group") {
    CHECK(has_form("UTC", "UTC|[+-][0-9]{2}"));
    CHECK(has_form("+08", "UTC|[+-][0-9]{2}"));
    CHECK(has_form("ac", "a(b|c|)"));
    CHECK(has_form("a", "a(b|c|)"));
    CHECK_FALSE(has_form("abc", "a(b|c|)"));
}

TEST_CASE("a long text that almost matches is decided quickly") {
    CHECK_FALSE(has_form(std::string(max_form_text - 1, 'a') + "!", "((a+)+|(a|a)*)+"));
}

TEST_CASE("texts have a form up to their longest size") {
    CHECK(has_form(std::string(max_form_text, 'a'), "a*"));
    CHECK_FALSE(has_form(std::string(max_form_text + 1, 'a'), "a*"));
}

TEST_CASE("the standard library's expressions agree") {
    CHECK(check_property("agreement", [] {
        constexpr const char* patterns[] = {
            "[a-c]+(-[a-c]{1,2})*", "(a|bc?)(\\.c|-)?a*", "a{0,2}b{2}(c|)+", "([a-b]|c\\+)*-?"};
        const char* const pattern =
            drawn::element_of(std::vector<const char*>(std::begin(patterns), std::end(patterns)));
        const auto text =
            *rc::gen::container<std::string>(rc::gen::element('a', 'b', 'c', '-', '.', '+'));
        RC_PRE(text.size() < 30);
        RC_ASSERT(has_form(text, pattern) == std::regex_match(text, std::regex{pattern}));
    }));
}

} // namespace bursar::pattern_test
