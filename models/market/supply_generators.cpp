#include "models/market/supply_generators.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <deque>
#include <vector>

#include "models/errors/model_error.hpp"
#include "models/errors/require.hpp"
#include "models/market/life_law.hpp"
#include "models/random/philox.hpp"

namespace bursar { inline namespace models {

namespace {

/// Cycles that a process runs before time 0.
constexpr std::int64_t warm_up_cycles = 32;

struct Flip {
    std::int64_t time_ms{};
    std::int32_t change{}; ///< of nodes, or of zones, that are up
    bool of_zone{};
};

/// The flips of one process inside [0, horizon): at 0 where it is up there.
void add_flips(const UpDown& process,
               const RandomStream& random,
               std::uint64_t entity,
               Duration horizon,
               bool of_zone,
               std::vector<Flip>& flips) {
    const std::int64_t cycle = process.up.typical().count() + process.down.typical().count();
    std::uint32_t draw = 0;
    const double phase = random.uniform(entity, draw++);
    std::int64_t at =
        -warm_up_cycles * cycle - static_cast<std::int64_t>(phase * static_cast<double>(cycle));
    for (bool up = true; at < horizon.count(); up = !up) {
        const LifeLaw& law = up ? process.up : process.down;
        const std::int64_t end = at + law.at(random.uniform(entity, draw++)).count();
        if (up && end > 0) {
            flips.push_back({std::max<std::int64_t>(0, at), 1, of_zone});
            if (end < horizon.count())
                flips.push_back({end, -1, of_zone});
        }
        at = end;
    }
}

} // namespace

SupplySeries
generate(const ZoneSupply& supply, Duration horizon, std::uint64_t seed, SupplyEntity entity) {
    assert(horizon >= millisecond);
    if (supply.nodes < 1)
        throw ModelError{"nodes", "there are none", "give at least one"};
    std::vector<Flip> flips;
    const RandomStream of_nodes{seed, Stream::node_supply};
    for (std::uint32_t node = 0; node < static_cast<std::uint32_t>(supply.nodes); ++node)
        add_flips(supply.node,
                  of_nodes,
                  (std::uint64_t{entity.pool} << 32) | node,
                  horizon,
                  false,
                  flips);
    if (supply.zone)
        add_flips(*supply.zone,
                  RandomStream{seed, Stream::zone_supply},
                  entity.zone,
                  horizon,
                  true,
                  flips);
    std::ranges::sort(flips, {}, &Flip::time_ms);

    std::int32_t up_nodes = 0;
    std::int32_t up_zones = supply.zone ? 0 : 1;
    std::vector<SupplyStep> steps{{0, 0}};
    for (const Flip& flip : flips) {
        (flip.of_zone ? up_zones : up_nodes) += flip.change;
        if (flip.time_ms > steps.back().time_ms)
            steps.push_back({flip.time_ms, 0});
        steps.back().nodes = up_zones * up_nodes;
    }
    return {std::move(steps), horizon};
}

ZoneSupply zone_supply(const CorrelatedNodes& nodes) {
    require_share("correlation", nodes.correlation);
    require_share("up_share", nodes.up_share);
    if (!(nodes.up_share > 0 && nodes.up_share < 1))
        throw ModelError{"up_share", "leaves nothing to come or go", "above 0 and below 1"};
    const double node_share = nodes.up_share + nodes.correlation * (1 - nodes.up_share);
    const double zone_share = nodes.up_share / node_share;
    // 1 / mean_up = 1 / U_zone + 1 / U_node, with U = down · share / (1 - share) of both.
    const double node_ends = (1 - node_share) / node_share;
    const double zone_ends = (1 - zone_share) / zone_share;
    const double up_ms = static_cast<double>(nodes.mean_up.count());
    const double down_ms = up_ms * (node_ends + zone_ends);
    const auto process = [&](double ends) {
        const auto law = [](double ms) { return LifeLaw::exponential(Duration{std::llround(ms)}); };
        return UpDown{law(down_ms / ends), law(down_ms)};
    };
    if (zone_ends <= 0)
        return {nodes.nodes, process(node_ends), std::nullopt};
    // Nodes that only fail with their zone have endless lives.
    const UpDown own = node_ends > 0
                           ? process(node_ends)
                           : UpDown{LifeLaw::exponential(max_life), LifeLaw::exponential(second)};
    return {nodes.nodes, own, process(zone_ends)};
}

namespace {

/// Appends `length` of `series` from `offset` after its beginning, round its
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

SupplySeries announced(const SupplySeries& supply, Duration notice) {
    const std::span<const SupplyStep> steps = supply.steps();
    assert(steps.front().time_ms == 0 && notice >= Duration{});
    std::vector<std::int64_t> times;
    for (const SupplyStep& step : steps) {
        times.push_back(step.time_ms);
        times.push_back(std::max<std::int64_t>(0, step.time_ms - notice.count()));
    }
    std::ranges::sort(times);
    times.erase(std::ranges::unique(times).begin(), times.end());

    // Steps inside [time, time + notice], of which the front has the fewest nodes.
    std::deque<std::size_t> window;
    std::size_t next = 0;
    std::vector<SupplyStep> out;
    for (const std::int64_t time : times) {
        for (; next < steps.size() && steps[next].time_ms <= time + notice.count(); ++next) {
            while (!window.empty() && steps[window.back()].nodes >= steps[next].nodes)
                window.pop_back();
            window.push_back(next);
        }
        while (window.front() + 1 < steps.size() && steps[window.front() + 1].time_ms <= time)
            window.pop_front();
        out.push_back({time, steps[window.front()].nodes});
    }
    return {std::move(out), supply.end()};
}

SupplySeries since(const SupplySeries& supply, Duration zero) {
    std::vector<SupplyStep> steps{{0, supply.at(zero)}};
    for (const SupplyStep& step : supply.steps())
        if (step.time_ms > zero.count())
            steps.push_back({step.time_ms - zero.count(), step.nodes});
    return {std::move(steps), std::max(supply.end() - zero, Duration{1})};
}

}} // namespace bursar::models
