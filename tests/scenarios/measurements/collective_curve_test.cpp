#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/measurements/collective_measurement.hpp"

namespace bursar::collective_curve_test {
namespace {

MeasuredCurve curve_of(const std::string& text) {
    const auto path = std::filesystem::temp_directory_path() / "bursar_collective_curve_test.csv";
    std::ofstream{path} << text;
    return read_collective_curve(path.string());
}

} // namespace

TEST_CASE("a curve is read by its column names") {
    const MeasuredCurve curve = curve_of("time_us,note,bytes\n100,a,1048576\n190.5,b,4194304\n");
    REQUIRE(curve.points().size() == 2);
    CHECK(curve.points()[1].volume == ByteVolume{4194304});
    CHECK(curve.points()[1].time.count() == doctest::Approx(190.5e-6));
}

TEST_CASE("a malformed curve is refused with its place") {
    CHECK_THROWS_WITH_AS((void)curve_of("bytes,time_us\n1,2\n3,fast\n"),
                         doctest::Contains(":3:3: time_us: \"fast\" is not a number"),
                         ScenarioError);
    CHECK_THROWS_WITH_AS((void)curve_of("bytes,time_us\n1\n"),
                         doctest::Contains(":2:2: time_us: missing"),
                         ScenarioError);
    CHECK_THROWS_WITH_AS(
        (void)curve_of("size,time_us\n1,2\n"), doctest::Contains("bytes"), ScenarioError);
    CHECK_THROWS_WITH_AS((void)curve_of("bytes,time_us\n2,2\n1,2\n"),
                         doctest::Contains("point 2 is not larger"),
                         ScenarioError);
    CHECK_THROWS_AS((void)curve_of("bytes,time_us\n"), ScenarioError);
    CHECK_THROWS_AS((void)read_collective_curve("/no/such/curve.csv"), ScenarioError);
}

} // namespace bursar::collective_curve_test
