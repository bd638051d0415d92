#pragma once

#include <cstddef>
#include <vector>

#include "models/units/units.hpp"

#include "reports/bill/bill_table.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What all attempts of a job held and cost.
struct JobCost {
    std::size_t job{};
    SlotTime held{};
    Money cost{};
};

/// The jobs that cost most, over the whole run.
struct CostliestJobs {
    std::vector<JobCost> jobs; ///< the dearest first, ties in the order of the plan
    std::size_t num_others{};  ///< that held any time, beside these
    bool add_up{};             ///< whether `rows` add up to what is paid
    /// As rows of the bill: the jobs, the others together, if there are any, and the time that no
    /// job held. Without the last two, each rounded by itself, where the bill is not of the whole
    /// run.
    std::vector<BillRow> rows;
};

/// paid: that row of the bill.
[[nodiscard]] CostliestJobs
costliest_jobs(const Result& result, std::size_t most, const BillRow& paid);

}} // namespace bursar::reports
