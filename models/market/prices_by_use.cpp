#include "models/market/prices_by_use.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>
#include <utility>

#include "models/market/owned_cost.hpp"
#include "models/market/sustained_levels.hpp"

namespace bursar { inline namespace models {
namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// From `at_ms` on, the change of the number of nodes and of their summed price.
struct Change {
    std::int64_t at_ms{};
    std::int64_t nodes{};
    std::int64_t rate{};
};

/// The price at an instant; before the first step, the first step's.
std::int64_t rate_at(const PriceSeries& list, std::int64_t at_ms) {
    const auto after = std::ranges::upper_bound(list.start_ms, at_ms) - list.start_ms.begin();
    return list.rate[static_cast<std::size_t>(after == 0 ? 0 : after - 1)];
}

std::vector<Change> changes_of(const PriceSeries& list, const std::vector<PaidNode>& nodes) {
    std::vector<Change> changes;
    changes.reserve(2 * nodes.size());
    for (const PaidNode& node : nodes) {
        if (node.begin_ms >= node.end_ms)
            continue;
        const std::int64_t rate = rate_at(list, node.begin_ms);
        changes.push_back({node.begin_ms, 1, rate});
        changes.push_back({node.end_ms, -1, -rate});
    }
    std::ranges::stable_sort(changes, {}, &Change::at_ms);
    return changes;
}

std::int64_t share_of_rate(std::int64_t rate, std::int64_t millionths) {
    return (rate * millionths + whole_price / 2) / whole_price;
}

/// Walks through a run and reports the summed price of its nodes at each instant.
class UsedDiscounts {
  public:
    UsedDiscounts(const PriceSeries& list,
                  const std::vector<std::int64_t>& sustained,
                  const std::vector<VolumeTier>& tiers,
                  std::int64_t gpus_per_node)
        : list_{list}, sustained_{sustained}, tiers_{tiers}, gpus_{gpus_per_node},
          levels_{std::max<std::int64_t>(static_cast<std::int64_t>(sustained.size()), 1), month} {}

    PriceSeries of(const std::vector<Change>& changes) {
        for (const Change& change : changes) {
            pass_to(change.at_ms);
            nodes_ += change.nodes;
            levels_.set_nodes(now_ms_, nodes_);
        }
        return means_.take(list_.rate.front());
    }

  private:
    void pass_to(std::int64_t end_ms) {
        while (now_ms_ < end_ms) {
            levels_.pass_to(now_ms_);
            while (tier_ < tiers_.size() && used_ >= tiers_[tier_].gpu_time.count())
                ++tier_;
            const std::int64_t next = std::min(end_ms, next_ms());
            means_.add(now_ms_, next, price(), nodes_);
            used_ += int128{next - now_ms_} * nodes_ * gpus_;
            now_ms_ = next;
            if (now_ms_ == month_ms_) {
                levels_.begin_month(now_ms_);
                month_ms_ += month.count();
            }
        }
    }

    /// When the price or a discount next changes without a change of nodes; at least a millisecond
    /// later.
    [[nodiscard]] std::int64_t next_ms() const {
        const auto step = std::ranges::upper_bound(list_.start_ms, now_ms_);
        std::int64_t next = step == list_.start_ms.end() ? never : *step;
        next = std::min(levels_.next_ms(now_ms_, next), month_ms_);
        if (tier_ == tiers_.size() || nodes_ == 0)
            return next;
        const std::int64_t per_ms = nodes_ * gpus_;
        const int128 left = tiers_[tier_].gpu_time.count() - used_;
        const int128 wait = (left + per_ms - 1) / per_ms;
        return wait < next - now_ms_ ? now_ms_ + static_cast<std::int64_t>(wait) : next;
    }

    /// Summed price of all nodes, per GPU-hour.
    [[nodiscard]] int128 price() const {
        const std::int64_t rate = rate_at(list_, now_ms_);
        const std::int64_t volume = tier_ == 0 ? whole_price : tiers_[tier_ - 1].millionths;
        if (sustained_.empty())
            return int128{share_of_rate(rate, volume)} * nodes_;
        int128 sum{};
        for (std::size_t part = 0; part < sustained_.size(); ++part)
            sum += int128{share_of_rate(share_of_rate(rate, sustained_[part]), volume)} *
                   levels_.nodes_in(static_cast<std::int64_t>(part));
        return sum;
    }

    const PriceSeries& list_;
    const std::vector<std::int64_t>& sustained_;
    const std::vector<VolumeTier>& tiers_;
    std::int64_t gpus_;
    SustainedLevels levels_;
    MeanPrices means_;
    std::int64_t now_ms_{};
    std::int64_t month_ms_{month.count()}; ///< the next one begins
    std::int64_t nodes_{};
    int128 used_{};      ///< GPU-ms so far
    std::size_t tier_{}; ///< tiers reached
};

} // namespace

void MeanPrices::add(std::int64_t begin_ms, std::int64_t end_ms, int128 sum, std::int64_t nodes) {
    assert(begin_ms <= end_ms && nodes >= 0 && sum >= 0);
    if (begin_ms == end_ms || nodes == 0)
        return;
    if (sum % nodes == 0) { // the rest is carried to the next mean that is not whole
        put(begin_ms, static_cast<std::int64_t>(sum / nodes));
        return;
    }
    const int128 span = end_ms - begin_ms;
    const int128 due = sum * span + left_;
    const auto rate = static_cast<std::int64_t>(due / (span * nodes));
    const int128 rest = due - span * nodes * rate;
    const auto dearer_ms =
        rate < max_series_rate.count() ? static_cast<std::int64_t>(rest / nodes) : 0;
    left_ = rest - int128{dearer_ms} * nodes;
    if (dearer_ms > 0)
        put(begin_ms, rate + 1);
    put(begin_ms + dearer_ms, rate);
}

void MeanPrices::put(std::int64_t start_ms, std::int64_t rate) {
    if (!series_.rate.empty() && series_.rate.back() == rate)
        return;
    series_.start_ms.push_back(start_ms);
    series_.rate.push_back(rate);
}

PriceSeries MeanPrices::take(std::int64_t otherwise) {
    if (series_.rate.empty())
        return {{0}, {otherwise}};
    return std::move(series_);
}

PriceSeries locked_at_launch(const PriceSeries& list, const std::vector<PaidNode>& nodes) {
    MeanPrices means;
    std::int64_t now_ms = 0;
    std::int64_t num = 0;
    int128 sum{};
    for (const Change& change : changes_of(list, nodes)) {
        means.add(now_ms, change.at_ms, sum, num);
        now_ms = change.at_ms;
        num += change.nodes;
        sum += change.rate;
    }
    return means.take(list.rate.front());
}

PriceSeries discounted_by_use(const PriceSeries& list,
                              const std::vector<std::int64_t>& sustained,
                              const std::vector<VolumeTier>& tiers,
                              std::int64_t gpus_per_node,
                              const std::vector<PaidNode>& nodes) {
    return UsedDiscounts{list, sustained, tiers, gpus_per_node}.of(changes_of(list, nodes));
}

}} // namespace bursar::models
