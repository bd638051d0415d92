// The examples of tools/model/examples show what their commands print.

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/places.hpp"
#include "tests/tools/page_examples.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::model_page_test {
namespace {

const std::string validation_file = source_file("tools/model/VALIDATION.md");

/// The page of examples of each subcommand of bursar model, by its name.
std::vector<std::pair<std::string, std::string>> pages() {
    std::vector<std::pair<std::string, std::string>> found;
    for (const std::string& line : lines_of(bursar({"model", "--help"}).out)) {
        if (!line.starts_with("  ") || line[2] == '-' || line[2] == ' ')
            continue;
        const std::string name = line.substr(2, line.find(' ', 2) - 2);
        found.emplace_back(name, source_file("tools/model/examples/" + name + ".md"));
    }
    return found;
}

bool has_own_file(const std::string& command) {
    return command.find("steps.csv") != std::string::npos ||
           command.find(" DIR") != std::string::npos;
}

} // namespace

TEST_CASE("every example of the pages of bursar model prints what the page says" *
          doctest::test_suite("pages")) {
    CHECK(pages().size() == 11);
    for (const auto& [name, file] : pages()) {
        CAPTURE(name);
        hold_examples(file, "$ bursar ", 1);
    }
}

TEST_CASE("the README's questions to the models have answers" * doctest::test_suite("pages")) {
    const std::string readme = source_file("README.md");
    std::size_t asked = 0;
    for (const std::string& line : lines_of(read_file(readme))) {
        const std::string command = line.substr(0, line.find(" #"));
        // steps.csv and DIR stand for the reader's files.
        if (!command.starts_with("bursar model ") || has_own_file(command))
            continue;
        CAPTURE(command);
        const Answer answer = bursar(words(command.substr(7, command.find_last_not_of(' ') - 6)));
        CHECK(answer.code == 0);
        CHECK(answer.err.empty());
        ++asked;
    }
    CHECK(asked == 8);
}

TEST_CASE("the published validation of bursar model is that of the last run" *
          doctest::test_suite("pages")) {
    hold_examples(validation_file, "$ bursar ", 1);
}

TEST_CASE("every subcommand of bursar model has a page with an example, and the README names it") {
    const std::string readme = read_file(source_file("tools/model/README.md"));
    for (const auto& [name, file] : pages()) {
        CAPTURE(name);
        CHECK(read_file(file).find("$ bursar model " + name) != std::string::npos);
        CHECK(readme.find("(examples/" + name + ".md)") != std::string::npos);
    }
}

} // namespace bursar::test::model_page_test
