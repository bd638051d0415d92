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

/// What the readers of availability files have in common.
namespace bursar { inline namespace scenarios {

/// The most nodes that a file may speak of, and how far from its zero, or from 1970, its times may
/// lie: 278 years. More is a slip, and sums of less stay inside 64 bits.
inline constexpr std::int32_t max_counted_nodes = 100'000;
inline constexpr Duration max_counted_time{std::int64_t{1} << 43};

/// The number of nodes `text` says; absent where it is none, or more than max_counted_nodes.
[[nodiscard]] std::optional<std::int32_t> node_count(std::string_view text);

/// Counts as a format found them: times ascend, of several at one time the last one holds.
struct NodeCounts {
    std::vector<SupplyStep> steps;
    std::int64_t end_ms{};
    bool dated{};
    std::vector<Finding> notes;
};

/// How one format is told and read.
struct AvailabilityFormat {
    std::string_view name;
    std::string_view begins; ///< how such a file begins, for messages
    bool (*tells)(std::string_view text);
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

/// The time `text` in milliseconds, which it is written in unless options.unit says otherwise.
/// Throws ScenarioError at `place`.
[[nodiscard]] std::int64_t
event_time(std::string_view text, const Place& place, const AvailabilityOptions& options);

/// How many nodes are there after each event, in the order of time; events out of order are put
/// there and noted. Throws ScenarioError for a node that comes twice or goes without being there.
[[nodiscard]] NodeCounts count_nodes(std::vector<NodeEvent> events, const std::string& file);

/// The same of events whose times are bare numbers: those of the size of times since 1970 are
/// dates, which is noted.
[[nodiscard]] NodeCounts count_numbered_nodes(std::vector<NodeEvent> events,
                                              const std::string& file);

/// "line 7, 9, 12 and 5 more" of lines that were noticed.
[[nodiscard]] std::string lines_in_words(std::span<const std::uint64_t> lines);

}} // namespace bursar::scenarios
