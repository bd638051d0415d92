#include "scenarios/market/prices/price_outliers.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::int64_t outlier_ratio = 10;
constexpr std::size_t max_odd = 3;          ///< a longer stretch is what the market asked
constexpr std::size_t rows_beside_each = 3; ///< at an end, where one side has to tell

using Prices = std::span<const RepeatedPrice>;

std::size_t num_rows(Prices prices) {
    std::size_t num = 0;
    for (const RepeatedPrice& price : prices)
        num += price.num_rows;
    return num;
}

std::int64_t lowest(Prices prices) {
    return *std::ranges::min_element(prices, {}, [](const RepeatedPrice& p) {
                return *p.point.nano_usd;
            })->point.nano_usd;
}

std::int64_t highest(Prices prices) {
    return *std::ranges::max_element(prices, {}, [](const RepeatedPrice& p) {
                return *p.point.nano_usd;
            })->point.nano_usd;
}

/// Whether `some` are odd between `before`, the usual ones, and `after`.
bool are_odd(Prices before, Prices some, Prices after) {
    const bool at_end = before.empty() || after.empty();
    if (at_end && num_rows(before) + num_rows(after) < rows_beside_each * num_rows(some))
        return false;
    // The first prices of a series are told by more than one: what follows may be odd itself.
    const Prices next = after.first(std::min(after.size(), before.empty() ? max_odd + 1 : 1));
    std::vector<RepeatedPrice> beside{next.begin(), next.end()};
    if (!before.empty())
        beside.push_back(before.back());
    return lowest(some) >= outlier_ratio * highest(beside) ||
           highest(some) * outlier_ratio <= lowest(beside);
}

} // namespace

std::vector<OddPrices> odd_prices(const std::vector<RepeatedPrice>& prices) {
    const Prices all{prices};
    std::vector<OddPrices> odd;
    std::vector<RepeatedPrice> usual;
    for (std::size_t i = 0; i < prices.size();) {
        const std::size_t left = prices.size() - i;
        std::size_t num = 1;
        while (num <= std::min(max_odd, left) &&
               !are_odd(usual, all.subspan(i, num), all.subspan(i + num)))
            ++num;
        if (num > std::min(max_odd, left)) {
            usual.push_back(prices[i++]);
            continue;
        }
        const std::int64_t beside =
            *(usual.empty() ? prices[i + num] : usual.back()).point.nano_usd;
        odd.push_back({i, num, *prices[i].point.nano_usd > beside});
        i += num;
    }
    return odd;
}

}} // namespace bursar::scenarios
