#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace reports {

struct Result;

/// How long each measured job of a run took.
struct JobTimes {
    std::vector<std::uint64_t>
        ids; ///< hashes of their names, or their numbers where they have none
    std::vector<std::int64_t> jct_ms; ///< from submit to finish; 0 where it did not finish
    std::vector<bool> is_finished;
};

[[nodiscard]] JobTimes job_times(const Result& result);

/// How many jobs took about so long in two runs.
struct JobPoints {
    std::vector<std::int64_t> base_ms; ///< JCT in the base; of several jobs the mean
    std::vector<std::int64_t> variant_ms;
    std::vector<std::uint64_t> jobs; ///< >= 1

    [[nodiscard]] std::size_t size() const { return jobs.size(); }
};

/// The same jobs in the base and in a variant, run with the same seed.
struct JobChanges {
    // Jobs that finished in both:
    std::uint64_t gained{}; ///< with a shorter JCT than in the base
    std::uint64_t equal{};  ///< to the millisecond
    std::uint64_t lost{};
    std::optional<double> ratio; ///< median of the variant's JCT over the base's, of those whose
                                 ///< JCT in the base is above 0; absent where there is none
    std::optional<double> ratio_of_gained; ///< likewise
    std::optional<double> ratio_of_lost;
    // All other jobs:
    std::uint64_t base_only{};    ///< finished in the base alone
    std::uint64_t variant_only{}; ///< finished in the variant alone
    std::uint64_t neither{};
    std::uint64_t unpaired{}; ///< measured in one of them alone
    JobPoints points;         ///< of those that finished in both; at most most_job_points
    std::vector<std::int64_t> base_only_ms;    ///< about which JCTs `base_only` had, each once
    std::vector<std::int64_t> variant_only_ms; ///< likewise

    [[nodiscard]] std::uint64_t pairs() const { return gained + equal + lost; }
    [[nodiscard]] bool is_binned() const { return points.size() < pairs(); }
};

inline constexpr std::size_t most_job_points = 2000;

/// Pairs the jobs of two runs by name, or number. Where there are more pairs than most_job_points,
/// those that lie close to each other on logarithmic axes are one point; no point holds jobs that
/// gained and jobs that did not.
[[nodiscard]] JobChanges job_changes(const JobTimes& base, const JobTimes& variant);

/// "0.83", "12,345".
[[nodiscard]] std::string jct_ratio_text(double ratio);

/// "of 3,000 jobs that finished in both, 1,234 gained, ...". base: its label.
[[nodiscard]] std::string changes_sentence(const JobChanges& changes, std::string_view base);

}} // namespace bursar::reports
