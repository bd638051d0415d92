#include "reports/bill/leaf_sums.hpp"

#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

std::optional<Fraction> fraction(SlotTime part, SlotTime whole) {
    if (whole == SlotTime{})
        return std::nullopt;
    return Fraction{part.count(), whole.count()};
}

} // namespace

SlotTime LeafSums::held_in(LeafGroup group) const {
    SlotTime sum;
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
        if (group_of(static_cast<Leaf>(leaf)) == group)
            sum += held[leaf];
    }
    return sum;
}

SlotTime LeafSums::paid() const {
    SlotTime sum;
    for (const SlotTime time : held)
        sum += time;
    return sum;
}

Money LeafSums::paid_cost() const {
    Money sum;
    for (const Money money : cost)
        sum += money;
    return sum;
}

LeafSums leaf_sums(const Result& result) {
    LeafSums out;
    for (const ResultCell& cell : result.cells) {
        out.held[static_cast<std::size_t>(cell.leaf)] += cell.held;
        out.cost[static_cast<std::size_t>(cell.leaf)] += cell.cost;
    }
    return out;
}

Money other_cost(const Result& result) {
    Money sum;
    for (const OtherCost& other : result.run.other_costs)
        sum += other.cost;
    return sum;
}

int128 Fraction::scaled(std::int64_t scale) const {
    return divide_half_up(part * scale, whole);
}

int128 Fraction::permille() const {
    return divide_half_up(scaled(1'000'000), 1000);
}

Ratios ratios(const LeafSums& sums) {
    const SlotTime productive = sums.held_in(LeafGroup::productive);
    const SlotTime kept = sums.held_in(LeafGroup::stalled) + productive;
    const SlotTime allocated =
        sums.held_in(LeafGroup::overhead) + sums.held_in(LeafGroup::lost) + kept;
    const SlotTime paid = sums.paid();
    return {fraction(allocated, paid),
            fraction(kept, allocated),
            fraction(productive, kept),
            fraction(productive, paid)};
}

}} // namespace bursar::reports
