#include <doctest/doctest.h>

#include "models/training/job/ranks_text.hpp"

namespace bursar::ranks_text_test {

TEST_CASE("the text of a layout names what it divides") {
    Layout layout;
    layout.data = 8;
    CHECK(ranks_text(layout) == "tensor 1 x pipeline 1 x data 8");
    layout.tensor = 4;
    layout.pipeline = 2;
    layout.chunks = 3;
    layout.context = 2;
    layout.expert = 8;
    CHECK(ranks_text(layout) == "tensor 4 x pipeline 2 (3 chunks) x context 2 x data 8 (expert 8)");
}

} // namespace bursar::ranks_text_test
