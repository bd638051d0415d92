#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/plan/plan.hpp"

namespace bursar {

/// A gang size and how often it is asked for, relative to the other rows.
struct GangShare {
    std::uint32_t gpus;
    std::uint16_t gpu_milli; ///< share of each GPU, 1..1000
    std::uint32_t weight;
};

/// How a job ends, how often, and the location of the run times that go with it.
struct EndShare {
    JobEnd end;
    std::uint32_t weight;
    double log_median_s; ///< ln of the median run time in s of one-GPU jobs, before truncation
};

struct TenantShare {
    std::string_view name;
    std::uint32_t weight;
};

/// Submissions come in bursts: a two-state Markov-modulated Poisson process.
struct Burstiness {
    double burst_share; ///< share of jobs submitted during bursts, in (0, 1)
    double burst_gap;   ///< mean gap during a burst over the mean of all gaps, in (0, 1)
    double burst_jobs;  ///< mean jobs of a burst, > 1
};

/// A published statistic of the original trace.
struct Target {
    std::string_view name; ///< see targets()
    double value;
    std::string_view source;
};

/// Everything the generator knows about one cluster.
///
/// Run time of a job of g GPUs (g may be a fraction) that ends in state e, in s:
///
///   exp(log_median[e] + size_exponent ln g + log_sigma z),  z standard normal,
///
/// drawn again when above `max_run_s`, rounded to whole seconds, at least 1. The three lognormal
/// constants solve "mean run, median run, GPU time per job and its split over states are as
/// published"; profiles_test.cpp states these equations and holds the constants to them.
struct SyntheticProfile {
    std::string_view like;
    std::string_view origin;  ///< which trace it resembles
    std::int64_t zero_utc_ms; ///< instant of the first submission, ms since 1970
    std::span<const GangShare> gangs;
    std::span<const EndShare> ends; ///< one row: the original publishes no states
    std::span<const TenantShare> tenants;
    double size_exponent;
    double log_sigma;
    double max_run_s;
    Burstiness burstiness;
    std::array<double, 24> hours; ///< relative submission rate by hour of the day
    std::span<const Target> targets;
};

/// The profile of that name. Throws ScenarioError with the names there are.
[[nodiscard]] const SyntheticProfile& synthetic_profile(std::string_view like);

/// Every name `synthetic_profile` knows.
[[nodiscard]] std::vector<std::string_view> synthetic_names();

/// The published statistics the generator follows, for printing beside a trace's own:
///   mean_gpus, median_gpus                  GPUs per job, fractions of a GPU as such
///   mean_run_s, median_run_s, max_run_s     run time, s
///   mean_gpu_s                              GPU time per job, GPU-seconds
///   jobs_{completed,cancelled,failed}       share of jobs that end so
///   gpu_time_{completed,cancelled,failed}   share of GPU time
///   gangs_of_N                              share of jobs that ask for N GPUs
/// Throws ScenarioError for an unknown name, as synthetic_profile does.
[[nodiscard]] std::span<const Target> targets(std::string_view like);

} // namespace bursar
