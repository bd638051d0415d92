#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/compare/comparison.hpp"
#include "reports/goal/goal.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

enum class CompareDetail : std::uint8_t {
    full,  ///< the overview, then each variant against the base
    brief, ///< a line per variant: some metrics, and their differences to the base
};

/// What a comparison shows.
struct CompareQuestion {
    std::vector<const ScalarRow*> metrics{};   ///< in the order in which they are shown, each once;
                                               ///< empty: the main ones, and all of them in files
                                               ///< for programs
    CompareDetail detail{CompareDetail::full}; ///< for people; files for programs have all of it
    std::optional<Goal> goal{};
    bool common_end{}; ///< variants are ranked by the cost to the common end, where there is one
};

/// A metric that a comparison shows to people.
struct CompareColumn {
    std::string title;
    std::string above; ///< the same in two lines, over a narrow column
    std::string below;
    ScalarKind kind{};
    std::size_t scalar{}; ///< its place among the scalars of the variants
    /// A difference with a larger p is not clear: by Holm's correction for all verdicts shown.
    double max_p{1};
};

/// The metrics that differ between variants, or those of the question.
struct CompareColumns {
    std::vector<CompareColumn> shown;
    std::string equal{};    ///< metrics that are the same for all, with their values; empty: none
    std::size_t verdicts{}; ///< on random differences, which Holm's correction is for
};

[[nodiscard]] CompareColumns columns_of(const Comparison& comparison,
                                        const CompareQuestion& question);

/// Places of the scalars that files for programs have.
[[nodiscard]] std::vector<std::size_t> scalars_of(const Comparison& comparison,
                                                  const CompareQuestion& question);

/// The cost that variants are ranked by: `cost.total`, or common_end_cost().
[[nodiscard]] const ScalarRow& ranked_cost(const Comparison& comparison,
                                           const CompareQuestion& question);

/// The jobs of a variant that did not finish.
[[nodiscard]] UnfinishedJobs unfinished_jobs(const ComparedVariant& variant);

/// Whether each variant leaves work undone, as leave_work_undone() has it.
[[nodiscard]] std::vector<bool> leave_work_undone(const Comparison& comparison);

/// Whether a cost is shown that variants can be ranked by.
[[nodiscard]] bool shows_cost(const CompareQuestion& question);

/// Places of the variants in the order of the rows of tables: the base first, the others as they
/// were given, or by the cost to the common end where the question ranks by it.
[[nodiscard]] std::vector<std::size_t> rows_of(const Comparison& comparison,
                                               const CompareQuestion& question);

/// Says that variants rank differently by the other one of these two; empty: they do not, there is
/// one alone, or no cost is shown.
[[nodiscard]] std::string other_cost_ranking(const Comparison& comparison,
                                             const CompareQuestion& question);

/// The mean for people; "-" where no run has a value.
[[nodiscard]] std::string value_text(const RepeatedScalar& value, ScalarKind kind);

/// "+12.3 %"; "0.0 %" where it shows as nothing.
[[nodiscard]] std::string relative_text(double relative);

/// The verdict on a scalar of a variant in the figures shown: where they do not differ, it is equal
/// to the base, even if exact values differ. What is clear by itself may not be so among all
/// verdicts shown.
[[nodiscard]] Verdict shown_verdict(const Comparison& comparison,
                                    const ComparedVariant& variant,
                                    const CompareColumn& column);

}} // namespace bursar::reports
