#include "scenarios/keys/price/price_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// A share of the list price, 0 to 1, in millionths.
struct ShareRule {
    using value_type = std::int64_t;

    [[nodiscard]] std::optional<std::int64_t> read(const Reader& at) const {
        const auto milli = thousandths(0, 1).read(at);
        return milli ? std::optional{*milli * (whole_price / 1000)} : std::nullopt;
    }
    [[nodiscard]] Schema schema() const { return thousandths(0, 1).schema(); }
};

Table<VolumeTier> tier_keys() {
    return table<VolumeTier>(
        {{required("from",
                   &VolumeTier::gpu_time,
                   QuantityRule<Duration>{
                       gpu_times, Zero::refused, [](Measure m) { return Duration{m.count}; }}),
          "GPU time of the pool from which on it holds"},
         {required("share", &VolumeTier::millionths, ShareRule{}), "of the price, from then on"}});
}

void check_keys(const Reader& at, DiscountSpec& discount, const KeysRead& /*keys*/) {
    if (discount.sustained_use.empty() && discount.volume.empty())
        at.mistake("is no discount", {}, "give sustained_use or volume");
    for (std::size_t i = 1; i < discount.sustained_use.size(); ++i)
        if (discount.sustained_use[i] > discount.sustained_use[i - 1])
            at.mistake_at("sustained_use",
                          "a later share is above an earlier one",
                          "longer use costs less",
                          "such as [1, 0.8, 0.6, 0.4]");
    for (std::size_t i = 1; i < discount.volume.size(); ++i)
        if (discount.volume[i].millionths > discount.volume[i - 1].millionths)
            at.mistake_at(
                "volume", "a later share is above an earlier one", "what is used more costs less");
    for (std::size_t i = 1; i < discount.volume.size(); ++i)
        if (discount.volume[i].gpu_time <= discount.volume[i - 1].gpu_time)
            at.mistake_at("volume", "tiers are not in the order of their GPU time");
}

Table<DiscountSpec> discount_table() {
    return table<DiscountSpec, check_keys>(
        {{optional("sustained_use", &DiscountSpec::sustained_use, list_of(ShareRule{})),
          "shares of the price, one after the other for equal parts of each month "
          "of 730 h, such as [1, 0.8, 0.6, 0.4]"},
         {optional("volume", &DiscountSpec::volume, list_of(tier_keys())),
          "shares of the price by the GPU time that the pool was paid for"}});
}

} // namespace

Key<PoolSpec> discount_key() {
    return {optional("discount", &PoolSpec::discount, discount_table()),
            "how the price falls with use"};
}

void check_discount(const Reader& at, const PoolSpec& pool, const KeysRead& keys) {
    const auto discount = at.find("discount");
    if (!discount || !keys.good("purchase") || !keys.good("nodes"))
        return;
    if (pool.purchase == Purchase::owned)
        discount->mistake("not for purchase owned", "owned nodes have no list price");
    else if (pool.pays_price_of_launch())
        discount->mistake("cannot be combined with the price of the launch",
                          "it is not defined which node's price it reduces",
                          "leave one of them out");
}

}} // namespace bursar::scenarios
