#include <vector>

#include <doctest/doctest.h>

#include "models/optimization/linear_program.hpp"

namespace bursar::test::linear_program_test {

TEST_CASE("the best point of a small program, by hand") {
    LinearProgram program{2};
    program.maximise(0, 3);
    program.maximise(1, 2);
    program.add_row({{0, 1}, {1, 1}}, 4);
    program.add_row({{0, 1}}, 3);
    const std::vector<double> x = program.solve();
    REQUIRE(x.size() == 2);
    CHECK(x[0] == doctest::Approx(3).epsilon(1e-4));
    CHECK(x[1] == doctest::Approx(1).epsilon(1e-4));
}

TEST_CASE("among equally good points the one inside: equal variables get equal values") {
    LinearProgram program{3};
    for (std::size_t variable = 0; variable < 3; ++variable)
        program.maximise(variable);
    program.add_row({{0, 1}, {1, 1}, {2, 1}}, 6);
    const std::vector<double> x = program.solve();
    REQUIRE(x.size() == 3);
    for (const double each : x)
        CHECK(each == doctest::Approx(2).epsilon(1e-3));
}

TEST_CASE("a program that nothing satisfies has no solution") {
    LinearProgram program{1};
    program.maximise(0);
    program.add_row({{0, 1}}, 1);
    program.add_row({{0, -1}}, -2);
    CHECK(program.solve().empty());
}

} // namespace bursar::test::linear_program_test
