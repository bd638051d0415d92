#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bursar { inline namespace sim {

/// The names of a plan's numbered things. The engine never reads them; reports do.
/// Names may hold any bytes (commas, quotes, newlines, markup): every output escapes them.
struct Labels {
    std::vector<std::string> pools;
    std::vector<std::string> pool_gpus;    ///< GPU type per pool
    std::vector<std::string> pool_regions; ///< "" where the scenario names none
    std::vector<std::string> levels;       ///< locality levels, narrowest first; empty: one
    std::vector<std::string> tenants;
    /// Job names in plan order, one after the other; job j is [job_name_end[j-1], job_name_end[j]).
    /// Both empty: jobs are named by their index in the plan.
    std::string job_names;
    std::vector<std::uint64_t> job_name_end;
    /// Work that a job's trial was spared as it was stopped after this job: GPUs times time at work
    /// at reference speed, in ms, by job in plan order; 0 for all others. Empty: there are none.
    std::vector<std::int64_t> spared_gpu_ms{};
    /// The scenario's zero as milliseconds since 1970-01-01T00:00Z; absent for relative traces.
    std::optional<std::int64_t> zero_utc_ms;

    [[nodiscard]] std::string job(std::size_t index) const {
        if (job_name_end.empty())
            return std::to_string(index);
        const std::uint64_t begin = index == 0 ? 0 : job_name_end[index - 1];
        return job_names.substr(begin, job_name_end[index] - begin);
    }
};

}} // namespace bursar::sim
