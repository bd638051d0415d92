#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/market/supply_series.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/market/availability/read_availability.hpp"

/// Common parts of the readers of availability files.
namespace bursar { inline namespace scenarios {

/// The most nodes of a file, and the largest distance of a time from its zero or from 1970: 278
/// years. Larger values are mistakes; sums of values in range fit 64 bits.
inline constexpr std::int32_t max_counted_nodes = 100'000;
inline constexpr Duration max_counted_time{std::int64_t{1} << 43};

/// The number of nodes in `text`; absent if it is no number, or above max_counted_nodes.
[[nodiscard]] std::optional<std::int32_t> node_count(std::string_view text);

/// Counts of a file: times ascend; of several at one time the last one counts.
struct NodeCounts {
    std::vector<SupplyStep> steps;
    std::int64_t end_ms{};
    bool dated{};
    std::vector<Finding> notes;
};

/// How one format is recognised and read.
struct AvailabilityFormat {
    std::string_view name;
    std::string_view begins; ///< how such a file begins, for messages
    bool (*recognises)(std::string_view text);
    NodeCounts (*read)(std::string_view text, const AvailabilityOptions& options);
};

extern const AvailabilityFormat skypilot_trace;
extern const AvailabilityFormat parcae_trace;
extern const AvailabilityFormat node_events;
extern const AvailabilityFormat node_counts;
extern const AvailabilityFormat dime_log;

/// A node that comes or goes, by name.
struct NodeEvent {
    std::int64_t time_ms{};
    bool comes{};
    std::string name;
    std::uint64_t line{};
    std::uint64_t column{};
};

/// The time `text` in milliseconds; its unit is options.unit, else milliseconds.
/// Throws ScenarioError at `place`.
[[nodiscard]] std::int64_t
event_time(std::string_view text, const Place& place, const AvailabilityOptions& options);

/// The number of nodes after each event. Events are sorted by time; those out of order are noted.
/// Throws ScenarioError for a node that is added while it is up or removed while it is not.
[[nodiscard]] NodeCounts count_nodes(std::vector<NodeEvent> events, const std::string& file);

/// The same for events whose times are bare numbers: numbers of the size of times since 1970 are
/// taken as dates, with a note.
[[nodiscard]] NodeCounts count_numbered_nodes(std::vector<NodeEvent> events,
                                              const std::string& file);

/// A list of lines for a note: "lines 7, 9, 12 and 5 more".
[[nodiscard]] std::string lines_in_words(std::span<const std::uint64_t> lines);

}} // namespace bursar::scenarios
