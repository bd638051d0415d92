#pragma once

#include "models/units/int128.hpp"

#include "reports/bill/printed_bill.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// `micro_usd` millionths of a dollar in millionths of a currency, rounded half up. micro_usd: >=
/// 0.
[[nodiscard]] int128 in_currency(int128 micro_usd, const BillCurrency& currency);

/// The totals of a bill in another currency, in millionths; the total is converted, and what is
/// paid for GPU time, and the rest is other.
struct CurrencyTotals {
    int128 paid{}, other{}, total{};
};

/// bill: of the result, in whose currency. Precondition: it has one.
[[nodiscard]] CurrencyTotals totals_in_currency(const Result& result, const PrintedBill& bill);

}} // namespace bursar::reports
