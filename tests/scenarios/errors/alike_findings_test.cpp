#include <doctest/doctest.h>

#include "scenarios/errors/alike_findings.hpp"
#include "scenarios/errors/fail_input.hpp"

namespace bursar::alike_findings_test {
namespace {

Finding at_line(std::uint64_t line) {
    Finding finding = mistake("too large");
    if (line > 0)
        finding.place = {"t", line, 0};
    return finding;
}

} // namespace

TEST_CASE("findings of one cause become one, with the lines of the next ones") {
    AlikeFindings findings;
    CHECK(findings.empty());
    findings.add(at_line(2), "a");
    CHECK(findings.shown().at(0).text() == "t:2: too large");
    findings.add(at_line(5), "a");
    CHECK(findings.shown().at(0).text() == "t:2: too large, as on line 5");
    findings.add(at_line(6), "b");
    for (const std::uint64_t line : {7, 8, 9, 10})
        findings.add(at_line(line), "a");
    REQUIRE(findings.shown().size() == 2);
    CHECK(findings.shown()[0].text() == "t:2: too large, as on lines 5, 7, 8 and 2 more");
    CHECK(findings.shown()[1].text() == "t:6: too large");
    CHECK(findings.num_unlisted() == 0);
}

TEST_CASE("findings without a line are counted") {
    AlikeFindings findings;
    for (int i = 0; i < 3; ++i)
        findings.add(at_line(0), "a");
    CHECK(findings.shown().at(0).text() == "too large, and 2 more like it");
}

TEST_CASE("findings on one line are counted, too") {
    AlikeFindings findings;
    for (int i = 0; i < 3; ++i)
        findings.add(at_line(7), "a");
    CHECK(findings.shown().at(0).text() == "t:7: too large, and 2 more like it");
}

TEST_CASE("the first twenty causes are kept") {
    AlikeFindings findings;
    for (std::uint64_t line = 1; line <= 25; ++line)
        findings.add(at_line(line), std::to_string(line));
    findings.add(at_line(30), "1");
    CHECK(findings.shown().size() == 20);
    CHECK(findings.num_unlisted() == 5);
    CHECK(findings.shown()[0].text() == "t:1: too large, as on line 30");
}

} // namespace bursar::alike_findings_test
