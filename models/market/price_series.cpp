#include "models/market/price_series.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>

namespace bursar { inline namespace models {

bool PriceSeries::is_valid() const {
    return !start_ms.empty() && rate.size() == start_ms.size() &&
           std::ranges::adjacent_find(start_ms, std::greater_equal<>{}) == start_ms.end() &&
           std::ranges::all_of(
               start_ms, [](std::int64_t at) { return std::abs(at) <= max_series_time.count(); }) &&
           std::ranges::all_of(rate, [](std::int64_t nano_usd) {
               return nano_usd >= 0 && nano_usd <= max_series_rate.count();
           });
}

PriceSeries since(Duration zero, PriceSeries series) {
    for (std::int64_t& at : series.start_ms)
        at -= zero.count();
    return series;
}

}} // namespace bursar::models
