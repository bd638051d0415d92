#pragma once

#include <string>
#include <vector>

#include "models/units/int128.hpp"

#include "reports/bill/bill_table.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// A line of the bill that its reader can work out again: GPU-hours x rate = dollars.
struct PricedLine {
    std::string label;         ///< as in the result, not escaped
    std::string hours;         ///< GPU-hours to four places: "16,745.8314"
    std::string hours_percent; ///< of the paid GPU-hours: "61.7"
    std::string rate;    ///< dollars per GPU-hour, on average; empty where no GPU-hour is paid for
    std::string dollars; ///< to the cent
    std::string dollars_percent; ///< of the dollars paid for GPU-hours
};

/// Rows of a bill, and last what is paid: hours and dollars add up to it as they are printed. The
/// dollars are those of the rows. Hours x rate is within two cents of them, of which one is
/// what adding up takes (and, above 10^7 GPU-hours in a row, within 10^-9 of them).
[[nodiscard]] std::vector<PricedLine> priced_lines(const std::vector<BillRow>& rows,
                                                   const BillRow& paid);

/// Rows of which each is rounded by itself.
[[nodiscard]] std::vector<PricedLine> lone_lines(const std::vector<BillRow>& rows);

/// What a GPU-hour costs on average, dollars, with all digits where they end within nine places;
/// else with as many as `held` times it needs to give `cost` to the cent, nine at most.
[[nodiscard]] std::string mean_rate_text(SlotTime held, Money cost);

}} // namespace bursar::reports
