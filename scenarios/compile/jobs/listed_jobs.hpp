#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// A listed workload as rows in the order of the list, one per job. Submit times count from the
/// scenario's zero. A job without a duration has 0 here; its class says what it trains. Trials have
/// a row for each of their jobs. seed: of what the metrics of trials are drawn with.
[[nodiscard]] Trace listed_trace(const JobList& list, std::uint64_t seed);

/// The place of a row in the list of jobs.
struct ListedRow {
    const ListedJob* job{};
    std::size_t entry{};
    bool is_first{}; ///< whether it is the first row of its entry

    [[nodiscard]] std::string path() const; ///< for messages: "workload.jobs[3]"
};

/// Finds rows of a scenario's workload in its list.
class ListedRows {
  public:
    /// scenario: outlives this. trace: of its workload; one that is not from listed_trace() has a
    /// row for each listed job.
    ListedRows(const Scenario& scenario, const Trace& trace);

    /// row: of the workload. Absent if the workload is not a list.
    [[nodiscard]] std::optional<ListedRow> at(std::size_t row) const;

  private:
    const JobList* list_;
    std::vector<std::size_t> ends_; ///< cumulative number of rows, by entry
};

}} // namespace bursar::scenarios
