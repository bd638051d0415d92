#include "reports/result/pool_price.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace bursar { inline namespace reports {

PoolPrice::PoolPrice(PriceSeries series) : series_{std::move(series)} {
    assert(can_be(series_));
    integrals_.add(series_);
}

bool PoolPrice::can_be(const PriceSeries& series) {
    return series.is_valid() && series.size() > 1 && series.start_ms.front() == 0 &&
           std::ranges::adjacent_find(series.rate) == series.rate.end();
}

PoolPrice PoolPrice::until(Duration end, const PriceSeries& series) {
    PriceSeries seen;
    for (std::size_t step = 0; step < series.size(); ++step) {
        if (step > 0 && series.start_ms[step] >= end.count())
            break;
        if (series.start_ms[step] <= 0)
            seen = {}; // past before the run begins
        if (!seen.rate.empty() && seen.rate.back() == series.rate[step])
            continue;
        seen.start_ms.push_back(seen.rate.empty() ? 0 : series.start_ms[step]);
        seen.rate.push_back(series.rate[step]);
    }
    return seen.size() == 1 ? PoolPrice{MoneyRate{seen.rate.front()}} : PoolPrice{std::move(seen)};
}

PriceRange PoolPrice::range(Duration begin, Duration end) const {
    PriceRange out{at(begin), at(begin)};
    const auto& start = series_.start_ms;
    for (auto step = std::ranges::upper_bound(start, begin.count());
         step != start.end() && *step < end.count();
         ++step) {
        const MoneyRate rate{series_.rate[static_cast<std::size_t>(step - start.begin())]};
        out.min = std::min(out.min, rate);
        out.max = std::max(out.max, rate);
    }
    return out;
}

}} // namespace bursar::reports
