#include <array>
#include <optional>
#include <string_view>

#include <doctest/doctest.h>

#include "scenarios/traces/text/numbers.hpp"

namespace bursar::amounts_test {

constexpr std::array<AmountUnit, 4> units{
    {{"", 1, 1}, {"K", 1, 1024}, {"Gi", 1024, 1}, {"m", 1, 1000}}};

TEST_CASE("amounts are exact and rounded half up") {
    CHECK(parse_amount("0", units) == 0);
    CHECK(parse_amount("16", units) == 16);
    CHECK(parse_amount("2.50Gi", units) == 2'560);
    CHECK(parse_amount("0.0009765625Gi", units) == std::nullopt); // ten decimals
    CHECK(parse_amount("512K", units) == 1);                      // half of one
    CHECK(parse_amount("511K", units) == 0);
    CHECK(parse_amount("1499.999m", units) == 1);
    CHECK(parse_amount("1500m", units) == 2);
    CHECK(parse_amount("999999999999999", units) == 999'999'999'999'999);
}

TEST_CASE("texts that are no amount") {
    for (const std::string_view text : {"",
                                        "Gi",
                                        ".5",
                                        "5.",
                                        "1.2.3",
                                        "-1",
                                        "+1",
                                        "1 Gi",
                                        "1G",
                                        "1e3",
                                        "9999999999999999",
                                        "1000000000000Gi"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_amount(text, units));
    }
}

} // namespace bursar::amounts_test
