#include <memory>
#include <string>

#include <fmt/format.h>

#include "scenarios/document/node.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/market/availability/availability_format.hpp"
#include "scenarios/traces/text/numbers.hpp"

/// SkyPilot's spot traces: {"metadata": {"gap_seconds": 195}, "data": [1, 0, ...]}, of launches
/// that would have succeeded (availability) or of instances that were kept (preemption). An entry
/// of either is the number of nodes up at that tick. JSON is YAML; the reader of documents keeps
/// places.
namespace bursar { inline namespace scenarios {
namespace {

/// Longer than the ticks of any market; keeps a file's ticks inside 64 bits.
constexpr Duration max_tick = day;

const Node& required(const Node& in, std::string_view key) {
    if (const Node* found = in.find(key))
        return *found;
    fail_input(in.place(), std::string{key}, mistake("missing", "a SkyPilot trace has it"));
}

Duration tick_of(const Node& root, const AvailabilityOptions& options) {
    if (options.tick)
        return *options.tick;
    const Node& gap = required(required(root, "metadata"), "gap_seconds");
    const auto ms = parse_seconds(gap.text);
    if (!ms || *ms == 0 || Duration{*ms} > max_tick)
        fail_input(gap.place(),
                   "metadata.gap_seconds",
                   mistake(shown(gap) + " is not a number of seconds above zero, up to a day"));
    return Duration{*ms};
}

std::int32_t count_of(const Node& entry, std::size_t index) {
    const auto count = node_count(entry.text);
    if (entry.kind != NodeKind::scalar || !count)
        fail_input(entry.place(),
                   fmt::format("data[{}]", index),
                   mistake(shown(entry) + " is not a number of nodes", "0 to 100000"));
    return *count;
}

NodeCounts read_skypilot(std::string_view text, const AvailabilityOptions& options) {
    const auto source = std::make_shared<const Source>(Source{options.file, {}, 0});
    const Node root = parse_document(text, source);
    const Node& data = required(root, "data");
    if (data.kind != NodeKind::sequence || data.items.empty())
        fail_input(data.place(), "data", mistake(shown(data) + " is no list of numbers of nodes"));
    const Duration tick = tick_of(root, options);
    NodeCounts out;
    for (std::size_t i = 0; i < data.items.size(); ++i)
        out.steps.push_back(
            {static_cast<std::int64_t>(i) * tick.count(), count_of(data.items[i], i)});
    out.end_ms = static_cast<std::int64_t>(data.items.size()) * tick.count();
    return out;
}

/// Whether the file begins with an object with the keys of such traces; other JSON is prices.
bool recognises_skypilot(std::string_view text) {
    const std::string_view beginning = text.substr(0, 4096);
    return text[text.find_first_not_of(" \t\r\n")] == '{' &&
           (beginning.find("\"metadata\"") != std::string_view::npos ||
            beginning.find("\"data\"") != std::string_view::npos);
}

} // namespace

const AvailabilityFormat skypilot_trace{"skypilot-trace",
                                        R"({"metadata": {"gap_seconds": ...}, "data": [...]})",
                                        recognises_skypilot,
                                        read_skypilot};

}} // namespace bursar::scenarios
