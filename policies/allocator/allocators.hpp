#pragma once

#include <memory>
#include <string_view>

#include "sim/engine/passes/allocator.hpp"

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// No allocator: the queue's order decides, job by job.
struct NoAllocator {
    static constexpr std::string_view name = "none";
    static constexpr std::string_view summary = "jobs start one by one, in the order of `queue`";
    static constexpr std::string_view cost = "nothing";
    static constexpr std::string_view source = "";
    static std::unique_ptr<Allocator> from(const PolicyOptions& given);
};

/// The least time between two recomputations of an allocator.
inline constexpr OptionInfo recompute_option{
    .name = "recompute",
    .kind = OptionKind::duration,
    .fallback = {0},
    .meaning = "least time between two recomputations, which changes of jobs and pools cause",
    .max = std::int64_t{366} * 24 * 3600 * 1000};

/// First come, first served, each job on the fastest pool for it that is still free; computed anew
/// from the first job on, so that running jobs move to faster pools where those become free.
struct FifoPerf {
    static constexpr std::string_view name = "fifo-perf";
    static constexpr std::string_view summary =
        "by submission, each job on the pool where it is fastest among those with enough free "
        "GPUs; running jobs move to faster pools";
    static constexpr std::string_view cost = "per decision: jobs * pools";
    static constexpr std::string_view source =
        "Narayanan et al., OSDI 2020 (Gavel, FIFO with throughputs)";
    static constexpr OptionInfo options[]{recompute_option};
    static std::unique_ptr<Allocator> from(const PolicyOptions& given);
};

/// Maximises the least progress of a job, in multiples of the progress that it would make with an
/// equal share of each pool.
struct MaxMinFairness {
    static constexpr std::string_view name = "max-min";
    static constexpr std::string_view summary =
        "time on pools so that the job that gains least over an equal share of every pool "
        "gains as much as it can; tenants' weights count";
    static constexpr std::string_view cost = "per computation: a linear program of jobs * pools";
    static constexpr std::string_view source =
        "Narayanan et al., OSDI 2020 (Gavel, max-min fairness, equation 1)";
    static constexpr OptionInfo options[]{recompute_option};
    static std::unique_ptr<Allocator> from(const PolicyOptions& given);
};

/// Minimises the largest ratio of a job's time to that with an equal share of each pool.
struct FinishTimeAllocation {
    static constexpr std::string_view name = "ftf";
    static constexpr std::string_view summary =
        "time on pools so that the largest finish-time ratio of a job is as small as it can be: "
        "its time from submission to end over that with an equal share of every pool";
    static constexpr std::string_view cost =
        "per computation: some 15 linear programs of jobs * pools";
    static constexpr std::string_view source =
        "Narayanan et al., OSDI 2020 (Gavel, finish-time fairness); Mahajan et al., NSDI 2020 "
        "(Themis)";
    static constexpr bool needs_run_times = true;
    static constexpr OptionInfo options[]{recompute_option};
    static std::unique_ptr<Allocator> from(const PolicyOptions& given);
};

/// Minimises the time in which all jobs present end.
struct Makespan {
    static constexpr std::string_view name = "makespan";
    static constexpr std::string_view summary =
        "time on pools so that the last of the jobs that are present ends as early as it can";
    static constexpr std::string_view cost = "per computation: two linear programs of jobs * pools";
    static constexpr std::string_view source =
        "Narayanan et al., OSDI 2020 (Gavel, minimum makespan; min_total_duration in its code)";
    static constexpr bool needs_run_times = true;
    static constexpr OptionInfo options[]{recompute_option};
    static std::unique_ptr<Allocator> from(const PolicyOptions& given);
};

}} // namespace bursar::policies
