#include "models/market/supply_statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace bursar { inline namespace models {
namespace {

std::vector<std::int64_t> up_lengths(const std::vector<SupplySpell>& spells) {
    std::vector<std::int64_t> lengths;
    for (const SupplySpell& spell : spells)
        if (spell.up)
            lengths.push_back(spell.length.count());
    return lengths;
}

} // namespace

std::vector<SupplySpell> spells(const SupplySeries& supply, std::int32_t min_nodes) {
    assert(min_nodes >= 1);
    const auto steps = supply.steps();
    std::vector<SupplySpell> out;
    std::int64_t since = steps.front().time_ms;
    bool up = steps.front().nodes >= min_nodes;
    const auto close = [&](std::int64_t until, bool is_last) {
        out.push_back({Duration{until - since}, up, !out.empty() && !is_last});
    };
    for (const SupplyStep& step : steps) {
        if ((step.nodes >= min_nodes) == up)
            continue;
        close(step.time_ms, false);
        since = step.time_ms;
        up = !up;
    }
    close(supply.end().count(), true);
    return out;
}

std::vector<SupplySpell> node_spells(const SupplySeries& supply) {
    std::vector<SupplySpell> out;
    for (std::int32_t node = 1; node <= supply.max_nodes(); ++node) {
        const std::vector<SupplySpell> one = spells(supply, node);
        out.insert(out.end(), one.begin(), one.end());
    }
    return out;
}

Duration up_percentile(const std::vector<SupplySpell>& spells, int percent) {
    assert(percent > 0 && percent <= 100);
    std::vector<std::int64_t> lengths = up_lengths(spells);
    if (lengths.empty())
        return Duration{};
    const std::size_t rank = (lengths.size() * static_cast<std::size_t>(percent) + 99) / 100;
    std::ranges::nth_element(lengths, lengths.begin() + static_cast<std::ptrdiff_t>(rank - 1));
    return Duration{lengths[rank - 1]};
}

LengthRange up_percentile_range(const std::vector<SupplySpell>& spells, int percent) {
    assert(percent > 0 && percent <= 100);
    std::vector<std::int64_t> lengths = up_lengths(spells);
    if (lengths.empty())
        return {};
    std::ranges::sort(lengths);
    const auto n = static_cast<double>(lengths.size());
    const double share = percent / 100.0;
    const double off = 1.96 * std::sqrt(n * share * (1 - share));
    const auto of_rank = [&](double rank) {
        return Duration{lengths[static_cast<std::size_t>(std::clamp(std::ceil(rank), 1.0, n)) - 1]};
    };
    return {of_rank(n * share - off), of_rank(n * share + off)};
}

SupplyStatistics statistics_of(const SupplySeries& supply) {
    SupplyStatistics out;
    const auto length = static_cast<double>(supply.length().count());
    const auto node_ms = static_cast<double>(supply.node_ms());
    out.mean_nodes = node_ms / length;
    out.node_hours = node_ms / static_cast<double>(hour.count());
    if (supply.max_nodes() > 0)
        out.node_up_share = out.mean_nodes / supply.max_nodes();
    std::int64_t any_ms = 0;
    for (const SupplySpell& spell : spells(supply, 1))
        any_ms += spell.up ? spell.length.count() : 0;
    out.availability = static_cast<double>(any_ms) / length;
    std::int32_t before = 0;
    for (const SupplyStep& step : supply.steps()) {
        out.num_launches += std::max(0, step.nodes - before);
        out.num_reclaims += std::max(0, before - step.nodes);
        before = step.nodes;
    }
    out.changes_per_day =
        static_cast<double>(supply.steps().size() - 1) * static_cast<double>(day.count()) / length;
    if (out.num_launches > 0)
        out.mean_up =
            Duration{static_cast<std::int64_t>(supply.node_ms() / int128{out.num_launches})};
    out.p90_up = up_percentile(node_spells(supply), 90);
    return out;
}

}} // namespace bursar::models
