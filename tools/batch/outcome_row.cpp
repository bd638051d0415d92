#include "tools/batch/outcome_row.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>

#include "models/units/int128.hpp"

#include "sim/ledger/leaf.hpp"

namespace bursar { inline namespace tools {
namespace {

std::string text_of(int128 number) {
    const bool is_negative = number < 0;
    uint128 left = is_negative ? -static_cast<uint128>(number) : static_cast<uint128>(number);
    std::string digits;
    do {
        digits += static_cast<char>('0' + static_cast<int>(left % 10));
        left /= 10;
    } while (left > 0);
    if (is_negative)
        digits += '-';
    std::ranges::reverse(digits);
    return digits;
}

/// What is held, and what it costs, by leaf.
struct LeafTotals {
    std::array<SlotTime, num_leaves> held{};
    std::array<Money, num_leaves> cost{};
};

LeafTotals totals_of(const Plan& plan, const Outcome& outcome) {
    LeafTotals totals;
    for (std::size_t pool = 0; pool < outcome.num_pools; ++pool)
        for (std::size_t tenant = 0; tenant <= outcome.num_tenants; ++tenant)
            for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
                const std::size_t at = outcome.index(pool, tenant, static_cast<Leaf>(leaf));
                totals.held[leaf] += outcome.cells[at];
                totals.cost[leaf] += outcome.money.empty()
                                         ? plan.pools[pool].rate * outcome.cells[at]
                                         : outcome.money[at];
            }
    return totals;
}

/// Their sum, and each of them.
template <class Quantity>
void append(const std::array<Quantity, num_leaves>& by_leaf, std::vector<std::string>& fields) {
    Quantity sum{};
    for (const Quantity one : by_leaf)
        sum += one;
    fields.push_back(text_of(sum.count()));
    for (const Quantity one : by_leaf)
        fields.push_back(text_of(one.count()));
}

std::vector<std::string> all_columns() {
    std::vector<std::string> columns{"fingerprint",
                                     "events",
                                     "started",
                                     "finished",
                                     "preempted",
                                     "preempted_without_progress",
                                     "running_at_end",
                                     "queued_at_end",
                                     "reservations",
                                     "launches",
                                     "reclaimed",
                                     "failures",
                                     "end_ms",
                                     "window_begin_ms",
                                     "window_end_ms"};
    for (const std::string_view what : {"gpu_hours", "cost"}) {
        columns.push_back("exact." + std::string{what} + ".paid");
        for (const std::string_view leaf : leaf_names)
            columns.push_back("exact." + std::string{what} + ".by_leaf." + std::string{leaf});
    }
    return columns;
}

} // namespace

const std::vector<std::string>& outcome_columns() {
    static const std::vector<std::string> columns = all_columns();
    return columns;
}

std::vector<std::string> outcome_fields(const Plan& plan, const Outcome& outcome) {
    std::vector<std::string> fields{hash_digits(outcome.fingerprint)};
    const auto add = [&](auto number) { fields.push_back(text_of(number)); };
    add(outcome.events);
    add(outcome.num_started);
    add(outcome.num_finished);
    add(outcome.num_preempted);
    add(outcome.num_preempted_without_progress);
    add(outcome.num_running_at_end);
    add(outcome.num_queued_at_end);
    add(outcome.num_reservations);
    PoolNodesUsed nodes;
    for (const PoolNodesUsed& used : outcome.nodes) {
        nodes.num_launches += used.num_launches;
        nodes.num_reclaimed += used.num_reclaimed;
        nodes.num_failures += used.num_failures;
    }
    add(nodes.num_launches);
    add(nodes.num_reclaimed);
    add(nodes.num_failures);
    add(outcome.end.count());
    add(outcome.window_begin.count());
    add(outcome.window_end.count());
    const LeafTotals totals = totals_of(plan, outcome);
    append(totals.held, fields);
    append(totals.cost, fields);
    return fields;
}

bool have_equal_rows(const Outcome& own, const Outcome& other) {
    const auto numbers = [](const Outcome& outcome) {
        return std::tuple{outcome.fingerprint,
                          outcome.events,
                          outcome.num_started,
                          outcome.num_finished,
                          outcome.num_preempted,
                          outcome.num_preempted_without_progress,
                          outcome.num_running_at_end,
                          outcome.num_queued_at_end,
                          outcome.num_reservations,
                          outcome.end,
                          outcome.window_begin,
                          outcome.window_end};
    };
    const auto counts = [](const PoolNodesUsed& used) {
        return std::tuple{used.num_launches, used.num_reclaimed, used.num_failures};
    };
    return numbers(own) == numbers(other) && own.cells == other.cells && own.money == other.money &&
           own.grid == other.grid && std::ranges::equal(own.nodes, other.nodes, {}, counts, counts);
}

std::string_view name_of(RowStatus status) {
    switch (status) {
    case RowStatus::ok:
        return "ok";
    case RowStatus::refused:
        return "refused";
    case RowStatus::failed:
        return "failed";
    }
    return {};
}

std::string quoted_field(std::string_view text) {
    if (text.find_first_of(",\"\n\r") == std::string_view::npos)
        return std::string{text};
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string{"\"\""} : std::string{c};
    return quoted + '"';
}

std::string hash_digits(std::uint64_t hash) {
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4)
        digits += "0123456789abcdef"[hash >> static_cast<unsigned>(shift) & 15U];
    return digits;
}

}} // namespace bursar::tools
