#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What a pool is paid for inside the window: all its GPUs over [from, to), or as much time of them
/// on average; of nodes that are launched and end it is the window. What is billed past the end of
/// the run in whole steps and terms is part of it.
struct FleetRow {
    const ResultPool* pool{}; ///< of the result
    SlotTime held{};
    Money cost{};
    Duration from{}, to{};

    [[nodiscard]] Duration paid() const { return to - from; }
    /// Mean price of a paid GPU-hour, half up; absent if none is paid and the price varies.
    [[nodiscard]] std::optional<MoneyRate> mean_rate() const;
    /// The lowest and the highest price while the pool is paid for.
    [[nodiscard]] PriceRange range() const { return pool->price.range(from, to); }
};

/// One row per pool, in their order.
[[nodiscard]] std::vector<FleetRow> fleet_rows(const Result& result);

/// Dollars with all their digits, two places at least: "0.95", "1.234567891".
[[nodiscard]] std::string rate_text(MoneyRate rate);

/// What a GPU-hour costs, with a unit or none: "0.95"; where it is not the same throughout, "0.6173
/// on average (prices vary, 0.35 to 0.95)", the mean to four places.
[[nodiscard]] std::string price_text(const FleetRow& row, std::string_view unit);

/// "720.0", to 0.1 h.
[[nodiscard]] std::string hours_text(Duration span);

/// What is paid for, to 0.1 GPU-hours: "1,303.9".
[[nodiscard]] std::string gpu_hours_text(const FleetRow& row);

/// "60 nodes"; for nodes that are launched and end, the nodes paid for at once and the most that
/// there may be: "0 to 13 of at most 16 nodes".
[[nodiscard]] std::string nodes_text(const ResultPool& pool);

/// Number of paid nodes: "60"; for nodes that are launched and end, the mean over the window:
/// "2.1".
[[nodiscard]] std::string mean_nodes_text(const Result& result, const FleetRow& row);

/// "6 nodes there at the start, 412 launches, 3 nodes taken back, 12 failures of nodes", as far as
/// there were any, over the whole run, which is said where the window is shorter; empty for none.
[[nodiscard]] std::string node_events_text(const Result& result, const ResultPool& pool);

/// The row as a sentence: "t4: 2 T4, reserved in us-east-1, at 0.35 USD per GPU-hour for 4.0 h
/// (...)", with dates where the zero is dated, else hours from the zero. For nodes that are
/// launched and end: their number, their GPU-hours and their events.
[[nodiscard]] std::string fleet_sentence(const Result& result, const FleetRow& row);

}} // namespace bursar::reports
