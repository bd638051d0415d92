#pragma once

#include <string>
#include <vector>

#include "reports/repeats/repeats.hpp"

/// What people are told about a scenario that was run with several seeds.
namespace bursar::inline reports {

/// A scalar over the seeds, e.g. {"total cost, USD", "34.45", "33.10 .. 35.80"}.
struct RepeatLine {
    std::string title;
    std::string mean;
    std::string interval; ///< 95 % interval of the mean; "-" where one run alone has a value
};

/// "5 seeds, means with their 95 % intervals; the bill above is that of the first seed"
[[nodiscard]] std::string repeat_sentence(const Repeats& repeats);

/// Total cost, goodput, mean wait, mean JCT and makespan, as far as any run has them; the title
/// says so where not all have.
[[nodiscard]] std::vector<RepeatLine> repeat_lines(const Repeats& repeats);

} // namespace bursar::inline reports
