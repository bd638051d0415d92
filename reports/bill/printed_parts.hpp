#pragma once

#include <vector>

#include "models/units/int128.hpp"

#include "reports/bill/printed_bill.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// GPU-hours of each part of Result::periods in millionths: those of a cell add up to what is
/// printed for it. bill: of the result.
[[nodiscard]] std::vector<int128> part_hours(const Result& result, const PrintedBill& bill);

/// The same of dollars.
[[nodiscard]] std::vector<int128> part_usd(const Result& result, const PrintedBill& bill);

}} // namespace bursar::reports
