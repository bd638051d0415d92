#include <doctest/doctest.h>

#include "reports/text/display_width.hpp"

namespace bursar::display_width_test {

TEST_CASE("wide characters take two columns, combining marks none") {
    CHECK(display_width("") == 0);
    CHECK(display_width("caf\u00E9") == 4);
    CHECK(display_width("e\u0301") == 1);
    CHECK(display_width("\u8A00\u8A9E") == 4);
    CHECK(display_width("\uFF21\uAC00") == 4);
    CHECK(display_width("\U0001F600") == 2);
}

TEST_CASE("text is cut between characters and is never wider than requested") {
    CHECK(cut_to_width("abcdef", 6) == "abcdef");
    CHECK(cut_to_width("abcdef", 5) == "abcd\u2026");
    CHECK(cut_to_width("\u8A00\u8A9E\u8A00", 4) == "\u8A00\u2026");
    CHECK(cut_to_width("\u8A00\u8A9E\u8A00", 5) == "\u8A00\u8A9E\u2026");
    CHECK(cut_to_width("abc", 1) == "\u2026");
}

TEST_CASE("alignment counts columns, not bytes") {
    CHECK(left_aligned("\u8A00", 4) == "\u8A00  ");
    CHECK(right_aligned("\u8A00", 4) == "  \u8A00");
    CHECK(right_aligned("abc", 2) == "abc");
}

} // namespace bursar::display_width_test
