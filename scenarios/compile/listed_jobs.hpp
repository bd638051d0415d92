#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar {

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

/// The same of a row of a scenario's workload; nothing where that is no list.
[[nodiscard]] std::optional<ListedRow> listed_row(const Scenario& scenario, std::size_t row);

} // namespace bursar
