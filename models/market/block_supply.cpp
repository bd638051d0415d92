#include "models/market/block_supply.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "models/market/life_law.hpp"
#include "models/random/philox.hpp"

namespace bursar { inline namespace models {
namespace {

/// Appends what `series` says from `offset` behind its beginning until `length` later, round its
/// end, as steps from `at` on.
void play(const SupplySeries& series,
          std::int64_t offset,
          std::int64_t length,
          std::int64_t at,
          std::vector<SupplyStep>& steps) {
    const std::int64_t begin = series.begin().count();
    const auto all = series.steps();
    while (length > 0) {
        const std::int64_t part = std::min(length, series.length().count() - offset);
        steps.push_back({at, series.at(Duration{begin + offset})});
        auto next =
            std::ranges::upper_bound(all, begin + offset, {}, &SupplyStep::time_ms) - all.begin();
        for (; next < std::ssize(all); ++next) {
            const SupplyStep& step = all[static_cast<std::size_t>(next)];
            if (step.time_ms >= begin + offset + part)
                break;
            steps.push_back({at + step.time_ms - begin - offset, step.nodes});
        }
        at += part;
        length -= part;
        offset = 0;
    }
}

} // namespace

BlockSupply block_supply(const SupplySeries& series) {
    return {series, std::max(second, Duration{series.length().count() / 2})};
}

SupplySeries
generate(const BlockSupply& supply, Duration horizon, std::uint64_t seed, SupplyEntity entity) {
    assert(horizon >= millisecond);
    const RandomStream random{seed, Stream::supply_blocks};
    const LifeLaw block = LifeLaw::exponential(supply.mean_block);
    const auto length = static_cast<std::uint64_t>(supply.series.length().count());
    std::vector<SupplyStep> steps;
    std::uint32_t draw = 0;
    for (std::int64_t at = 0; at < horizon.count();) {
        const auto offset = static_cast<std::int64_t>(random.below(length, entity.pool, draw++));
        const std::int64_t part =
            std::min(block.at(random.uniform(entity.pool, draw++)).count(), horizon.count() - at);
        play(supply.series, offset, part, at, steps);
        at += part;
    }
    return {std::move(steps), horizon};
}

}} // namespace bursar::models
