#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reports/result/result.hpp"
#include "reports/text/csv_row.hpp"

namespace bursar { inline namespace reports {

/// What the measured jobs of one tenant or class went through. Of finished jobs, as in the metrics,
/// but `least_ms`.
struct GroupJobs {
    std::uint64_t num_jobs{};
    std::vector<std::int64_t> waits_ms; ///< for the first start
    int128 least_ms{}; ///< sum over all jobs; those that never started count until the end
    std::vector<std::int64_t> jct_ms;
    std::vector<std::int64_t> slowdown_micro; ///< of jobs whose ideal run time is not 0
    std::vector<std::int64_t> rho_micro;      ///< likewise
};

/// The measured jobs by group. group_of: by job, < num_groups.
[[nodiscard]] std::vector<GroupJobs> jobs_of_groups(const Result& result,
                                                    const std::vector<std::uint16_t>& group_of,
                                                    std::size_t num_groups);

/// Writes the names of the columns of put_group(), each after a comma.
void put_group_names(TextSink& sink);
/// Number of these columns.
extern const std::size_t num_group_columns;
void put_group(CsvRow& row, GroupJobs jobs);

}} // namespace bursar::reports
