#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "reports/compare/compare_columns.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/document/document.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// Writes a comparison. width: of the terminal; only the table reads it.
using CompareWriter = void(const Comparison& comparison,
                           const CompareQuestion& question,
                           std::size_t width,
                           TextSink& sink);

/// One way to render a comparison.
struct CompareOutput {
    std::string_view name; ///< as `--format` takes it
    std::string_view file; ///< its name in an output directory
    CompareWriter* write;
};

/// Every way, in the order in which they are listed and written.
[[nodiscard]] std::span<const CompareOutput> compare_outputs();

CompareWriter write_compare_table;
CompareWriter write_compare_json;
CompareWriter write_compare_csv;
CompareWriter write_compare_markdown;
/// One page of HTML: what each variant costs and how long jobs wait in it, each metric's difference
/// to the base with its interval, and the tables and caveats of the other formats. In html/.
CompareWriter write_compare_html;
/// The scalars of every run and whatever else of the runs another format shows, and the question.
CompareWriter write_saved_comparison;

/// A comparison for people: the answer to the goal, how the runs were made, variants by metrics
/// ("+" better, "-" worse than the base), each variant against the base, and caveats. The first
/// table is the overview, a row per variant. charts: where they stand in a page.
[[nodiscard]] Document compare_document(const Comparison& comparison,
                                        const CompareQuestion& question,
                                        std::vector<FigureSection> charts = {});

/// The cheapest variant that meets the goal; nothing where no goal was given.
[[nodiscard]] std::optional<GoalAnswer> compare_goal(const Comparison& comparison,
                                                     const CompareQuestion& question);

}} // namespace bursar::reports
