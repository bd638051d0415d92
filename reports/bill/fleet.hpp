#pragma once

#include <string>
#include <vector>

#include "models/units/units.hpp"

#include "reports/result/result.hpp"

namespace bursar::inline reports {

/// What a pool is paid for inside the window: all its GPUs over [from, to), or as much time of them
/// on average. What is billed past the end of the run in whole steps and terms is part of it.
struct FleetRow {
    const ResultPool* pool{}; ///< of the result
    SlotTime held{};
    Duration from{}, to{};

    [[nodiscard]] Duration paid() const { return to - from; }
};

/// One row per pool, in their order.
[[nodiscard]] std::vector<FleetRow> fleet_rows(const Result& result);

/// Dollars with all their digits, two places at least: "0.95", "1.234567891".
[[nodiscard]] std::string rate_text(MoneyRate rate);

/// "720.0", to 0.1 h.
[[nodiscard]] std::string hours_text(Duration span);

/// The row in words: "t4: 2 T4, reserved in us-east-1, at 0.35 USD per GPU-hour for 4.0 h (...)",
/// with dates where the zero is dated, else hours from the zero.
[[nodiscard]] std::string fleet_sentence(const Result& result, const FleetRow& row);

} // namespace bursar::inline reports
