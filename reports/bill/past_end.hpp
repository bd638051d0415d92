#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/units/units.hpp"

#include "sim/record/outcome.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// The parts of a bill that depend on the end of the run and not on its jobs.
struct PastEnd {
    Money total;         ///< of the whole bill
    Money rest_of_terms; ///< of reserved pools, beyond the end of the run
    Money rest_of_steps; ///< of billing steps of the others, beyond the end of the run or of a node
    Money drain; ///< from the last submit to the end of the last job, of all capacity that is there
                 ///< whether needed or not
    Duration drain_time{};               ///< of that time what the bill covers
    bool covers_all{true};               ///< whether the bill covers the whole run
    std::vector<std::string> term_pools; ///< the pools of `rest_of_terms`
    std::vector<std::string> step_pools; ///< the pools of `rest_of_steps`
};

/// When a run ends, and why.
struct RunEnds {
    std::optional<Duration> last_submit; ///< absent: the scenario ends the run, not a last job.
                                         ///< 0: all jobs are there from the beginning, and
                                         ///< nothing but their end could end it: no drain
    /// Nodes that are kept whether needed or not, such as the least number of a pool whose nodes
    /// are launched and end.
    std::vector<PaidNodes> standing{};
};

[[nodiscard]] PastEnd past_end(const Result& result, const RunEnds& ends);

/// The mean over the runs of other seeds; at least one.
[[nodiscard]] PastEnd mean_of(std::span<const PastEnd> runs);

/// A line with its dollars for each part that is more than 5 % of the total.
[[nodiscard]] std::vector<std::string> past_end_warnings(const PastEnd& past);

/// The same of variants that are compared, for each of them. A part that differs between
/// variants has a warning for the one with the largest share alone.
[[nodiscard]] std::vector<std::vector<std::string>>
past_end_warnings(std::span<const PastEnd> variants);

}} // namespace bursar::reports
