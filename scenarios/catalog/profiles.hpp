#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace scenarios {

/// A gang size and its relative frequency.
struct GangWeight {
    std::int64_t gpus{};           ///< >= 1
    std::int64_t gpu_milli{1'000}; ///< share of each GPU, 1..1000
    std::int64_t weight{};         ///< >= 1
};

/// A way in which jobs end, its relative frequency, and the location of the run times of such jobs.
struct EndProfile {
    JobEnd end{};
    std::int64_t weight{};
    double log_median_s{}; ///< ln of the median run time in s of one-GPU jobs, before truncation
};

struct TenantWeight {
    std::string name;
    std::int64_t weight{};
};

/// Submissions come in bursts: a two-state Markov-modulated Poisson process.
struct Burstiness {
    double burst_share{}; ///< share of jobs submitted during bursts, in (0, 1)
    double burst_gap{};   ///< mean gap during a burst over the mean of all gaps, in (0, 1)
    double burst_jobs{};  ///< mean jobs of a burst, > 1
};

/// A published statistic of the original trace:
///   mean_gpus, median_gpus                  GPUs per job, fractions of a GPU as such
///   mean_run_s, median_run_s, max_run_s     run time, s
///   mean_gpu_s                              GPU time per job, GPU-seconds
///   jobs_{completed,cancelled,failed}       share of jobs that end so
///   gpu_time_{completed,cancelled,failed}   share of GPU time
///   gangs_of_N                              share of jobs with N GPUs
struct Target {
    std::string name;
    double value{};
    std::string source;
};

/// The statistics of one cluster for the generator of workloads.
///
/// Run time of a job of g GPUs (g may be a fraction) that ends in state e, in s:
///
///   exp(log_median[e] + size_exponent ln g + log_sigma z),  z standard normal,
///
/// drawn again when above `max_run_s`, rounded to whole seconds, at least 1.
struct SyntheticProfile {
    std::string name;
    std::string origin;         ///< which trace it resembles
    std::int64_t zero_utc_ms{}; ///< instant of the first submission, ms since 1970
    std::vector<GangWeight> gangs;
    std::vector<EndProfile> ends; ///< one row if the original publishes no states
    std::vector<TenantWeight> tenants;
    double size_exponent{};
    double log_sigma{};
    double max_run_s{};
    Burstiness burstiness;
    std::array<double, 24> hours{}; ///< relative submission rate by hour of the day
    std::vector<Target> targets;    ///< published statistics, printed beside a trace's own
};

struct Profiles {
    std::vector<SyntheticProfile> all; ///< in the order of the file

    /// The profile of that name. Throws ScenarioError with the known names.
    [[nodiscard]] const SyntheticProfile& profile(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> names() const;
};

/// Built into the program: scenarios/catalog/profiles.yaml.
const Profiles& builtin_profiles();

/// A file of the user's own; same layout. Throws ScenarioError with every mistake in it.
Profiles read_profiles(const std::string& path);

/// The same for a text; messages name `file`.
Profiles read_profiles_text(std::string_view text, const std::string& file);

}} // namespace bursar::scenarios
