#pragma once

#include <cstddef>
#include <vector>

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar {

/// A workload written by hand as rows in the order of the list, one per job. Submit times count
/// from the scenario's zero; a job without a duration has none here (0), its class says what it
/// trains.
[[nodiscard]] Trace listed_trace(const JobList& list);

/// Which entry of a list each row of its trace came from.
class ListedRows {
  public:
    explicit ListedRows(const JobList& list);

    /// By index. row: below the number of rows.
    [[nodiscard]] std::size_t entry(std::size_t row) const;
    /// Whether no row of the same entry comes before it.
    [[nodiscard]] bool is_first(std::size_t row) const {
        return row == 0 || entry(row) != entry(row - 1);
    }

  private:
    std::vector<std::size_t> end_; ///< rows of an entry and of all before it
};

} // namespace bursar
