#pragma once

#include <cstdint>
#include <optional>
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

/// How far the total cost may lie off in 95 % of cases because of modelled run times, in USD. A
/// model's error is its mean absolute one, which a normal error exceeds 2.46 times in 5 % of cases;
/// run times of one stack are off together. Absent: nothing is modelled, some error is not known,
/// or some job is cut off by the end of the run.
[[nodiscard]] std::optional<double> modelled_error_usd(const Result& result);

/// The error of a figure for people: "+- 15 %"; "+- unknown" where it is not known.
/// share: of the figure, >= 0.
[[nodiscard]] std::string plus_minus(std::optional<double> share);

}} // namespace bursar::reports
