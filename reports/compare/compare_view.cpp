#include "reports/compare/compare_view.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "reports/compare/compare_columns.hpp"
#include "reports/compare/compare_goal.hpp"
#include "reports/compare/compare_notes.hpp"
#include "reports/scalars/scalar_text.hpp"

namespace bursar { inline namespace reports {
namespace {

std::string_view short_name(Verdict verdict) {
    return verdict == Verdict::no_clear_difference ? "not clear" : name(verdict);
}

std::string mark(Verdict verdict) {
    switch (verdict) {
    case Verdict::better:
        return " +";
    case Verdict::worse:
        return " -";
    case Verdict::withheld:
        return " ?";
    default:
        return "  ";
    }
}

ViewTable overview_of(const Comparison& comparison, const std::vector<CompareColumn>& columns) {
    ViewTable table;
    table.header.emplace_back();
    table.titles.emplace_back();
    for (const CompareColumn& column :
         columns) { // the header over the figures, not over their marks
        table.header.push_back(fmt::format("{}  \n{}  ", column.above, column.below));
        table.titles.push_back(column.title);
    }
    for (const ComparedVariant& variant : comparison.variants) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(variant.label);
        for (const CompareColumn& column : columns)
            row.push_back(value_text(variant.values.scalars[column.scalar], column.kind) +
                          mark(shown_verdict(comparison, variant, column)));
    }
    return table;
}

/// A variant's mean minus the base's, marked.
std::string difference_cell(const Comparison& comparison,
                            const ComparedVariant& variant,
                            const CompareColumn& column) {
    if (variant.differences.empty())
        return {};
    const Difference& difference = variant.differences[column.scalar];
    return (difference.pairs > 0 ? difference_text(difference.mean, column.kind) : "-") +
           mark(shown_verdict(comparison, variant, column));
}

/// Each metric, and beside it the differences.
ViewTable brief_of(const Comparison& comparison, const std::vector<CompareColumn>& columns) {
    ViewTable table;
    table.together = 2;
    table.header.emplace_back();
    table.titles.emplace_back();
    for (const CompareColumn& column : columns) {
        table.header.push_back(fmt::format("{}\n{}", column.above, column.below));
        table.header.emplace_back("\nvs base  ");
        table.titles.push_back(column.title);
        table.titles.emplace_back("vs base");
    }
    for (const ComparedVariant& variant : comparison.variants) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(variant.label);
        for (const CompareColumn& column : columns) {
            row.push_back(value_text(variant.values.scalars[column.scalar], column.kind));
            row.push_back(difference_cell(comparison, variant, column));
        }
    }
    return table;
}

ViewTable against_base(const Comparison& comparison,
                       const ComparedVariant& variant,
                       const std::vector<CompareColumn>& columns) {
    const ComparedVariant& base = comparison.variants.front();
    const bool intervals = comparison.num_runs() > 1;
    ViewTable table;
    table.title = fmt::format("{}  (base: {})", variant.label, base.label);
    table.header = {"", "base", "variant", "difference", "relative"};
    table.may_go = {1, 2, 4}; // the overview has the values
    if (intervals)
        table.header.emplace_back("95 % interval");
    table.header.emplace_back();
    table.titles = table.header;
    table.ends_in_words = true;
    for (const CompareColumn& column : columns) {
        const ScalarKind kind = column.kind;
        const Difference& difference = variant.differences[column.scalar];
        const bool known = difference.pairs > 0;
        std::vector<std::string>& row = table.rows.emplace_back();
        row = {column.title,
               value_text(base.values.scalars[column.scalar], kind),
               value_text(variant.values.scalars[column.scalar], kind),
               known ? difference_text(difference.mean, kind) : "-",
               difference.relative ? relative_text(*difference.relative) : ""};
        if (intervals)
            row.push_back(interval_text(difference.ci_low, difference.ci_high, kind));
        row.emplace_back(short_name(shown_verdict(comparison, variant, column)));
    }
    table.below = jobs_sentence(comparison, variant);
    return table;
}

bool has_withheld(const Comparison& comparison, const std::vector<CompareColumn>& columns) {
    return std::ranges::any_of(comparison.variants, [&](const ComparedVariant& variant) {
        return std::ranges::any_of(columns, [&](const CompareColumn& column) {
            return shown_verdict(comparison, variant, column) == Verdict::withheld;
        });
    });
}

std::string legend_of(const Comparison& comparison, bool withheld) {
    const bool marked = !comparison.random || comparison.num_runs() > 1;
    return fmt::format("{}{}base: {}",
                       marked ? "+ better, - worse than the base, where clear; " : "",
                       withheld ? "? withheld; " : "",
                       comparison.variants.front().label);
}

void append(std::vector<std::string> more, std::vector<std::string>& to) {
    std::ranges::move(more, std::back_inserter(to));
}

/// No more than it takes to read the lines.
void fill_brief(const Comparison& comparison,
                const std::vector<CompareColumn>& columns,
                CompareView& view) {
    view.caveats = warning_lines(comparison);
    if (columns.empty())
        return;
    const bool withheld = has_withheld(comparison, columns);
    view.overview = brief_of(comparison, columns);
    view.legend = legend_of(comparison, withheld);
    if (withheld) {
        view.notes.push_back(end_note(comparison));
        append(withheld_notes(comparison), view.notes);
    }
}

void fill(const Comparison& comparison,
          const std::vector<CompareColumn>& columns,
          CompareView& view) {
    view.notes.push_back(end_note(comparison));
    std::vector<std::string> withheld = withheld_notes(comparison);
    const bool has_withheld = !withheld.empty();
    append(std::move(withheld), view.notes);
    view.caveats = caveat_lines(comparison);
    if (columns.empty())
        return;
    view.overview = overview_of(comparison, columns);
    view.legend = legend_of(comparison, has_withheld);
    for (std::size_t i = 1; i < comparison.variants.size(); ++i)
        view.against.push_back(against_base(comparison, comparison.variants[i], columns));
}

} // namespace

CompareView view_of(const Comparison& comparison, const CompareQuestion& question) {
    CompareView view;
    view.title = comparison.scenario_name;
    view.notes = run_notes(comparison);
    CompareColumns columns = columns_of(comparison, question);
    view.equal = std::move(columns.equal);
    if (question.detail == CompareDetail::brief)
        fill_brief(comparison, columns.shown, view);
    else
        fill(comparison, columns.shown, view);
    view.goal = compare_goal(comparison, question);
    return view;
}

}} // namespace bursar::reports
