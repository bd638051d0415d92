#include "scenarios/synth/profiles.hpp"

#include <string>
#include <utility>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/errors/scenario_error.hpp"

namespace bursar {
namespace {

// Published statistics. The summary table of GPU jobs in the AcmeTrace repository (Hu et al., NSDI
// 2024; InternLM/AcmeTrace data/cluster_summary.csv, 2024-03-12) covers all three clusters. Its
// state shares are rounded to 0.1 %; the split of GPU time is from its totals in GPU-seconds.
constexpr std::string_view acme = "AcmeTrace cluster_summary.csv (NSDI 2024)";
constexpr std::string_view gavel = "Gavel's Philly mix of scale factors (OSDI 2020)";

// Philly --------------------------------------------------------------------------------------

constexpr std::array philly_targets{
    Target{"mean_gpus", 1.928, acme},
    Target{"median_gpus", 1.0, acme},
    Target{"mean_run_s", 18'006.055, acme},
    Target{"median_run_s", 874.0, acme},
    Target{"max_run_s", 4'240'676.0, acme},
    Target{"mean_gpu_s", (2'210'176'414.0 + 2'025'326'056.0 + 2'659'215'061.0) / 112'956, acme},
    Target{"jobs_completed", 0.604, acme},
    Target{"jobs_cancelled", 0.090, acme},
    Target{"jobs_failed", 0.305, acme},
    Target{"gpu_time_completed", 0.321, acme},
    Target{"gpu_time_cancelled", 0.294, acme},
    Target{"gpu_time_failed", 0.386, acme},
    Target{"gangs_of_1", 0.70, gavel},
    Target{"gangs_of_2", 0.10, gavel},
    Target{"gangs_of_4", 0.15, gavel},
};

// Gavel's mix gives 1, 2 and 4 GPUs and 5 % to 8. Here those 5 % are split: 16 and 32 GPUs as often
// as in the copy of the trace that ElasticFlow and Pollux publish, and enough gangs of 128, the
// published maximum, to make the published mean of 1.928 (Gavel's own is 1.9).
constexpr std::array philly_gangs{
    GangWeight{1, 1000, 70'000},
    GangWeight{2, 1000, 10'000},
    GangWeight{4, 1000, 15'000},
    GangWeight{8, 1000, 4'778},
    GangWeight{16, 1000, 170},
    GangWeight{32, 1000, 50},
    GangWeight{128, 1000, 2},
};

constexpr std::array philly_ends{
    EndProfile{JobEnd::completed, 604, 5.89807017},
    EndProfile{JobEnd::cancelled, 90, 8.21665402},
    EndProfile{JobEnd::failed, 305, 6.93817289},
};

// Virtual clusters and their shares of jobs in the ElasticFlow copy, per 10,000; at least 1.
constexpr std::array philly_tenants{
    TenantWeight{"6214e9", 5106},
    TenantWeight{"11cb48", 1625},
    TenantWeight{"6c71a0", 1355},
    TenantWeight{"b436b2", 1063},
    TenantWeight{"103959", 197},
    TenantWeight{"0e4a51", 179},
    TenantWeight{"ed69ec", 157},
    TenantWeight{"ee9e8c", 148},
    TenantWeight{"7f04ca", 87},
    TenantWeight{"2869ce", 42},
    TenantWeight{"e13805", 38},
    TenantWeight{"23dbec", 1},
    TenantWeight{"51b7ef", 1},
    TenantWeight{"795a4c", 1},
    TenantWeight{"925e2b", 1},
};

// Burstiness, measured on the ElasticFlow copy after its first 5 % of jobs: gaps have a coefficient
// of variation of 2.33, 60 % of them are at most 10 s of a mean of 71 s, their autocorrelation
// falls from 0.38 at lag 10 to 0.23 at lag 50 (a decay of 1 - 1/81 per job), and hourly counts have
// a coefficient of variation of 1.8. Hours: minutes with at least one submission, by hour of day,
// so that one user's burst counts once; times as stamped, the trace states no zone.
constexpr SyntheticProfile philly{
    .like = "philly",
    .origin = "Microsoft Philly, August to December 2017 (Jeon et al., ATC 2019)",
    .zero_utc_ms = 1'506'902'400'000, // 2017-10-02T00:00Z
    .gangs = philly_gangs,
    .ends = philly_ends,
    .tenants = philly_tenants,
    .size_exponent = 0.97096732,
    .log_sigma = 2.31958447,
    .max_run_s = 4'240'676,
    .burstiness = {.burst_share = 0.75, .burst_gap = 0.14, .burst_jobs = 325},
    .hours = {1.20, 0.96, 0.99, 1.02, 0.79, 1.15, 1.38, 1.50, 1.15, 1.01, 0.95, 0.88,
              0.93, 0.79, 0.72, 0.74, 0.92, 0.94, 0.91, 0.85, 0.96, 1.07, 1.05, 1.12},
    .targets = philly_targets,
};

// Helios --------------------------------------------------------------------------------------

constexpr std::array helios_targets{
    Target{"mean_gpus", 3.716, acme},
    Target{"median_gpus", 1.0, acme},
    Target{"mean_run_s", 6'651.681, acme},
    Target{"median_run_s", 206.0, acme},
    Target{"max_run_s", 4'320'009.0, acme},
    Target{"mean_gpu_s", (39'994'296'320.0 + 30'715'109'125.0 + 7'288'334'702.0) / 1'580'464, acme},
    Target{"jobs_completed", 0.624, acme},
    Target{"jobs_cancelled", 0.221, acme},
    Target{"jobs_failed", 0.155, acme},
    Target{"gpu_time_completed", 0.513, acme},
    Target{"gpu_time_cancelled", 0.394, acme},
    Target{"gpu_time_failed", 0.093, acme},
};

// Sizes above one GPU in the proportions of the cluster Venus (the one whose gangs a public copy
// gives; rare sizes joined to the nearest of these), and as many one-GPU jobs as make the published
// mean of all four clusters. The published maximum, 2048 GPUs, is too rare for a share.
constexpr std::array helios_gangs{
    GangWeight{1, 1000, 76'030},
    GangWeight{2, 1000, 2'451},
    GangWeight{4, 1000, 3'773},
    GangWeight{8, 1000, 12'572},
    GangWeight{16, 1000, 2'518},
    GangWeight{24, 1000, 497},
    GangWeight{32, 1000, 1'304},
    GangWeight{48, 1000, 239},
    GangWeight{64, 1000, 129},
    GangWeight{80, 1000, 151},
    GangWeight{128, 1000, 141},
    GangWeight{160, 1000, 195},
};

constexpr std::array helios_ends{
    EndProfile{JobEnd::completed, 624, 4.99581547},
    EndProfile{JobEnd::cancelled, 221, 5.92692265},
    EndProfile{JobEnd::failed, 155, 4.64029612},
};

// The four clusters and their GPU jobs (HeliosArtifact helios_cluster_summary.csv, SC 2021).
constexpr std::array helios_tenants{
    TenantWeight{"venus", 125'303},
    TenantWeight{"earth", 427'148},
    TenantWeight{"saturn", 698'896},
    TenantWeight{"uranus", 329'117},
};

// Burstiness, measured on a public copy of Venus after its first 5 % of jobs: gaps have a
// coefficient of variation of 2.9 without their longest 0.1 % (4.7 with them), a median of 0.33 and
// a 99th percentile of 9.7 means, and an autocorrelation of 0.15 at lag 1. Hours as for Philly.
constexpr SyntheticProfile helios{
    .like = "helios",
    .origin = "SenseTime Helios, April to September 2020 (Hu et al., SC 2021)",
    .zero_utc_ms = 1'585'699'200'000, // 2020-04-01T00:00Z
    .gangs = helios_gangs,
    .ends = helios_ends,
    .tenants = helios_tenants,
    .size_exponent = 0.37174623,
    .log_sigma = 2.63328993,
    .max_run_s = 4'320'009,
    .burstiness = {.burst_share = 0.9, .burst_gap = 0.45, .burst_jobs = 15},
    .hours = {0.29, 0.19, 0.18, 0.23, 0.46, 0.89, 1.29, 1.44, 1.06, 1.33, 1.45, 1.59,
              1.66, 1.68, 1.32, 1.33, 1.39, 1.38, 1.28, 1.20, 1.00, 0.62, 0.43, 0.33},
    .targets = helios_targets,
};

// PAI -----------------------------------------------------------------------------------------

constexpr std::array pai_targets{
    Target{"mean_gpus", 0.683, acme},
    Target{"median_gpus", 0.5, acme},
    Target{"mean_run_s", 4'787.109, acme},
    Target{"median_run_s", 480.667, acme},
    Target{"max_run_s", 626'371.0, acme},
};

// Requests for 2, 4 and 8 GPUs as often as among the GPU pods of Alibaba's later openb trace (ATC
// 2023). The three smaller sizes, the common ones of PAI (Weng et al., NSDI 2022), make up the
// published mean of 0.683 and median of 0.5; a quarter of all jobs asks for a quarter.
constexpr std::array pai_gangs{
    GangWeight{1, 250, 2500},
    GangWeight{1, 500, 3630},
    GangWeight{1, 1000, 3764},
    GangWeight{2, 1000, 23},
    GangWeight{4, 1000, 21},
    GangWeight{8, 1000, 62},
};

constexpr std::array pai_ends{EndProfile{JobEnd::completed, 1, 6.17690780}};
constexpr std::array pai_tenants{TenantWeight{"pai", 1}};

// No GPU time is published, so size and run time are independent. Burstiness, measured on a public
// 1-in-12.2 sample of the tasks after its first 5 %: gaps have a coefficient of variation of 1.38,
// hourly counts one of 0.43; bursts this long keep these figures when thinned so. Hours as above.
constexpr SyntheticProfile pai{
    .like = "pai",
    .origin = "Alibaba PAI, July and August 2020 (Weng et al., NSDI 2022)",
    .zero_utc_ms = 1'593'561'600'000, // 2020-07-01T00:00Z
    .gangs = pai_gangs,
    .ends = pai_ends,
    .tenants = pai_tenants,
    .size_exponent = 0,
    .log_sigma = 2.22119753,
    .max_run_s = 626'371,
    .burstiness = {.burst_share = 0.8, .burst_gap = 0.68, .burst_jobs = 870},
    .hours = {0.73, 0.91, 0.96, 0.97, 1.11, 0.99, 0.99, 1.18, 1.23, 1.04, 0.98, 1.07,
              1.11, 1.05, 1.16, 1.16, 0.91, 0.89, 0.86, 0.73, 0.74, 1.15, 1.13, 0.93},
    .targets = pai_targets,
};

constexpr std::array profiles{&philly, &helios, &pai};

} // namespace

const SyntheticProfile& synthetic_profile(std::string_view like) {
    std::vector<std::string> names;
    for (const SyntheticProfile* profile : profiles) {
        if (profile->like == like)
            return *profile;
        names.emplace_back(profile->like);
    }
    Finding finding;
    finding.path = "like";
    finding.problem = "unknown workload " + in_quotes(like);
    finding.suggestion = suggestion(like, names);
    throw ScenarioError{std::move(finding)};
}

std::vector<std::string_view> synthetic_names() {
    std::vector<std::string_view> names;
    names.reserve(profiles.size());
    for (const SyntheticProfile* profile : profiles)
        names.push_back(profile->like);
    return names;
}

std::span<const Target> targets(std::string_view like) {
    return synthetic_profile(like).targets;
}

} // namespace bursar
