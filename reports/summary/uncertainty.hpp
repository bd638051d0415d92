#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/calibration/error_range.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What the jobs of one modelled run time add up to, over the whole run.
struct ModelledSum {
    std::uint64_t jobs{}; ///< that have started
    std::uint64_t
        unfinished{}; ///< of them: what they are charged ends with the run, whatever they take
    SlotTime held{};
    Money cost{}; ///< at their pools' rates
};

/// One per Result::modelled.
[[nodiscard]] std::vector<ModelledSum> modelled_sums(const Result& result);

/// What of a result is as uncertain as the model that timed it, and by how much: a line for each
/// run time that jobs took (where none has started, for each modelled one), the dearest first, and
/// one for those that are too many to read.
[[nodiscard]] std::vector<std::string> uncertainty_sentences(const Result& result);

/// The 95 % error of a total cost that comes from one modelled run time.
struct ModelledError {
    std::string of; ///< "gpt on 4 V100-SXM2-32GB, 3352320000 ms, stack own"
    double usd{};

    bool operator==(const ModelledError&) const = default;
};

/// A normal error is below 1.28 standard deviations in 80 % of cases and below 1.96 in 95 %: their
/// quotient.
inline constexpr double error_95_over_80 = 1.959964 / 1.281552;

/// The 95 % errors of the total cost from modelled run times, from the larger side of their 80 %
/// ranges (error_95_over_80). Each configuration (model, GPUs, stack, run time) has an independent
/// error. Empty: none changes the total. Absent: some range is not known.
///
/// Where nodes are launched for jobs, the cost of the jobs is off by their share. Nodes that are
/// kept, idle or not, are paid for until the end of the run. If the run ends with its jobs, the run
/// time that may make it the longest decides how much more they cost; if the scenario says when the
/// run ends, nothing does. Not known are also the errors of a bill that begins after the run does,
/// and of a job that the end cuts off where nodes are launched. Approximate: a run that is longer
/// than the terms of a pool pays for whole further terms.
[[nodiscard]] std::optional<std::vector<ModelledError>> modelled_errors(const Result& result);

/// The 95 % error of the total, in USD. Absent: nothing is modelled, or as modelled_errors().
[[nodiscard]] std::optional<double> modelled_error_usd(const Result& result);

/// The 95 % error of the difference of two total costs, in USD: of the same configuration the
/// difference of both errors, else their root sum of squares. At most one of each `of`.
[[nodiscard]] double error_of_difference(std::span<const ModelledError> base,
                                         std::span<const ModelledError> other);

/// The same of two runs. Absent: an error of one is not known.
[[nodiscard]] std::optional<double> modelled_error_usd(const Result& base, const Result& other);

/// The range of a figure for people: "-7.1 to +26 % in 80 % of cases".
[[nodiscard]] std::string range_text(const std::optional<ErrorRange>& range);

}} // namespace bursar::reports
