#include <array>

#include <doctest/doctest.h>

#include "scenarios/traces/text/nearest_name.hpp"

namespace bursar {

TEST_CASE("a misspelt name finds its neighbours, a foreign one none") {
    constexpr std::array<std::string_view, 4> known{"philly-csv", "helios-csv", "swf", "csv"};
    CHECK(did_you_mean("phily-csv", known) == "did you mean \"philly-csv\"?");
    CHECK(did_you_mean("Helios-CSV", known) == "did you mean \"helios-csv\"?");
    CHECK(did_you_mean("helios", known) == "did you mean \"helios-csv\"?");
    CHECK(did_you_mean("swg", known) == "did you mean \"swf\"?");
    CHECK(did_you_mean("parquet", known).empty());
    CHECK(did_you_mean("", known).empty());
    CHECK(listed(known) == "philly-csv, helios-csv, swf, csv");
}

} // namespace bursar
