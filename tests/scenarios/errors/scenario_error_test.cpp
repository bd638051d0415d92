#include <algorithm>
#include <string>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/scenario_error.hpp"

namespace bursar::scenario_error_test {

TEST_CASE("no part of a message can break its line or drive a terminal") {
    const Finding finding{{"a\n\x1b[2J.yaml", 3, 1},
                          "b\r\t",
                          "c\x7f\xc2\x85",
                          "d\xc2\x9b"
                          "31m",
                          "e\x9b\x07"};
    CHECK(finding.text() == "a\\x0a\\x1b[2J.yaml:3:1: b\\x0d\\x09: c\\x7f\\xc2\\x85 "
                            "(d\\xc2\\x9b31m); e\\x9b\\x07");
    const ScenarioError error{std::vector<Finding>{finding, finding}};
    CHECK(std::string{error.what()} == finding.text() + "\n" + finding.text());
}

TEST_CASE("the first of many mistakes are reported, with the number of the others") {
    const auto lines_of = [](std::size_t count) {
        const ScenarioError error{
            std::vector<Finding>(count, Finding{{"a.yaml"}, {}, "p", {}, {}})};
        const std::string text = error.what();
        CHECK(error.findings().size() == count);
        return std::pair{std::ranges::count(text, '\n') + 1, text.substr(text.rfind('\n') + 1)};
    };
    CHECK(lines_of(20) == std::pair{std::ptrdiff_t{20}, std::string{"a.yaml: p"}});
    CHECK(lines_of(21) == std::pair{std::ptrdiff_t{21}, std::string{"... and 1 more mistake"}});
    CHECK(lines_of(1000) ==
          std::pair{std::ptrdiff_t{21}, std::string{"... and 980 more mistakes"}});
}

TEST_CASE("letters of any script stay as they are") {
    const std::string text = "\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x90\xbb \xc2\xa0";
    CHECK(printable(text) == text);
    CHECK(in_quotes(text) == '"' + text + '"');
}

TEST_CASE("printable text of any bytes holds no control byte") {
    CHECK(rc::check("printable", [](const std::string& bytes) {
        RC_ASSERT(std::ranges::none_of(printable(bytes), [](char c) {
            return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
        }));
    }));
}

} // namespace bursar::scenario_error_test
