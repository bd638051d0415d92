#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

/// How far the part of a total cost that one stack decides on one GPU may lie off in 95 % of cases.
struct ModelledError {
    std::string of; ///< "own on V100-SXM2-32GB"
    double usd{};

    bool operator==(const ModelledError&) const = default;
};

/// How far the total cost may lie off because of modelled run times, by stack and GPU: what one
/// stack timed on one GPU is off together. A model's error is its mean absolute one, which a normal
/// error exceeds 2.46 times in 5 % of cases. Empty: nothing depends on a model. Absent: some error
/// is not known.
///
/// Where nodes are launched for jobs, the cost of the jobs is off by their share. A fixed number of
/// nodes is paid for until the end of the run, idle or not: if the run ends with its jobs, all of
/// this cost is off by the error of those in the pool where the last one finished, which is too
/// much where jobs waited for others to be submitted; if the scenario says when the run ends, by
/// nothing. A job that the end cuts off where nodes are launched has no known error.
[[nodiscard]] std::optional<std::vector<ModelledError>> modelled_errors(const Result& result);

/// The same of the whole total, in USD. Absent: nothing is modelled, or as modelled_errors().
[[nodiscard]] std::optional<double> modelled_error_usd(const Result& result);

/// How far the difference of two total costs may lie off in 95 % of cases, in USD: of one stack on
/// one GPU the difference of their errors, else their root sum of squares. At most one of each
/// `of`.
[[nodiscard]] double error_of_difference(std::span<const ModelledError> base,
                                         std::span<const ModelledError> other);

/// The same of two runs. Absent: an error of one is not known.
[[nodiscard]] std::optional<double> modelled_error_usd(const Result& base, const Result& other);

/// The error of a figure for people: "+- 15 %"; "+- unknown" where it is not known.
/// share: of the figure, >= 0.
[[nodiscard]] std::string plus_minus(std::optional<double> share);

}} // namespace bursar::reports
