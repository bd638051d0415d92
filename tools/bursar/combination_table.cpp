#include "tools/bursar/combination_table.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/choice/policy_conflict.hpp"
#include "policies/choice/policy_slots.hpp"

#include "reports/text/display_width.hpp"
#include "reports/text/text_lines.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::size_t name_width = 14;

std::string_view word_of(OrdersServed orders) {
    switch (orders) {
    case OrdersServed::none:
        return "-";
    case OrdersServed::with_keys:
        return "keys";
    case OrdersServed::all:
        return "all";
    }
    return "";
}

std::string cell_of(const Combination& combination) {
    std::string cell{word_of(combination.orders)};
    if (combination.needs_rounds)
        cell += " (rounds)";
    return cell;
}

} // namespace

void put_combinations(std::size_t width, TextSink& sink) {
    put_line(sink, "What combines: queue orders that run with each preemption and backfill");
    std::string title = left_aligned("preemption", name_width);
    for (const PolicyInfo& backfill : policies_of("backfill"))
        title += left_aligned(std::string{backfill.name}, name_width);
    put_line(sink, title);
    const std::vector<Combination> all = combinations();
    for (const PolicyInfo& preemption : policies_of("preemption")) {
        std::string line = left_aligned(std::string{preemption.name}, name_width);
        for (const Combination& combination : all)
            if (combination.preemption == preemption.name)
                line += left_aligned(cell_of(combination), name_width);
        put_line(sink, line);
    }
    put_hanging(sink,
                "",
                fmt::format("all: every order; keys: every order but {}; -: refused, with the "
                            "reason. Each goes with every capacity and placement, and with rounds; "
                            "(rounds): with rounds only. head: skip goes with backfill: none only.",
                            fmt::join(orders_without_keys(), ", ")),
                0,
                width);
}

}} // namespace bursar::tools
