#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// A workload written by hand as rows in the order of the list, one per job. Submit times count
/// from the scenario's zero; a job without a duration has none here (0), its class says what it
/// trains.
[[nodiscard]] Trace listed_trace(const JobList& list);

/// Where a row of that trace stands in its list.
struct ListedRow {
    const ListedJob* job{};
    std::size_t entry{};
    bool is_first{}; ///< of the rows of its entry

    [[nodiscard]] std::string path() const; ///< for messages: "workload.jobs[3]"
};

/// Finds rows of a scenario's workload in its list.
class ListedRows {
  public:
    /// scenario: outlives this.
    explicit ListedRows(const Scenario& scenario);

    /// row: of the workload. Nothing where that is no list.
    [[nodiscard]] std::optional<ListedRow> at(std::size_t row) const;

  private:
    const JobList* list_;
    std::vector<std::size_t> ends_; ///< rows of an entry and of all before it
};

}} // namespace bursar::scenarios
