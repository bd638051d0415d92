// PLANNING.md answers five questions with a command each: what it shows is what they print.

#include <doctest/doctest.h>

#include "tests/places.hpp"
#include "tests/tools/page_examples.hpp"

namespace bursar::test::planning_page_test {

TEST_CASE("the five answers of the planning page are what the program prints" *
          doctest::test_suite("pages")) {
    hold_examples(source_file("PLANNING.md"), "$ bursar ", 5, 100);
}

} // namespace bursar::test::planning_page_test
