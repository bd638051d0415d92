#include <doctest/doctest.h>

#include "models/energy/power.hpp"
#include "models/errors/model_error.hpp"

#include "tests/properties.hpp"

namespace bursar::power_test {

namespace {

const GpuPower a100{Power{60}, Power{400}, 1};

} // namespace

TEST_CASE("power rises from idle to full with utilization") {
    CHECK(power_at(a100, 0) == Power{60});
    CHECK(power_at(a100, 1) == Power{400});
    CHECK(power_at(a100, 0.5) == Power{230});
    CHECK(power_at({Power{60}, Power{400}, 2}, 0.5) == Power{145});
    CHECK(check_property("never falls", [] {
        const double u = drawn::in_range(0, 1000) / 1000.0;
        RC_ASSERT(power_at(a100, u) <= power_at(a100, u + 0.001));
    }));
}

TEST_CASE("a GPU's curve needs its TDP") {
    Gpu gpu;
    gpu.name = "X";
    CHECK_THROWS_AS((void)power_of(gpu), UnknownFact);
    gpu.tdp_w = 700;
    const GpuPower power = power_of(gpu);
    CHECK(power.idle.count() == doctest::Approx(105));
    CHECK(power.full == Power{700});
    CHECK(power_at(power, default_utilization) / power.full ==
          doctest::Approx(training_power_share));
    CHECK_THROWS_AS((void)power_of(gpu, 1.5), ModelError);
}

TEST_CASE("node and building add to the power of the GPUs") {
    CHECK(facility_power(8, Power{400}, {.node_overhead = 0.25, .pue = 1.2}).count() ==
          doctest::Approx(8 * 400 * 1.25 * 1.2));
    CHECK_THROWS_AS((void)facility_power(0, Power{400}, {}), ModelError);
    CHECK_THROWS_AS((void)facility_power(8, Power{-1}, {}), ModelError);
    CHECK_THROWS_AS((void)facility_power(8, Power{400}, {.node_overhead = -0.1}), ModelError);
    CHECK_THROWS_WITH_AS((void)facility_power(8, Power{400}, {.node_overhead = 0, .pue = 0.9}),
                         "pue: must be a finite number, one or above",
                         ModelError);
}

TEST_CASE("a measured node's power is that of its GPUs and the rest") {
    Gpu gpu;
    gpu.tdp_w = 700;
    const double overhead = node_overhead_of(gpu, Power{969});
    const Power busy = power_at(power_of(gpu), default_utilization);
    CHECK(facility_power(8, busy, {.node_overhead = overhead}).count() == doctest::Approx(8 * 969));
    CHECK_THROWS_AS((void)node_overhead_of(gpu, Power{500}), ModelError);
    CHECK_THROWS_AS((void)node_overhead_of(Gpu{}, Power{500}), UnknownFact);
}

TEST_CASE("power curves out of range are refused") {
    CHECK_THROWS_AS((void)power_at(a100, 1.01), ModelError);
    CHECK_THROWS_AS((void)power_at(a100, -0.01), ModelError);
    CHECK_THROWS_AS((void)power_at({Power{500}, Power{400}, 1}, 0.5), ModelError);
    CHECK_THROWS_AS((void)power_at({Power{0}, Power{0}, 1}, 0.5), ModelError);
    CHECK_THROWS_AS((void)power_at({Power{0}, Power{400}, 0}, 0.5), ModelError);
}

TEST_CASE("energy is paid by the kilowatt-hour") {
    CHECK(energy_usd(Energy{100 * joules_per_kwh}, 0.08) == doctest::Approx(8));
    CHECK_THROWS_AS((void)energy_usd(Energy{1}, -0.1), ModelError);
}

namespace {

const GpuPower gpu{Power{100}, Power{700}};
const RunPower eight{gpu, 0.5, 8, Site{0.25, 1.2}};

} // namespace

TEST_CASE("a run draws busy power except in its idle share; energy without progress is lost") {
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

} // namespace bursar::power_test
