#include <doctest/doctest.h>

#include "models/energy/metered.hpp"

namespace bursar::metered_test {
namespace {

constexpr SlotTime gpu_hour{slot_ms_per_gpu_hour};
constexpr DrawnPower kilowatt{milliwatts_per_kilowatt};

} // namespace

TEST_CASE("a kilowatt for an hour is a kWh, and emits at the grid's intensity") {
    static_assert((kilowatt * gpu_hour).count() == drawn_energy_per_kwh);
    static_assert((kilowatt * (GridIntensity{57'000} * gpu_hour)).count() ==
                  57 * emitted_carbon_per_gram);
    CHECK(kilowatt * gpu_hour == DrawnEnergy{drawn_energy_per_kwh});
}

TEST_CASE("embodied carbon has the unit of emissions") {
    static_assert((EmbodiedRate{1'000'000'000} * gpu_hour).count() == emitted_carbon_per_gram);
    // 150 kg over five years of 8,760 h
    CHECK((EmbodiedRate{3'424'657'534} * SlotTime{5 * 8'760 * gpu_hour.count()}).count() /
              emitted_carbon_per_gram ==
          149'999);
}

TEST_CASE("the largest fleet over the longest run at the limits stays inside 128 bits") {
    constexpr int128 slots = int128{64} * ((1 << 24) - 1) * slots_per_gpu;
    constexpr SlotTime all{slots * (std::int64_t{1} << 40)};
    constexpr EmittedCarbon emitted = max_drawn_power * (max_grid_intensity * all);
    constexpr EmittedCarbon embodied = max_embodied_rate * all;
    CHECK(emitted > EmittedCarbon{});
    CHECK(emitted + embodied > emitted); // in a constant expression an overflow does not compile
}

} // namespace bursar::metered_test
