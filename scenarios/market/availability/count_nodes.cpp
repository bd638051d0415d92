#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "scenarios/calendar/series_time.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/market/availability/availability_format.hpp"
#include "scenarios/reader/decimal.hpp"
#include "scenarios/traces/text/numbers.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Sorts the events by time and notes those that were out of order.
void put_in_order(std::vector<NodeEvent>& events, const std::string& file, NodeCounts& out) {
    std::vector<std::uint64_t> back;
    for (std::size_t i = 1; i < events.size(); ++i)
        if (events[i].time_ms < events[i - 1].time_ms)
            back.push_back(events[i].line);
    if (back.empty())
        return;
    std::ranges::stable_sort(events, {}, &NodeEvent::time_ms);
    out.notes.push_back({{file, back.front(), 1},
                         "",
                         "times go back at " + lines_in_words(back),
                         "events are taken in the order of their times",
                         ""});
}

} // namespace

std::string lines_in_words(std::span<const std::uint64_t> lines) {
    constexpr std::size_t max_shown = 3;
    std::string out = lines.size() == 1 ? "line " : "lines ";
    for (std::size_t i = 0; i < std::min(lines.size(), max_shown); ++i)
        out += fmt::format("{}{}", i == 0 ? "" : ", ", lines[i]);
    if (lines.size() > max_shown)
        out += fmt::format(" and {} more", lines.size() - max_shown);
    return out;
}

std::optional<std::int32_t> node_count(std::string_view text) {
    const auto count = parse_count(text);
    if (!count || *count > max_counted_nodes)
        return std::nullopt;
    return static_cast<std::int32_t>(*count);
}

std::int64_t
event_time(std::string_view text, const Place& place, const AvailabilityOptions& options) {
    const auto written = parse_decimal(text);
    const auto ms = written ? written->times(options.unit.value_or(millisecond).count())
                            : std::optional<std::int64_t>{};
    if (!ms)
        fail_input(place, "time", mistake(in_quotes(text) + " is not a time of zero or above"));
    return *ms;
}

NodeCounts count_nodes(std::vector<NodeEvent> events, const std::string& file) {
    NodeCounts out;
    put_in_order(events, file, out);
    std::map<std::string_view, std::uint64_t> up; // line of its addition
    for (const NodeEvent& event : events) {
        const Place place{file, event.line, event.column};
        const auto found = up.find(event.name);
        if (event.comes && found != up.end())
            fail_input(place,
                       {},
                       mistake(fmt::format("{} is added, and is there since line {}",
                                           in_quotes(event.name),
                                           found->second)));
        if (!event.comes && found == up.end())
            fail_input(place, {}, mistake(in_quotes(event.name) + " is removed, and is not there"));
        if (event.comes)
            up.emplace(event.name, event.line);
        else
            up.erase(found);
        out.steps.push_back({event.time_ms, static_cast<std::int32_t>(up.size())});
    }
    out.end_ms = out.steps.empty() ? 0 : out.steps.back().time_ms;
    return out;
}

NodeCounts count_numbered_nodes(std::vector<NodeEvent> events, const std::string& file) {
    const auto first = std::ranges::min_element(events, {}, &NodeEvent::time_ms);
    const bool is_dated = first != events.end() && is_epoch_time(first->time_ms);
    const std::uint64_t line = is_dated ? first->line : 0;
    NodeCounts out = count_nodes(std::move(events), file);
    out.dated = is_dated;
    if (is_dated)
        out.notes.push_back(epoch_time_note({file, line, 1}));
    return out;
}

}} // namespace bursar::scenarios
