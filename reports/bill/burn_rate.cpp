#include "reports/bill/burn_rate.hpp"

#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/text/decimal.hpp"

namespace bursar {

std::optional<BurnRate> burn_rate(const Result& result) {
    const Duration window = result.window_end - result.window_begin;
    if (window <= Duration{})
        return std::nullopt;
    const Money total = leaf_sums(result).paid_cost() + other_cost(result);
    Money per_hour;
    for (const ResultPool& pool : result.pools)
        per_hour += pool.cost_over(hour);
    // total / money_per_cent is cents over the window; x hour / window is cents per hour.
    const int128 money_per_cent_hour = money_per_usd / 100 / hour.count();
    return BurnRate{divide_half_up(total.count(), money_per_cent_hour * window.count()),
                    divide_half_up(per_hour.count(), money_per_usd / 100)};
}

} // namespace bursar
