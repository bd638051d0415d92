#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/trace_formats/registry.hpp"
#include "scenarios/traces/trace_format.hpp"

#include "tests/places.hpp"

namespace bursar::registry_test {

TEST_CASE("every format has a unique name and can be recognised") {
    std::set<std::string_view> names;
    for (const TraceFormat& format : trace_formats()) {
        CAPTURE(format.name);
        CHECK(names.insert(format.name).second);
        CHECK((format.csv != nullptr) == (format.read == nullptr));
        if (format.csv != nullptr)
            CHECK_FALSE(identifying_columns(*format.csv).empty());
        else
            CHECK((format.begins_like != nullptr));
        CHECK(find_trace_format(format.name) == &format);
    }
}

TEST_CASE("a header of exactly the identifying columns is recognised as its own format") {
    for (const TraceFormat& format : trace_formats()) {
        CAPTURE(format.name);
        if (format.csv != nullptr)
            CHECK(&recognise_format(identifying_columns(*format.csv) + "\n", "t") == &format);
    }
    CHECK(recognise_format("; Version: 2\n", "t").name == "swf");
    CHECK(recognise_format("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", "t").name == "swf");
    CHECK(recognise_format("JobID|Elapsed|State\n", "t").name == "sacct");
    CHECK(recognise_format("03/01/2024 10:20:00;E;9;start=1\n", "t").name == "pbs-accounting");
    CHECK(recognise_format("\"JOB_FINISH\" \"10.1\" 5 6\n", "t").name == "lsb-acct");
    CHECK(recognise_format("{\n    \"apiVersion\": \"v1\",\n", "t").name == "kubectl-json");
    CHECK_THROWS_AS(recognise_format("1 2 3 4\n", "t"), ScenarioError);
}

TEST_CASE("every fuzz seed is for an existing format") {
    for (const auto& seed :
         std::filesystem::directory_iterator{source_file("tests/fuzz/corpus/trace")}) {
        std::string name;
        std::ifstream{seed.path()} >> name;
        CAPTURE(seed.path().filename().string());
        if (name != "any")
            CHECK(find_trace_format(name) != nullptr);
    }
}

} // namespace bursar::registry_test
