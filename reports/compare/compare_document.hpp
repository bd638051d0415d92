#pragma once

#include <optional>
#include <vector>

#include "reports/compare/compare_columns.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/document/document.hpp"

namespace bursar { inline namespace reports {

/// A comparison for people: how the runs were made, variants by metrics ("+" better, "-" worse than
/// the base), each variant against the base, what the goal says, and caveats. The first table is
/// the overview, a row per variant. charts: where they stand in a page.
[[nodiscard]] Document compare_document(const Comparison& comparison,
                                        const CompareQuestion& question,
                                        std::vector<FigureSection> charts = {});

/// The cheapest variant that meets the goal, and the next cheaper one, which misses it; nothing
/// where no goal was given.
[[nodiscard]] std::optional<Facts> compare_goal(const Comparison& comparison,
                                                const CompareQuestion& question);

}} // namespace bursar::reports
