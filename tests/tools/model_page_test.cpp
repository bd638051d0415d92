// tools/bursar/model/README.md shows commands with what they print: it is what they print.

#include <string>

#include <doctest/doctest.h>

#include "tests/places.hpp"
#include "tests/tools/page_examples.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::model_page_test {
namespace {

const std::string page_file = source_file("tools/bursar/model/README.md");
const std::string validation_file = source_file("tools/bursar/model/VALIDATION.md");

} // namespace

TEST_CASE("every example of the page of bursar model prints what the page says") {
    hold_examples(page_file, "$ bursar ", 9);
}

TEST_CASE("the published validation of bursar model is that of the last run") {
    hold_examples(validation_file, "$ bursar ", 1);
}

TEST_CASE("the page has an example of every subcommand of bursar model") {
    const std::string page = read_file(page_file);
    for (const std::string& line : lines_of(bursar({"model", "--help"}).out)) {
        if (!line.starts_with("  ") || line[2] == '-' || line[2] == ' ')
            continue;
        const std::string name = line.substr(2, line.find(' ', 2) - 2);
        CAPTURE(name);
        CHECK(page.find("$ bursar model " + name) != std::string::npos);
    }
}

} // namespace bursar::test::model_page_test
