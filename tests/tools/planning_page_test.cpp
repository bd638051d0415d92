// PLANNING.md answers nine questions with a command each, and shows their output.

#include <string>

#include <doctest/doctest.h>

#include "tests/places.hpp"
#include "tests/tools/page_examples.hpp"

namespace bursar::test::planning_page_test {

TEST_CASE("the answers of the planning page are the program's output" *
          doctest::test_suite("pages")) {
    const std::string page = source_file("PLANNING.md");
    hold_examples(page, "$ bursar run ", 3, 100);
    hold_examples(page, "$ bursar compare ", 4, 100);
    hold_examples(page, "$ bursar sweep ", 2, 100); // diff_test has `bursar diff`
    std::size_t questions = 0;
    for (const std::string& line : lines_of(read_file(page)))
        questions += line.starts_with("## ") && line.ends_with('?') ? 1 : 0;
    CHECK(questions == 9);
    CHECK(examples(lines_of(read_file(page)), "$ bursar ").size() == questions + 1); // two sweeps
}

} // namespace bursar::test::planning_page_test
