#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

#include "reports/bill/printed_bill.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What a calendar month held and cost inside the window.
struct MonthShare {
    std::string name; ///< "2017-10"
    SlotTime held{};
    Money cost{};
};

/// What is billed past the end of the run, or of a node: it lies in no month that is shown.
inline constexpr std::string_view no_month_name = "charged in advance, beyond the months shown";

/// The whole months of the scenario, else those of UTC that the window lies in. Without dates the
/// run begins in 1970.
[[nodiscard]] std::vector<ResultMonth> bill_months(const Result& result);

/// By the months of the scenario, else by those of UTC; last, where there is any, what
/// lies in none. They add up to what is paid. Empty where the run has no dates, and where nodes
/// come and go and it was not recorded when.
[[nodiscard]] std::vector<MonthShare> month_shares(const Result& result);

/// A month as files print it, in millionths.
struct PrintedMonth {
    std::string name;
    int128 usd{}, hours{};
};

/// The same months: they add up to what `bill` has for paid GPU time. bill: of the result.
[[nodiscard]] std::vector<PrintedMonth> printed_months(const Result& result,
                                                       const PrintedBill& bill);

/// The bill of one of those months as a result: cells, pools, tenants, and a part of the window. It
/// adds up to the month's share, without what is billed past the end of the run or of a node. It
/// has no jobs, energy, seeds or charges that are no GPU time. Throws BadResult, naming `file`,
/// where the result lacks the month or is not divided at its ends.
[[nodiscard]] Result
bill_of_month(const Result& result, std::string_view month, const std::string& file);

}} // namespace bursar::reports
