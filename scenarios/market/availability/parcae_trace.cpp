#include <algorithm>
#include <memory>
#include <string>

#include "scenarios/document/node.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/market/availability/availability_format.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/text/line_reader.hpp"
#include "scenarios/traces/text/numbers.hpp"

/// Nodes that came and went, as Parcae lists them: one JSON list a line,
/// [ms, "add", {"nodes": [...], "duration": ms}].
namespace bursar { inline namespace scenarios {
namespace {

/// A line of the file as a node, with places of the file.
Node parse_line(std::string_view text, std::uint64_t line, const std::string& file) {
    const auto source = std::make_shared<const Source>(Source{file, {}, 0});
    try {
        return parse_document(text, source);
    } catch (const ScenarioError& error) {
        Finding finding = error.findings().front();
        finding.place.line = line;
        throw ScenarioError{std::move(finding)};
    }
}

/// Adds the nodes that a line adds or removes. Other kinds of lines are actions of Parcae, not of
/// the market.
void add_events(const Node& row,
                std::uint64_t line,
                const AvailabilityOptions& options,
                std::vector<NodeEvent>& events,
                std::int64_t& end_ms) {
    const auto at = [&](const Node& node) { return Place{options.file, line, node.column}; };
    if (row.kind != NodeKind::sequence || row.items.size() != 3)
        fail_input(at(row), {}, mistake("not a list of time, kind and details"));
    const Node& kind = row.items[1];
    const Node* nodes = row.items[2].find("nodes");
    const std::int64_t time = event_time(row.items[0].text, at(row.items[0]), options);
    const Node* duration = row.items[2].find("duration");
    end_ms = time + (duration == nullptr ? 0 : event_time(duration->text, at(*duration), options));
    if (kind.text == "no-op" || kind.text == "migration")
        return;
    if (kind.text != "add" && kind.text != "remove")
        fail_input(at(kind),
                   {},
                   mistake(shown(kind) + " is no kind of event",
                           {},
                           "one of: add, remove, no-op, migration"));
    if (nodes == nullptr || nodes->kind != NodeKind::sequence)
        fail_input(at(row.items[2]), "nodes", mistake("missing", "which nodes come or go"));
    for (const Node& node : nodes->items)
        events.push_back({time, kind.text == "add", node.text, line, node.column});
}

NodeCounts read_parcae(std::string_view text, const AvailabilityOptions& options) {
    MemorySource bytes{text};
    LineReader lines{bytes, options.file};
    std::vector<NodeEvent> events;
    std::int64_t end_ms = 0;
    while (const auto line = lines.next())
        if (!line->empty())
            add_events(parse_line(*line, lines.line(), options.file),
                       lines.line(),
                       options,
                       events,
                       end_ms);
    NodeCounts out = count_numbered_nodes(std::move(events), options.file);
    out.end_ms = std::max(out.end_ms, end_ms);
    return out;
}

bool recognises_parcae(std::string_view text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t first = line.find_first_not_of(" [");
    return line.starts_with('[') && first != std::string_view::npos && digit_of(line[first]) < 10 &&
           line.find('"') != std::string_view::npos;
}

} // namespace

const AvailabilityFormat parcae_trace{
    "parcae-trace", R"([0, "add", {"nodes": [...]}])", recognises_parcae, read_parcae};

}} // namespace bursar::scenarios
