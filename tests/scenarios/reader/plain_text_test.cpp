#include <doctest/doctest.h>

#include "scenarios/reader/plain_text.hpp"

namespace bursar::plain_text_test {

TEST_CASE("letters become lower case, other bytes stay") {
    CHECK(lower_case("H100-SXM5 \xc3\x84[]@`{") == "h100-sxm5 \xc3\x84[]@`{");
    CHECK(lower_case("").empty());
}

TEST_CASE("words are runs of letters and digits") {
    CHECK(words_of(" NVIDIA A100-SXM4, 80 GB") ==
          std::vector<std::string>{"nvidia", "a100", "sxm4", "80", "gb"});
    CHECK(words_of("--").empty());
}

TEST_CASE("blanks, tabs and line ends around a text are removed, those inside stay") {
    CHECK(trimmed(" \t a b\r\n") == "a b");
    CHECK(trimmed("a") == "a");
    CHECK(trimmed(" \n").empty());
    CHECK(trimmed("").empty());
}

TEST_CASE("a part stands in a text or does not") {
    CHECK(contains("ZeRO-3 offload", "offload"));
    CHECK(contains("x", ""));
    CHECK_FALSE(contains("zero", "ZeRO"));
}

} // namespace bursar::plain_text_test
