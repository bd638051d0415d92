#include <doctest/doctest.h>

#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"

namespace bursar::ascii_test {

TEST_CASE("text becomes ASCII as wide as it was") {
    CHECK(ascii_text("plain text\n") == "plain text\n");
    CHECK(ascii_text("params \u00b7 bytes \u2014 cut\u2026") == "params * bytes - cut~");
    CHECK(ascii_text("M\u00fcller \u00d7 2") == "M?ller x 2");
    for (const char* text : {"\u4e2d\u6587", "e\u0301", "\U0001f600", "\u00b5s"}) {
        CAPTURE(text);
        CHECK(display_width(ascii_text(text)) == display_width(text));
    }
    CHECK(ascii_text("a\xff\xfe") == "a??");
}

} // namespace bursar::ascii_test
