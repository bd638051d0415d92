#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/market/supply_series.hpp"
#include "models/units/units.hpp"

#include "scenarios/errors/scenario_error.hpp"

/// Files of the availability of nodes: availability and preemption traces, lists of node starts and
/// ends, counts, logs.
namespace bursar { inline namespace scenarios {

/// How to read a file, beyond its content.
struct AvailabilityOptions {
    std::string file;
    std::string format;           ///< its name; empty: recognised by the file's begin
    bool inverted{};              ///< numbers count missing nodes: `polarity: inverted`
    std::optional<Duration> tick; ///< between two entries; overrides the file's gap_seconds
    std::optional<Duration> unit; ///< of times that are bare numbers; absent: the format's own
    std::int64_t time_zone_ms{};  ///< east of UTC, of time stamps that carry no zone
    std::string zone;             ///< only instances of that zone, where a file names them
    std::string gpu;              ///< only instances with that GPU, where a file names them
    std::optional<std::int64_t> gpus_per_node; ///< only instances with this number
};

/// The content of a file, with the reader's notes.
struct AvailabilityFile {
    SupplySeries supply;
    std::string file;
    std::string format;
    std::uint64_t hash{};       ///< XXH3 (64 bits) of its bytes as they are stored
    bool dated{};               ///< times are since 1970-01-01T00:00Z; else since the file's zero
    std::vector<Finding> notes; ///< rows out of order, gaps, outliers, a doubtful polarity, assumed
                                ///< units
};

/// The names of the formats that are read.
[[nodiscard]] std::vector<std::string> availability_formats();

/// Whether a format recognises the file `path`. Throws ScenarioError if it cannot be read.
[[nodiscard]] bool holds_availability(const std::string& path);

/// Reads options.file, plain or packed. Throws ScenarioError with its place (file:line:column) for
/// text that cannot be read, a file without a span of time, and an instance that it does not name.
[[nodiscard]] AvailabilityFile read_availability(const AvailabilityOptions& options);

/// The same for `text`; messages name options.file.
[[nodiscard]] AvailabilityFile read_availability_text(std::string_view text,
                                                      const AvailabilityOptions& options);

}} // namespace bursar::scenarios
