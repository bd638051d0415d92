#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/reliability/failure_draws.hpp"

#include "scenarios/errors/scenario_error.hpp"

/// Logs of faults of nodes, to replay them and to fit laws to them.
namespace bursar { inline namespace scenarios {

/// The content of a log. It names only nodes that had a fault.
struct FaultLog {
    std::string path;
    std::uint64_t hash{};            ///< XXH3 (64 bits) of its bytes as they are stored
    std::vector<std::string> nodes;  ///< by their first fault
    std::vector<std::string> kinds;  ///< of faults, by their first one; one empty name: not stated
    std::vector<LoggedFault> faults; ///< by begin, then node
    std::size_t num_merged{};        ///< rows that overlapped another of their node
    std::size_t num_open{};          ///< faults without an end: they last to the end of the log
    std::optional<std::int64_t> begin_utc_ms; ///< of the first fault, where the log has dates
    std::int64_t length_ms{};                 ///< from the log's begin to its last instant
    std::vector<Finding> notes;

    /// "faults.csv", without its folder.
    [[nodiscard]] std::string name() const;
};

/// Reads a log, plain, gzip or zstd: a CSV table with the columns `node`, `start`, `end` and, if
/// faults have kinds, `kind`; or the JSON list of events of the InfiniteHBD trace (`node_id`,
/// `event_time` in days, `event_type` fault_start or fault_end, `fault_type`).
///
/// Times of a table are dates (UTC without a zone), seconds or milliseconds since 1970 by their
/// size, or seconds since the log's begin. A log of dates begins with its first fault, another one
/// at 0. An empty `end`, or a start without an end, lasts to the end of the log. Faults of one node
/// that overlap or touch are one.
///
/// Throws ScenarioError with every mistake: a row without a node or a time, an end before its
/// start or without one, dates beside seconds, no fault at all.
[[nodiscard]] FaultLog read_fault_log(const std::string& path);

/// The same of a plain text that messages call `path`.
[[nodiscard]] FaultLog read_fault_log_text(std::string_view text, const std::string& path);

}} // namespace bursar::scenarios
