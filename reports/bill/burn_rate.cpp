#include "reports/bill/burn_rate.hpp"

#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/text/decimal.hpp"

namespace bursar::inline reports {

std::optional<BurnRate> burn_rate(const Result& result) {
    const Duration window = result.window_end - result.window_begin;
    if (window <= Duration{})
        return std::nullopt;
    // money / money_per_cent is cents over the window; x hour / window is cents per hour.
    const int128 money_per_cent_hour = money_per_usd / 100 / hour.count();
    const Money other = other_cost(result);
    Money p95 = other;
    for (const ResultPool& pool : result.pools)
        p95 += pool.cost_over(window);
    const Money total = leaf_sums(result).paid_cost() + other;
    return BurnRate{divide_half_up(total.count(), money_per_cent_hour * window.count()),
                    divide_half_up(p95.count(), money_per_cent_hour * window.count())};
}

} // namespace bursar::inline reports
