#pragma once

#include <cstdint>

#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// Costs of owning one GPU, with its share of the node, rack and building. Integers, so that the
/// rate is the same on every machine. All fields >= 0, life >= 1 h, pue >= 1.000.
struct OwnedCost {
    std::int64_t capex_nano_usd_per_gpu;       ///< purchase price, net of resale value
    Duration life;                             ///< depreciation period, straight line
    std::int64_t power_milliwatts_per_gpu;     ///< IT power drawn, node share included
    std::int64_t pue_milli;                    ///< power usage effectiveness x 1000
    std::int64_t electricity_nano_usd_per_kwh; ///< as metered at the building
    std::int64_t colo_nano_usd_per_kw_month;   ///< rent per kW of IT power and month
};

/// The largest values `owned_rate` takes; inside them its 128-bit sums cannot overflow
/// (owned_cost.cpp). 1e6 USD per GPU, 100 years, 100 kW, PUE 10, 100 USD/kWh, 1e6 USD/kW-month.
inline constexpr OwnedCost max_owned_cost{
    .capex_nano_usd_per_gpu = 1'000'000 * nano_usd_per_usd,
    .life = 100 * year,
    .power_milliwatts_per_gpu = 100'000'000,
    .pue_milli = 10'000,
    .electricity_nano_usd_per_kwh = 100 * nano_usd_per_usd,
    .colo_nano_usd_per_kw_month = 1'000'000 * nano_usd_per_usd,
};

/// A month as colocation is billed: a twelfth of 365 days, 730 h.
inline constexpr Duration month{year.count() / 12};

/// What one owned GPU costs per hour, used or idle: the same at any utilisation.
///
///   rate = capex / life  +  power x PUE x electricity  +  power x colo / month
///
/// Electricity is metered behind the cooling, so it is multiplied by PUE. Colocation is sold per kW
/// of IT power with its cooling in the price, so it is not. A scenario that pays one bill for both
/// sets the other to zero.
///
/// Exact in 128-bit integers, rounded once, half up, to a nano-dollar per GPU-hour. Power is
/// counted all the time, whether or not a job runs. Preconditions (asserted): every field within
/// the ranges above and at most max_owned_cost's. Source: straight-line total cost of ownership,
/// Barroso, Hoelzle and Ranganathan, "The Datacenter as a Computer", 3rd edition 2018, chapter 6.
[[nodiscard]] MoneyRate owned_rate(const OwnedCost& cost);

}} // namespace bursar::models
