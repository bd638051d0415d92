#include <string>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/market/availability/availability_format.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/text/csv_reader.hpp"

/// Nodes that came and went, as Bamboo lists them: `480000,add,node1`, milliseconds.
namespace bursar { inline namespace scenarios {
namespace {

Place place_in(const std::string& file, FieldPlace place) {
    return {file, place.line, place.column};
}

NodeEvent event_in(const TextRow& row, const AvailabilityOptions& options) {
    const std::string& file = options.file;
    if (!row.problem.empty())
        fail_input(place_in(file, row.problem_place), {}, mistake(std::string{row.problem}));
    if (row.fields.size() != 3)
        fail_input(place_in(file, row.place(row.fields.size())),
                   {},
                   mistake("not three fields", "expected time, add or remove, name of the node"));
    const std::string_view word = row.fields[1];
    if (word != "add" && word != "remove")
        fail_input(place_in(file, row.place(1)),
                   {},
                   mistake(in_quotes(word) + " is neither add nor remove"));
    const FieldPlace name = row.place(2);
    return {event_time(row.fields[0], place_in(file, row.place(0)), options),
            word == "add",
            std::string{row.fields[2]},
            name.line,
            name.column};
}

NodeCounts read_events(std::string_view text, const AvailabilityOptions& options) {
    MemorySource bytes{text};
    CsvReader reader{bytes, options.file};
    std::vector<NodeEvent> events;
    while (const TextRow* row = reader.next())
        events.push_back(event_in(*row, options));
    return count_numbered_nodes(std::move(events), options.file);
}

bool recognises_events(std::string_view text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    return line.find(",add,") != std::string_view::npos ||
           line.find(",remove,") != std::string_view::npos;
}

} // namespace

const AvailabilityFormat node_events{
    "node-events", "480000,add,node1", recognises_events, read_events};

}} // namespace bursar::scenarios
