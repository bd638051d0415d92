#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>

#include <rapidcheck.h>

#include "tests/reports/support/run_files.hpp"

namespace bursar::test {

/// The parts of each attempt add up to its GPU-hours, and those of a job's attempts to the job's,
/// up to the rounding of both files: half a millionth in each row.
inline void check_attempts(const Result& result) {
    const File jobs{result, "jobs"};
    const File attempts{result, "attempts"};
    std::map<std::string, std::int64_t> left;
    std::map<std::string, std::int64_t> rows;
    for (std::size_t row = 0; row < attempts.size(); ++row) {
        const std::string& job = attempts.text(row, "job_id");
        std::int64_t sum = attempts.micro(row, "overhead_gpu_hours");
        RC_ASSERT(sum >= 0);
        for (const char* part : {"productive_gpu_hours", "lost_gpu_hours", "stalled_gpu_hours"}) {
            left[job + part] -= attempts.micro(row, part);
            sum += attempts.micro(row, part);
        }
        ++rows[job];
        RC_ASSERT(sum == attempts.micro(row, "gpu_hours"));
    }
    for (std::size_t row = 0; row < jobs.size(); ++row) {
        const std::string& job = jobs.text(row, "job_id");
        for (const char* part : {"productive_gpu_hours", "lost_gpu_hours", "stalled_gpu_hours"})
            RC_ASSERT(std::abs(left[job + part] + jobs.micro(row, part)) <= rows[job] + 1);
    }
}

} // namespace bursar::test
