#include "models/market/owned_cost.hpp"

#include <cassert>

namespace bursar { inline namespace models {
namespace {

constexpr bool in_range(std::int64_t value, std::int64_t min, std::int64_t max) {
    return value >= min && value <= max;
}

[[maybe_unused]] constexpr bool valid(const OwnedCost& cost) {
    const OwnedCost& max = max_owned_cost;
    return in_range(cost.capex_nano_usd_per_gpu, 0, max.capex_nano_usd_per_gpu) &&
           in_range(cost.life.count(), hour.count(), max.life.count()) &&
           in_range(cost.power_milliwatts_per_gpu, 0, max.power_milliwatts_per_gpu) &&
           in_range(cost.pue_milli, 1000, max.pue_milli) &&
           in_range(cost.electricity_nano_usd_per_kwh, 0, max.electricity_nano_usd_per_kwh) &&
           in_range(cost.colo_nano_usd_per_kw_month, 0, max.colo_nano_usd_per_kw_month);
}

// mW per kW, and per (kW x PUE of 1.000).
constexpr std::int64_t mw_per_kw = 1'000'000;
constexpr std::int64_t energy_divisor = mw_per_kw * 1000;
constexpr std::int64_t colo_divisor = mw_per_kw * (month / hour);
// Least common multiple of the two: both power terms over one denominator.
constexpr std::int64_t power_divisor = 73'000'000'000;
constexpr std::int64_t energy_factor = power_divisor / energy_divisor;
constexpr std::int64_t colo_factor = power_divisor / colo_divisor;
static_assert(month / hour == 730);
static_assert(energy_divisor * energy_factor == power_divisor);
static_assert(colo_divisor * colo_factor == power_divisor);

struct Fraction {
    int128 numerator;
    int128 denominator;
};

// Largest numerator, at max_owned_cost: capex 1e15 x 3.6e6 x 7.3e10 = 2.6e32, energy
// 73 x 1e8 x 1e4 x 1e11 x 3.2e12 = 2.3e37, colo 100 x 1e8 x 1e15 x 3.2e12 = 3.2e37: 5.5e37 of the
// 1.7e38 that 128 bits hold.
constexpr Fraction hourly(const OwnedCost& cost) {
    const int128 capex = int128{cost.capex_nano_usd_per_gpu} * hour.count() * power_divisor;
    const int128 energy = int128{energy_factor} * cost.power_milliwatts_per_gpu * cost.pue_milli *
                          cost.electricity_nano_usd_per_kwh;
    const int128 colo =
        int128{colo_factor} * cost.power_milliwatts_per_gpu * cost.colo_nano_usd_per_kw_month;
    return {capex + (energy + colo) * cost.life.count(), int128{power_divisor} * cost.life.count()};
}

} // namespace

MoneyRate owned_rate(const OwnedCost& cost) {
    assert(valid(cost));
    const Fraction rate = hourly(cost);
    const int128 half_up = (rate.numerator + rate.denominator / 2) / rate.denominator;
    return MoneyRate{static_cast<std::int64_t>(half_up)};
}

}} // namespace bursar::models
