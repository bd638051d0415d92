#include <doctest/doctest.h>

#include "models/energy/run_energy.hpp"
#include "models/errors/model_error.hpp"

namespace bursar::run_energy_test {
namespace {

const GpuPower gpu{Power{100}, Power{700}};
const RunPower eight{gpu, 0.5, 8, Site{0.25, 1.2}};

} // namespace

TEST_CASE("a run draws busy power but for its idle share, and loses what was not useful") {
    // 400 W busy, 100 W idle: 370 W on average. Eight of them, with nodes and building: x 12.
    const RunEnergy energy = run_energy(eight, {Seconds{1000}, 0.8, 0.1});
    CHECK(energy.gpu.count() == doctest::Approx(370));
    CHECK(energy.total.count() == doctest::Approx(370e3 * 12));
    CHECK(energy.useful.count() == doctest::Approx(400e3 * 12 * 0.8));
    CHECK(energy.lost().count() == doctest::Approx(370e3 * 12 - 400e3 * 12 * 0.8));
}

TEST_CASE("a run that is useful throughout loses nothing") {
    CHECK(run_energy(eight, {Seconds{60}, 1, 0}).lost().count() == doctest::Approx(0));
    CHECK_THROWS_AS((void)run_energy({gpu, 1.5, 8, {}}, {Seconds{60}, 1, 0}), ModelError);
}

} // namespace bursar::run_energy_test
