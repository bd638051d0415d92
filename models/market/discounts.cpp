#include "models/market/discounts.hpp"

#include <algorithm>
#include <cassert>

#include "models/market/owned_cost.hpp"

namespace bursar { inline namespace models {

std::vector<PriceShare> sustained_use(const std::vector<std::int64_t>& shares, Duration until) {
    assert(!shares.empty());
    const auto parts = static_cast<std::int64_t>(shares.size());
    std::vector<PriceShare> out;
    for (std::int64_t part = 0;; ++part) {
        const std::int64_t start_ms =
            part / parts * month.count() + part % parts * month.count() / parts;
        if (part > 0 && start_ms >= until.count())
            return out;
        out.push_back({start_ms, shares[static_cast<std::size_t>(part % parts)]});
    }
}

std::vector<PriceShare> by_volume(const std::vector<VolumeTier>& tiers, std::int64_t gpus) {
    assert(gpus >= 1);
    std::vector<PriceShare> out;
    for (const VolumeTier& tier : tiers)
        out.push_back({(tier.gpu_time.count() + gpus - 1) / gpus, tier.millionths});
    return out;
}

PriceSeries at_shares(const PriceSeries& list, const std::vector<PriceShare>& shares) {
    std::vector<std::int64_t> starts = list.start_ms;
    for (const PriceShare& share : shares)
        starts.push_back(share.start_ms);
    std::ranges::sort(starts);
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());

    PriceSeries out;
    std::size_t step = 0;
    std::size_t next_share = 0;
    std::int64_t millionths = whole_price;
    for (const std::int64_t start : starts) {
        while (step + 1 < list.size() && list.start_ms[step + 1] <= start)
            ++step;
        while (next_share < shares.size() && shares[next_share].start_ms <= start)
            millionths = shares[next_share++].millionths;
        out.start_ms.push_back(start);
        out.rate.push_back((list.rate[step] * millionths + whole_price / 2) / whole_price);
    }
    return out;
}

}} // namespace bursar::models
