#include "reports/bill/in_currency.hpp"

#include "models/units/units.hpp"

#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {

int128 in_currency(int128 micro_usd, const BillCurrency& currency) {
    return divide_half_up(micro_usd * nano_usd_per_usd, currency.nano_usd);
}

CurrencyTotals totals_in_currency(const Result& result, const PrintedBill& bill) {
    CurrencyTotals totals;
    totals.total = in_currency(bill.total_usd, *result.run.currency);
    totals.paid = in_currency(bill.paid_usd, *result.run.currency);
    totals.other = totals.total - totals.paid;
    return totals;
}

}} // namespace bursar::reports
