#include <doctest/doctest.h>

#include "scenarios/reader/plain_text.hpp"

namespace bursar::split_list_test {
namespace {

using Values = std::vector<std::string>;

} // namespace

TEST_CASE("a list in one line is split at commas, but not inside brackets or quotes") {
    CHECK(split_list("fifo, sjf") == Values{"fifo", "sjf"});
    CHECK(split_list("{name: las, by: time},[1, 2]") == Values{"{name: las, by: time}", "[1, 2]"});
    CHECK(split_list("gpus=n,tenant=\"a, b\"") == Values{"gpus=n", "tenant=\"a, b\""});
    CHECK(split_list("it's") == Values{"it's"});
    CHECK(split_list("") == Values{""});
    CHECK(split_list("a,,b") == Values{"a", "", "b"});
    CHECK_FALSE(split_list("[a"));
    CHECK_FALSE(split_list("a]"));
    CHECK_FALSE(split_list("'a"));
}

TEST_CASE("quotes around a text are removed") {
    CHECK(without_quotes("\"a, b\"") == "a, b");
    CHECK(without_quotes("'a'") == "a");
    CHECK(without_quotes("a'") == "a'");
    CHECK(without_quotes("'") == "'");
}

} // namespace bursar::split_list_test
