#include "reports/bill/leaf_sums.hpp"

#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

std::optional<Fraction> fraction(SlotTime part, SlotTime whole) {
    if (whole == SlotTime{})
        return std::nullopt;
    return Fraction{part.count(), whole.count()};
}

/// Times are halved until their sum has 40 bits, so that its square in millionths has 100; what
/// that changes is below a millionth.
std::optional<Fraction> jain_of(const std::vector<SlotTime>& allocated) {
    int128 whole = 0;
    for (const SlotTime time : allocated)
        whole += time.count();
    if (allocated.size() < 2 || whole == 0)
        return std::nullopt;
    int shift = 0;
    while (whole >> shift >= int128{1} << 40)
        ++shift;
    int128 sum = 0;
    int128 squares = 0;
    for (const SlotTime time : allocated) {
        const int128 part = time.count() >> shift;
        sum += part;
        squares += part * part;
    }
    return Fraction{sum * sum, static_cast<std::int64_t>(allocated.size()) * squares};
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
    out.allocated.resize(result.tenants.size());
    for (const ResultCell& cell : result.cells) {
        const LeafGroup group = group_of(cell.leaf);
        if (cell.tenant && *cell.tenant < out.allocated.size() && group != LeafGroup::idle &&
            group != LeafGroup::unavailable)
            out.allocated[*cell.tenant] += cell.held;
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
            fraction(productive, paid),
            jain_of(sums.allocated)};
}

}} // namespace bursar::reports
