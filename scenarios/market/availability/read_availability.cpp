#include "scenarios/market/availability/read_availability.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "models/errors/model_error.hpp"
#include "models/market/supply_statistics.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/market/availability/availability_format.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Tried in this order; the first format that recognises a file reads it.
constexpr std::array availability_readers{
    &skypilot_trace, &dime_log, &parcae_trace, &node_events, &node_counts};

/// Files with nodes for a smaller share of their time may count missing nodes. The scarcest known
/// trace has nodes for 12 % of the time.
constexpr double doubtful_availability = 0.1;

const AvailabilityFormat& format_of(std::string_view text, const AvailabilityOptions& options) {
    for (const AvailabilityFormat* format : availability_readers)
        if (options.format.empty() ? format->recognises(text) : options.format == format->name)
            return *format;
    if (!options.format.empty())
        fail_input(options.file,
                   mistake("unknown format \"" + options.format + '"',
                           {},
                           suggestion(options.format, availability_formats())));
    std::string known;
    for (const AvailabilityFormat* format : availability_readers)
        known += fmt::format("{}{} ({})", known.empty() ? "" : "; ", format->name, format->begins);
    fail_input({options.file, 1, 1},
               {},
               mistake("not known as availability of nodes", {}, "begins as one of: " + known));
}

/// The last step of each instant.
std::vector<SupplyStep> last_of_each(const std::vector<SupplyStep>& steps) {
    std::vector<SupplyStep> out;
    for (const SupplyStep& step : steps) {
        if (!out.empty() && out.back().time_ms == step.time_ms)
            out.back() = step;
        else
            out.push_back(step);
    }
    return out;
}

SupplySeries series_of(const NodeCounts& counts, const AvailabilityOptions& options) {
    if (Duration{counts.end_ms} > max_counted_time ||
        (!counts.steps.empty() && Duration{counts.steps.front().time_ms} < -max_counted_time))
        fail_input(options.file,
                   mistake("times reach over more than 278 years", {}, "is their unit right?"));
    try {
        SupplySeries supply{last_of_each(counts.steps), Duration{counts.end_ms}};
        return options.inverted ? inverted(supply) : supply;
    } catch (const ModelError& error) {
        fail_input(options.file, mistake(error.problem(), {}, error.remedy()));
    }
}

void note_doubtful_polarity(AvailabilityFile& file, bool was_inverted) {
    const double availability = statistics_of(file.supply).availability;
    if (availability >= doubtful_availability)
        return;
    file.notes.push_back(
        {{file.file, 1, 1},
         "polarity",
         fmt::format("nodes can be had for {:.1f} % of the time only", 100 * availability),
         was_inverted ? "up and down are exchanged, as asked" : "1 is taken as up",
         was_inverted ? "leave `polarity: inverted` out if 1 is up in this file"
                      : "`polarity: inverted` if 1 is down in this file"});
}

} // namespace

std::vector<std::string> availability_formats() {
    std::vector<std::string> names;
    for (const AvailabilityFormat* format : availability_readers)
        names.emplace_back(format->name);
    return names;
}

bool holds_availability(const std::string& path) {
    std::array<char, 1 << 13> beginning{};
    const std::size_t size = read_fully(*open_bytes(path), beginning);
    const std::string_view text{beginning.data(), size};
    return text.find_first_not_of(" \t\r\n") != std::string_view::npos &&
           std::ranges::any_of(availability_readers, [&](const AvailabilityFormat* format) {
               return format->recognises(text);
           });
}

AvailabilityFile read_availability(const AvailabilityOptions& options) {
    FileSource stored{options.file};
    const std::string packed = whole_text(stored, options.file);
    const auto plain = decompressed(options.file, std::make_unique<MemorySource>(packed));
    AvailabilityFile out = read_availability_text(whole_text(*plain, options.file), options);
    out.hash = XXH3_64bits(packed.data(), packed.size());
    return out;
}

AvailabilityFile read_availability_text(std::string_view text, const AvailabilityOptions& options) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        fail_input(options.file, mistake("empty", "it says of no time whether nodes can be had"));
    const AvailabilityFormat& format = format_of(text, options);
    NodeCounts counts = format.read(text, options);
    AvailabilityFile out{.supply = series_of(counts, options),
                         .file = options.file,
                         .format = std::string{format.name},
                         .hash = XXH3_64bits(text.data(), text.size()),
                         .dated = counts.dated,
                         .notes = std::move(counts.notes)};
    note_doubtful_polarity(out, options.inverted);
    return out;
}

}} // namespace bursar::scenarios
