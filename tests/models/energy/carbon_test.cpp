#include <doctest/doctest.h>

#include "models/energy/carbon.hpp"
#include "models/energy/power.hpp"
#include "models/errors/model_error.hpp"

namespace bursar::carbon_test {
namespace {

constexpr double bloom_gpu_hours = 1'082'990;
constexpr Seconds bloom_time{bloom_gpu_hours * seconds_per_hour}; // of one GPU
constexpr CarbonIntensity france{57};

double tonnes(CarbonMass mass) {
    return mass.count() / grams_per_tonne;
}

} // namespace

// Luccioni et al., arXiv:2211.02001 (FORMULAS 8).
TEST_CASE("BLOOM's energy and emissions equal the published ones") {
    const Site gpus_alone{.node_overhead = 0, .pue = 1};
    const Energy energy = facility_power(1, Power{400}, gpus_alone) * bloom_time;
    CHECK(energy.count() / joules_per_kwh == doctest::Approx(433'196));
    const CarbonMass dynamic = energy * france;
    CHECK(tonnes(dynamic) == doctest::Approx(24.69).epsilon(1e-3));
    const Energy facility =
        facility_power(1, Power{400}, {.node_overhead = 0, .pue = 1.2}) * bloom_time;
    CHECK(tonnes(facility * france) == doctest::Approx(29.6).epsilon(2e-3));
    const CarbonMass idle = Energy{256'646 * joules_per_kwh} * france;
    CHECK(tonnes(idle) == doctest::Approx(14.6).epsilon(3e-3));
    // The paper's assumptions: 2500 kg a server of 8 GPUs, 150 kg a GPU, 6 years, in use 85 %.
    const Seconds lifetime{6 * 365 * seconds_per_day};
    const CarbonMass embodied =
        embodied_emissions(bloom_time / 8.0, {CarbonMass{2500e3}, lifetime, 0.85}) +
        embodied_emissions(bloom_time, {CarbonMass{150e3}, lifetime, 0.85});
    CHECK(tonnes(embodied) == doctest::Approx(11.2).epsilon(3e-3));
    CHECK(tonnes(dynamic + idle + embodied) == doctest::Approx(50.5).epsilon(1e-3));
}

TEST_CASE("a constant hourly series is a constant intensity") {
    const std::vector<CarbonIntensity> hours(24, france);
    const Seconds time{100.3 * seconds_per_hour};
    CHECK(hourly_emissions(Power{5000}, time, hours).count() ==
          doctest::Approx((Power{5000} * time * france).count()));
}

TEST_CASE("each hour of a run has its hour's intensity, and the series wraps round") {
    const std::vector<CarbonIntensity> hours{
        CarbonIntensity{100}, CarbonIntensity{300}, CarbonIntensity{50}};
    const auto grams = [&](double run_hours) {
        return hourly_emissions(Power{1000}, Seconds{run_hours * seconds_per_hour}, hours).count();
    };
    CHECK(grams(0) == 0);
    CHECK(grams(0.5) == doctest::Approx(50));
    CHECK(grams(1.5) == doctest::Approx(250));
    CHECK(grams(3) == doctest::Approx(450));
    CHECK(grams(7.5) == doctest::Approx(2 * 450 + 100 + 150));
}

TEST_CASE("impossible emissions are refused") {
    const std::vector<CarbonIntensity> hours{france};
    CHECK_THROWS_AS((void)hourly_emissions(Power{1}, Seconds{1}, {}), ModelError);
    CHECK_THROWS_AS((void)hourly_emissions(Power{-1}, Seconds{1}, hours), ModelError);
    CHECK_THROWS_AS((void)hourly_emissions(Power{1}, Seconds{-1}, hours), ModelError);
    CHECK_THROWS_AS((void)hourly_emissions(Power{1}, Seconds{1}, {CarbonIntensity{-1}}),
                    ModelError);
    CHECK_THROWS_AS((void)embodied_emissions(Seconds{1}, {CarbonMass{1}, Seconds{0}, 1}),
                    ModelError);
    CHECK_THROWS_AS((void)embodied_emissions(Seconds{1}, {CarbonMass{1}, Seconds{1}, 0}),
                    ModelError);
    CHECK_THROWS_AS((void)embodied_emissions(Seconds{1}, {CarbonMass{-1}, Seconds{1}, 1}),
                    ModelError);
}

} // namespace bursar::carbon_test
