#include <doctest/doctest.h>

#include "scenarios/catalog/survival_curve.hpp"
#include "scenarios/errors/scenario_error.hpp"

#include "tests/scenarios/traces/temporary_file.hpp"

namespace bursar::survival_curve_test {
namespace {

/// The mistake in `csv`, without the file's name.
std::string mistake_in(std::string_view csv) {
    const test::TemporaryFile file{csv};
    try {
        (void)read_survival_curve(file.path());
    } catch (const ScenarioError& error) {
        return std::string{error.what()}.substr(file.path().size());
    }
    return "accepted";
}

} // namespace

TEST_CASE("a survival curve is read from its two columns, at any position") {
    const test::TemporaryFile file{"surviving_share,zone,time_s\n"
                                   "1,a,0\n"
                                   "0.5,a,3600\n"
                                   "2.5e-1,a,7200.5\n"};
    const SurvivalFunction life = read_survival_curve(file.path());
    CHECK(life.at(Seconds{3600}) == doctest::Approx(0.5));
    CHECK(life.end() == Seconds{7200.5});
}

TEST_CASE("a bad curve is reported with line and column") {
    CHECK(mistake_in("time_s,surviving_share\n60,half\n") ==
          ":2:4: surviving_share: \"half\" is not a number");
    CHECK(mistake_in("time_s,surviving_share\n60\n") ==
          ":2:3: surviving_share: missing (the row ends before it)");
    CHECK(mistake_in("time_s,surviving_share\n1,0.5\n1,0.4\n") ==
          ": survival age: does not ascend; one row per age, in order");
    CHECK(mistake_in("time_s,share\n1,0.5\n").find("surviving_share") != std::string::npos);
    CHECK(mistake_in("time_s,surviving_share\n") ==
          ": survival: has no points; give at least one age with its share");
    CHECK_THROWS_AS((void)read_survival_curve("no/such/file.csv"), ScenarioError);
}

} // namespace bursar::survival_curve_test
