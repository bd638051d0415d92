#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

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

/// By the months of the scenario, else by those of UTC; last, where there is any, what
/// lies in none. They add up to what is paid. Empty where the run has no dates, and where nodes
/// come and go and it was not recorded when.
[[nodiscard]] std::vector<MonthShare> month_shares(const Result& result);

}} // namespace bursar::reports
