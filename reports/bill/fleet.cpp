#include "reports/bill/fleet.hpp"

#include <fmt/format.h>

#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {

std::vector<FleetRow> fleet_rows(const Result& result) {
    std::vector<FleetRow> rows;
    for (const ResultPool& pool : result.pools)
        rows.push_back({&pool, {}, {}, result.window_begin, result.window_begin});
    for (const ResultCell& cell : result.cells) {
        rows[cell.pool].held += cell.held;
        rows[cell.pool].cost += cell.cost;
    }
    for (FleetRow& row : rows)
        if (row.pool->has_range())
            row.to = result.window_end;
        else if (const std::int64_t slots = row.pool->num_gpus() * slots_per_gpu; slots > 0)
            row.to += Duration{static_cast<std::int64_t>(divide_half_up(row.held.count(), slots))};
    return rows;
}

std::optional<MoneyRate> FleetRow::mean_rate() const {
    if (const auto rate = pool->price.rate())
        return rate;
    if (held == SlotTime{})
        return std::nullopt;
    return MoneyRate{static_cast<std::int64_t>(divide_half_up(cost.count(), held.count()))};
}

std::string rate_text(MoneyRate rate) {
    std::string places = fmt::format("{:09}", rate.count() % nano_usd_per_usd);
    places.resize(std::max(places.find_last_not_of('0') + 1, std::size_t{2}), '0');
    return grouped_text(rate.count() / nano_usd_per_usd, 0) + '.' + places;
}

std::string price_text(const FleetRow& row, std::string_view unit) {
    const PriceRange range = row.range();
    if (range.min == range.max)
        return rate_text(range.min) + std::string{unit};
    const std::string ends = rate_text(range.min) + " to " + rate_text(range.max);
    const auto mean = row.mean_rate();
    if (!mean)
        return fmt::format("{}{} (prices vary)", ends, unit);
    const int128 places = divide_half_up(mean->count(), nano_usd_per_usd / 10'000);
    return fmt::format("{}{} on average (prices vary, {})", grouped_text(places, 4), unit, ends);
}

std::string hours_text(Duration span) {
    return grouped_text(divide_half_up(span.count() * int128{10}, hour.count()), 1);
}

namespace {

std::string bought_text(const ResultPool& pool) {
    return std::string{purchase_titles[static_cast<std::size_t>(pool.purchase)]} +
           (pool.region.empty() ? "" : " in " + pool.region);
}

/// The sentence of a pool whose nodes are launched and end.
std::string range_sentence(const Result& result, const FleetRow& row) {
    const ResultPool& pool = *row.pool;
    return fmt::format("{}: {} of {} {}, {} on average, {}, at {} for {} GPU-hours",
                       pool.name,
                       nodes_text(pool),
                       pool.gpus_per_node,
                       pool.gpu,
                       mean_nodes_text(result, row),
                       bought_text(pool),
                       price_text(row, " USD per GPU-hour"),
                       gpu_hours_text(row));
}

} // namespace

std::string gpu_hours_text(const FleetRow& row) {
    const int128 slot_hour = slot_time(slots_per_gpu, hour).count();
    return grouped_text(divide_half_up(row.held.count() * 10, slot_hour), 1);
}

std::string nodes_text(const ResultPool& pool) {
    const std::string all = fmt::format(
        "{} node{}", grouped_text(std::int64_t{pool.num_nodes}, 0), pool.num_nodes == 1 ? "" : "s");
    if (!pool.has_range())
        return all;
    return fmt::format("{} to {} of at most {}", pool.nodes->least, pool.nodes->most, all);
}

std::string mean_nodes_text(const Result& result, const FleetRow& row) {
    if (!row.pool->has_range())
        return grouped_text(std::int64_t{row.pool->num_nodes}, 0);
    const Duration window = result.window_end - result.window_begin;
    const int128 slot_ms = slot_time(row.pool->gpus_per_node * slots_per_gpu, window).count();
    return grouped_text(slot_ms > 0 ? divide_half_up(row.held.count() * 10, slot_ms) : 0, 1);
}

std::string node_events_text(const Result& result, const ResultPool& pool) {
    if (!pool.nodes)
        return "";
    std::string text;
    const auto add = [&](std::uint64_t count, const char* one, const char* several) {
        if (count > 0)
            text += fmt::format("{}{} {}",
                                text.empty() ? "" : ", ",
                                grouped_text(static_cast<std::int64_t>(count), 0),
                                count == 1 ? one : several);
    };
    const ResultNodes& nodes = *pool.nodes;
    add(nodes.first, "node there at the start", "nodes there at the start");
    add(nodes.launches, "launch", "launches");
    add(nodes.failed_launches, "launch that failed", "launches that failed");
    add(nodes.reclaimed, "node taken back", "nodes taken back");
    add(nodes.failures, "failure of a node", "failures of nodes");
    return text.empty() || result.covers_run() ? text : text + " (over the whole run)";
}

std::string fleet_sentence(const Result& result, const FleetRow& row) {
    const ResultPool& pool = *row.pool;
    const std::string events = node_events_text(result, pool);
    const std::string after = events.empty() ? "" : "; " + events;
    if (pool.has_range())
        return range_sentence(result, row) + after;
    return fmt::format("{}: {} {}, {}, at {} for {} h ({} to {}){}",
                       pool.name,
                       grouped_text(pool.num_gpus(), 0),
                       pool.gpu,
                       bought_text(pool),
                       price_text(row, " USD per GPU-hour"),
                       hours_text(row.paid()),
                       readable_instant(result.zero_utc_ms, row.from),
                       readable_instant(result.zero_utc_ms, row.to),
                       after);
}

}} // namespace bursar::reports
