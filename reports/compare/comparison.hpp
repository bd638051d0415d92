#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/units/units.hpp"

#include "reports/compare/job_changes.hpp"
#include "reports/repeats/repeats.hpp"
#include "reports/scalars/common_end.hpp"
#include "reports/summary/uncertainty.hpp"

namespace bursar { inline namespace reports {

struct Result;

/// The judgement of a difference to the base.
enum class Verdict : std::uint8_t {
    better,
    worse,
    lower,  ///< of a scalar with no better side
    higher, ///< likewise
    equal,  ///< in every pair of runs, to the scalar's resolution
    no_clear_difference,
    withheld, ///< other jobs finished than for the base, or the GPUs are others
    unknown,  ///< one seed of a random scenario, no pair has both values, or a cost to a common end
};

inline constexpr std::size_t num_verdicts = 8;

[[nodiscard]] std::string_view name(Verdict verdict); ///< "no clear difference"; unknown: ""

/// A variant's scalar minus the base's, over pairs of runs with the same seed.
struct Difference {
    std::uint64_t pairs{};          ///< seeds for which both have a value
    double mean{};                  ///< means nothing when there are none
    std::optional<double> ci_low;   ///< 95 % interval of the mean; absent for one pair that no
                                    ///< model's error changes
    std::optional<double> ci_high;  ///< likewise
    std::optional<double> relative; ///< mean difference over the base's mean over the same pairs;
                                    ///< absent where that is 0
    double p{1};                    ///< as in MeanDifference
    std::uint64_t deciding{};       ///< likewise
    Verdict verdict{Verdict::unknown}; ///< of this difference by itself
};

/// Which of the measured jobs finished.
struct FinishedJobs {
    std::uint64_t finished{};
    std::uint64_t unfinished{};
    std::uint64_t hash{}; ///< equal where the same ones finished

    bool operator==(const FinishedJobs&) const = default;
};

[[nodiscard]] FinishedJobs finished_jobs(const Result& result);

/// The GPUs of a result: "T4", or "64 H100-SXM5-80GB, 480 V100-SXM2-16GB" of a
/// fleet of several. GPU-hours of different GPUs do not compare.
[[nodiscard]] std::string gpus_of(const Result& result);

/// Hashes of what a run has to do: equal jobs with other work run faster or slower.
struct WorkloadHashes {
    std::uint64_t jobs{};      ///< hash of when each is submitted and its gang
    std::uint64_t work{};      ///< hash of how long each works, and of the speeds there are
    std::uint64_t reference{}; ///< hash of how long each works at reference speed

    bool operator==(const WorkloadHashes&) const = default;
};

/// What limits what a run's figures mean, in the words of its bill.
struct Caveats {
    std::vector<std::string> warnings;
    std::vector<std::string> decisive; ///< assumed, and every figure rests on it
    std::vector<std::string>
        uncertain; ///< run times and dollars that a model decides, with its error
    std::vector<std::string> assumed;    ///< taken for granted, the scenario does not say
    std::vector<std::string> unmodelled; ///< asked for or usual, but not part of the run
};

/// How long the measured jobs of a tenant waited for their first start; those that never started
/// count until the end.
struct TenantWait {
    std::string tenant; ///< its title
    std::uint64_t jobs{};
    Duration mean{};

    bool operator==(const TenantWait&) const = default;
};

/// Of tenants with measured jobs.
[[nodiscard]] std::vector<TenantWait> mean_waits(const Result& result);

struct ComparedVariant {
    std::string label;
    std::vector<std::pair<std::string, std::string>>
        settings;         ///< path and value, as --vary has them
    std::string folder{}; ///< of its files, beside those of the comparison; empty: none are written
    std::uint64_t scenario_hash{};
    std::vector<std::uint64_t> fingerprints; ///< of its runs, in the order of the seeds
    std::vector<std::vector<Scalar>> runs;   ///< its scalars, in the order of the seeds
    std::vector<RunEnding> endings;          ///< in the same order; empty: not known
    std::vector<FinishedJobs> finished;      ///< likewise
    std::string gpus;                        ///< as gpus_of has them
    std::vector<WorkloadHashes> workloads;   ///< in the order of the seeds; empty: not known
    /// Over its runs. Where fixed capacity is compared and runs of one seed end at different times,
    /// the last one is common_end_cost().
    Repeats values;
    std::vector<Difference> differences; ///< per scalar of `values`; empty for the base
    Caveats caveats;                     ///< of its runs, each once
    /// How each job of the first seed changed; absent: for the base, and where it is not kept.
    std::optional<JobChanges> jobs{};
    std::vector<TenantWait> tenants{};         ///< of its run with the first seed; empty: not known
    std::vector<ModelledError> model_errors{}; ///< as modelled_errors(), means over its runs
    bool knows_model_errors{true};             ///< else those of some run are not known
    /// Whether its waits, JCTs and the like compare with the base's: the same jobs finished, or it
    /// has other jobs by its own settings and all of them finished.
    bool same_finished{true};
    /// Whether an hour of its GPUs does what one of the base's does: the same GPUs, the same jobs
    /// at the same speed. Else GPU-hours, shares of them and dollars per GPU-hour do not compare.
    bool same_hours{true};
    /// Whether an hour of work at reference speed is the base's: no run has the same jobs with
    /// other work. Else figures of work do not compare.
    bool same_reference{true};
};

/// Job-by-job changes are kept for at most this many variants.
inline constexpr std::size_t max_variants_with_job_changes = 8;

/// Variants of one scenario over the same seeds, the first of them being the base.
struct Comparison {
    std::string version; ///< of the tool
    std::string scenario_name;
    std::uint64_t first_seed{};
    bool random{};             ///< false: every seed gives the same run, and each variant ran once
    bool resampled{};          ///< seeds draw the jobs out of blocks of a trace: SeedsDraw::samples
    Duration end{};            ///< the latest end of all runs
    bool one_end{true};        ///< all runs end then
    bool one_end_a_seed{true}; ///< all runs of one seed end at one time
    bool ends_by_scenario{};   ///< some run ends by its scenario's `until`
    bool all_end_by_scenario{true}; ///< every run does; only if some run's end is known
    std::vector<ComparedVariant> variants;

    [[nodiscard]] std::uint64_t num_runs() const { return variants.front().values.n; }
};

/// The caveats of one kind, each once, in the order of the variants; one that some variants do not
/// have begins with the labels of those that have it: "sjf, srtf: ...".
[[nodiscard]] std::vector<std::string> caveats_of(const Comparison& comparison,
                                                  std::vector<std::string> Caveats::*kind);

/// Fills `values`, `differences` and what is the same as in the base (`same_...`) from the runs,
/// and `end` and what follows it from their endings, if these are known. At least two variants,
/// equally many runs each; all runs hold the same scalars in the same order.
///
/// The intervals are of the paired differences: what a seed does to both cancels out. Of a
/// resampled trace they are not of the mean over the seeds, which more seeds make as narrow as one
/// likes, but of what the trace's blocks say (SeedsDraw). A difference
/// is clear when its interval leaves 0 out, or when it is exact: nothing is random. The interval of
/// the total cost includes the error of modelled run times, as far as it is known. Each verdict is
/// by itself: tables correct for how many they show (shown_verdict()).
void work_out(Comparison& comparison);

}} // namespace bursar::reports
