#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/compare/compare_question.hpp"
#include "reports/compare/comparison.hpp"

namespace bursar { inline namespace reports {

/// A metric that a comparison shows to people.
struct CompareColumn {
    std::string title;
    std::string above; ///< the same in two lines, over a narrow column
    std::string below;
    ScalarKind kind{};
    std::size_t scalar{}; ///< its place among the scalars of the variants
};

/// The metrics that tell variants apart, or those that were asked for.
struct CompareColumns {
    std::vector<CompareColumn> shown;
    std::string equal{}; ///< metrics that are the same for all, with their values; empty: none
};

[[nodiscard]] CompareColumns columns_of(const Comparison& comparison,
                                        const CompareQuestion& question);

/// Places of the scalars that files for programs have.
[[nodiscard]] std::vector<std::size_t> scalars_of(const Comparison& comparison,
                                                  const CompareQuestion& question);

/// The mean for people; "-" where no run has a value.
[[nodiscard]] std::string value_text(const RepeatedScalar& value, ScalarKind kind);

/// "+12.3 %"; "0.0 %" where it shows as nothing.
[[nodiscard]] std::string relative_text(double relative);

/// The verdict on a scalar of a variant in the figures shown: where they do not differ, it is equal
/// to the base, whatever lies behind them.
[[nodiscard]] Verdict shown_verdict(const Comparison& comparison,
                                    const ComparedVariant& variant,
                                    const CompareColumn& column);

}} // namespace bursar::reports
