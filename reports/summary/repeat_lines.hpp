#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/repeats/repeats.hpp"
#include "reports/result/result.hpp"

/// A scenario that was run with several seeds, for people.
namespace bursar { inline namespace reports {

/// A scalar over the seeds, e.g. {"total cost, USD", "34.45", "33.10 .. 35.80", "30.70 .. 38.20"}.
struct RepeatLine {
    std::string title;
    std::string mean;
    std::string interval; ///< 95 % interval of the mean; "-" where one run alone has a value
    std::string one_run;  ///< that of one further run, and of the model's error; likewise
};

/// The interval of one further run. Of the total cost it includes the error of modelled run times
/// where that is known: two independent reasons to miss the mean, whose squares add up. Absent for
/// fewer than two runs.
[[nodiscard]] std::optional<PredictionInterval> one_run_interval(const Result& result,
                                                                 const RepeatedScalar& scalar);

/// "10 seeds: means with their 95 % intervals, and intervals of one run; TOTAL is such a mean, all
/// else above is of seed 1"
[[nodiscard]] std::string repeat_sentence(const Result& result, const Repeats& repeats);

/// "seed 1": the first one, which every figure is of that is no mean over the seeds.
[[nodiscard]] std::string seed_title(const Result& result);

/// The mean of the total cost over the seeds; `interval` is "mean of 10 seeds; one run in 95 % of
/// cases 30.70 .. 38.20". Absent where there was one seed.
[[nodiscard]] std::optional<RepeatLine> repeated_total(const Result& result);

/// Total cost, goodput, mean wait, mean JCT and makespan, as far as any run has them; the title
/// says so where not all have. result: has repeats.
[[nodiscard]] std::vector<RepeatLine> repeat_lines(const Result& result);

}} // namespace bursar::reports
