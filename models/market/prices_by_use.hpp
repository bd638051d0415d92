#pragma once

#include <cstdint>
#include <vector>

#include "models/market/discounts.hpp"
#include "models/market/price_series.hpp"
#include "models/units/int128.hpp"
#include "models/units/units.hpp"

/// The price of a GPU of a pool whose nodes come and go at different prices: at every instant the
/// mean over the paid nodes. It depends on how a run used them.
namespace bursar { inline namespace models {

/// A node that is paid for over [begin_ms, end_ms), from its launch on.
struct PaidNode {
    std::int64_t begin_ms{};
    std::int64_t end_ms{};

    friend bool operator==(const PaidNode&, const PaidNode&) = default;
};

/// Rounds means to a series of integers: part of each stretch is one nano-dollar higher, long
/// enough to compensate the rounding. The remainder is carried to the next stretch. At the end of
/// every stretch the totals differ by less than one nano-USD per GPU-hour times one millisecond of
/// each node.
class MeanPrices {
  public:
    /// nodes: >= 0, which cost `sum` together, in nano-USD per GPU-hour, over [begin, end). Without
    /// nodes the last price continues. Stretches are in order of time and contiguous.
    void add(std::int64_t begin_ms, std::int64_t end_ms, int128 sum, std::int64_t nodes);

    /// `otherwise`: the series if no node was ever paid for.
    [[nodiscard]] PriceSeries take(std::int64_t otherwise);

  private:
    void put(std::int64_t start_ms, std::int64_t rate);

    PriceSeries series_;
    int128 left_{}; ///< of all stretches so far: nano-USD per GPU-hour x ms x nodes
};

/// Prices each node at that of `list` at its launch.
[[nodiscard]] PriceSeries locked_at_launch(const PriceSeries& list,
                                           const std::vector<PaidNode>& nodes);

/// Prices each node at a share of `list`. Sustained use counts nodes at once: the k-th one advances
/// through the shares while at least k nodes are paid for in that month of 730 h, whichever they
/// are. Volume is the pool's GPU time. Rates are rounded half up at each discount, as at_shares
/// does.
///
/// sustained, tiers: either may be empty. gpus_per_node: >= 1.
/// Source: Google Cloud, "Sustained use discounts for Compute Engine", inferred instances:
/// non-overlapping use is put together, which makes most of the discount.
[[nodiscard]] PriceSeries discounted_by_use(const PriceSeries& list,
                                            const std::vector<std::int64_t>& sustained,
                                            const std::vector<VolumeTier>& tiers,
                                            std::int64_t gpus_per_node,
                                            const std::vector<PaidNode>& nodes);

}} // namespace bursar::models
