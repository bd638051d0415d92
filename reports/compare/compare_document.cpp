#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/compare/compare_columns.hpp"
#include "reports/compare/compare_formats.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/goal/goal.hpp"
#include "reports/scalars/scalar_text.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Labels of the variants that do not compare with the base in this respect.
std::vector<std::string> without(const Comparison& comparison, bool ComparedVariant::*same) {
    std::vector<std::string> labels;
    for (const ComparedVariant& variant : comparison.variants)
        if (!(variant.*same))
            labels.push_back(variant.label);
    return labels;
}

std::string resampled_note(std::uint64_t seeds) {
    if (seeds < least_draws)
        return fmt::format("each seed draws its jobs out of the trace's own; {} draws give no "
                           "intervals, {} or more do",
                           seeds,
                           least_draws);
    return "each seed draws its jobs out of the trace's own: figures are means over the draws, and "
           "intervals are as wide as blocks of the trace differ, however many seeds there are";
}

/// What intervals have of the error of modelled run times; empty: there is none, or no interval.
std::string model_error_note(const Comparison& comparison) {
    const auto any = [&](auto has) { return std::ranges::any_of(comparison.variants, has); };
    if (any([](const ComparedVariant& one) { return !one.knows_model_errors; }))
        return "the error of modelled run times is not known for all: no interval has it, and "
               "without seeds there is no verdict on the total cost";
    if (!any([](const ComparedVariant& one) { return !one.model_errors.empty(); }) ||
        (comparison.random && comparison.num_runs() == 1))
        return {};
    return "intervals of differences in total cost include the error of modelled run times, which "
           "variants share where model, GPUs, stack and run time are the same; those of other "
           "figures do not";
}

/// How the runs were made, and what every figure rests on.
std::vector<std::string> run_notes(const Comparison& comparison) {
    std::vector<std::string> notes;
    const std::uint64_t runs = comparison.num_runs();
    if (!comparison.random)
        notes.emplace_back(
            caveats_of(comparison, &Caveats::uncertain).empty()
                ? "nothing is random: one run per variant, and every difference is exact, for "
                  "these "
                  "jobs and no others"
                : "nothing is random: one run per variant; differences are exact for these jobs "
                  "but for the errors of modelled run times, which stand under `uncertain`");
    else if (runs == 1)
        notes.push_back(fmt::format("1 seed ({}): no intervals, so no difference is clear; "
                                    "--seeds adds runs",
                                    comparison.first_seed));
    else
        notes.push_back(fmt::format("{} seeds ({} to {}), the same for every variant: means over "
                                    "the seeds, differences paired by seed",
                                    runs,
                                    comparison.first_seed,
                                    comparison.first_seed + runs - 1));
    if (comparison.resampled && runs > 1)
        notes.push_back(resampled_note(runs));
    if (comparison.random && !comparison.resampled && runs > 1 && runs < enough_seeds)
        notes.push_back(few_seeds_note(runs));
    if (std::string note = model_error_note(comparison); !note.empty())
        notes.push_back(std::move(note));
    for (const std::string& assumed : caveats_of(comparison, &Caveats::decisive))
        notes.push_back("assumed: " + assumed);
    return notes;
}

/// When the runs end, and until when capacity is paid for.
std::string end_note(const Comparison& comparison) {
    const std::string end = span_text(comparison.end);
    const char* const why = !comparison.ends_by_scenario     ? "when their last job ends"
                            : comparison.all_end_by_scenario ? "`until` of the scenario"
                                                             : "by `until` or with their last job";
    if (comparison.one_end)
        return fmt::format("all runs end at {}, {}; capacity is paid for until then", end, why);
    if (!comparison.ends_by_scenario)
        return fmt::format("each run ends with its last job, the last one at {}, and is paid for "
                           "until then, as in `bursar run`{}",
                           end,
                           comparison.variants.front().values.scalars.back().name ==
                                   common_end_cost().name
                               ? "; the cost to the common end pays for owned and reserved "
                                 "capacity to the latest end of the run's seed, and has no verdict"
                               : "");
    if (comparison.one_end_a_seed)
        return fmt::format("all runs of a seed end at one time, the last at {}, {}; capacity is "
                           "paid for until then",
                           end,
                           why);
    return fmt::format("{}, the last at {}; capacity is paid for until then, and verdicts on costs "
                       "and GPU-hours are withheld (?)",
                       comparison.all_end_by_scenario
                           ? "runs end at their own `until`"
                           : "some runs end at their own `until`, others with their last job",
                       end);
}

/// The variants whose verdicts are withheld, and why.
std::vector<std::string> withheld_notes(const Comparison& comparison) {
    std::vector<std::string> notes;
    if (const auto labels = without(comparison, &ComparedVariant::same_finished); !labels.empty())
        notes.push_back(
            fmt::format("verdicts on waits, JCT, slowdown and makespan are withheld (?) "
                        "for {}: other jobs finished than for the base; \"at least\" "
                        "counts the unfinished ones as well",
                        fmt::join(labels, "; ")));
    if (const auto labels = without(comparison, &ComparedVariant::same_hours); !labels.empty())
        notes.push_back(
            fmt::format("verdicts on GPU-hours, shares of them and dollars per GPU-hour "
                        "are withheld (?) for {}: an hour of its GPUs does not do what "
                        "one of the base's does",
                        fmt::join(labels, "; ")));
    return notes;
}

/// How many jobs gained and lost in a variant; empty where that is not kept, or no job finished in
/// both it and the base.
std::string jobs_sentence(const Comparison& comparison, const ComparedVariant& variant) {
    if (!variant.jobs || variant.jobs->pairs() == 0)
        return {};
    return fmt::format("{}{}",
                       comparison.random ? fmt::format("seed {}: ", comparison.first_seed)
                                         : std::string{},
                       changes_sentence(*variant.jobs, comparison.variants.front().label));
}

std::vector<std::string> warning_lines(const Comparison& comparison) {
    std::vector<std::string> lines;
    for (const std::string& warning : caveats_of(comparison, &Caveats::warnings))
        lines.push_back("warning: " + warning);
    return lines;
}

/// Warnings, what is uncertain, what is assumed and what is not modelled.
std::vector<std::string> caveat_lines(const Comparison& comparison) {
    std::vector<std::string> lines = warning_lines(comparison);
    for (const std::string& sentence : caveats_of(comparison, &Caveats::uncertain))
        lines.push_back("uncertain: " + sentence);
    const auto add = [&](const char* word, std::vector<std::string> Caveats::*kind) {
        const std::vector<std::string> caveats = caveats_of(comparison, kind);
        if (!caveats.empty())
            lines.push_back(fmt::format("{}: {}", word, fmt::join(caveats, "; ")));
    };
    add("assumed", &Caveats::assumed);
    add("not modelled", &Caveats::unmodelled);
    return lines;
}

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

ReportColumn narrow_column(std::string label, std::string narrow) {
    ReportColumn column{std::move(label)};
    column.narrow = std::move(narrow);
    return column;
}

/// The column of 95 % intervals; its title says where there are few seeds.
ReportColumn interval_column(std::uint64_t seeds) {
    std::string title{interval_title(seeds)};
    return narrow_column(title, seeds < enough_seeds ? "95 % interval\n(few seeds)" : title);
}

ReportTable overview_of(const Comparison& comparison,
                        const CompareQuestion& question,
                        const std::vector<CompareColumn>& columns) {
    ReportTable table{{{"variant", Align::left}}};
    for (const CompareColumn& column : columns) // the header over the figures, not over their marks
        table.columns.push_back(
            narrow_column(column.title, fmt::format("{}  \n{}  ", column.above, column.below)));
    for (const std::size_t place : rows_of(comparison, question)) {
        const ComparedVariant& variant = comparison.variants[place];
        ReportRow& row = table.rows.emplace_back(ReportRow{variant.label});
        for (const CompareColumn& column : columns)
            row.cells.emplace_back(value_text(variant.values.scalars[column.scalar], column.kind) +
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
ReportTable brief_of(const Comparison& comparison,
                     const CompareQuestion& question,
                     const std::vector<CompareColumn>& columns) {
    ReportTable table{{{"variant", Align::left}}};
    for (const CompareColumn& column : columns) {
        table.columns.push_back(
            narrow_column(column.title, fmt::format("{}\n{}", column.above, column.below)));
        table.columns.push_back(narrow_column("vs base", "vs base  "));
        table.columns.back().with_previous = true;
    }
    for (const std::size_t place : rows_of(comparison, question)) {
        const ComparedVariant& variant = comparison.variants[place];
        ReportRow& row = table.rows.emplace_back(ReportRow{variant.label});
        for (const CompareColumn& column : columns) {
            row.cells.emplace_back(value_text(variant.values.scalars[column.scalar], column.kind));
            row.cells.emplace_back(difference_cell(comparison, variant, column));
        }
    }
    return table;
}

ReportTable against_base(const Comparison& comparison,
                         const ComparedVariant& variant,
                         const std::vector<CompareColumn>& columns) {
    const ComparedVariant& base = comparison.variants.front();
    const bool intervals =
        comparison.num_runs() > 1 || std::ranges::any_of(columns, [&](const CompareColumn& column) {
            return variant.differences[column.scalar].ci_low.has_value();
        });
    ReportTable table{
        "",
        fmt::format("{} (base: {})", variant.label, base.label),
        {{"metric", Align::left}, {"base"}, {"variant"}, {"difference"}, {"relative"}}};
    table.columns[1].omit = 1; // the overview has the values
    table.columns[2].omit = 2;
    table.columns[4].omit = 3;
    if (intervals)
        table.columns.push_back(
            interval_column(comparison.random ? comparison.num_runs() : enough_seeds));
    table.columns.push_back({"verdict", Align::left});
    bool any_decided_by_few = false;
    for (const CompareColumn& column : columns) {
        const ScalarKind kind = column.kind;
        const Difference& difference = variant.differences[column.scalar];
        ReportRow& row = table.rows.emplace_back(
            ReportRow{column.title,
                      value_text(base.values.scalars[column.scalar], kind),
                      value_text(variant.values.scalars[column.scalar], kind),
                      difference.pairs > 0 ? difference_text(difference.mean, kind) : "-",
                      difference.relative ? relative_text(*difference.relative) : ""});
        if (intervals)
            row.cells.emplace_back(interval_text(difference.ci_low, difference.ci_high, kind) +
                                   deciding_seeds_mark(difference.deciding));
        any_decided_by_few = any_decided_by_few || (intervals && difference.deciding > 0);
        row.cells.emplace_back(std::string{short_name(shown_verdict(comparison, variant, column))});
    }
    table.note = jobs_sentence(comparison, variant);
    if (any_decided_by_few)
        table.note =
            fmt::format("{}{}{}", deciding_seeds_note, table.note.empty() ? "" : "; ", table.note);
    return table;
}

bool has_withheld(const Comparison& comparison, const std::vector<CompareColumn>& columns) {
    return std::ranges::any_of(comparison.variants, [&](const ComparedVariant& variant) {
        return std::ranges::any_of(columns, [&](const CompareColumn& column) {
            return shown_verdict(comparison, variant, column) == Verdict::withheld;
        });
    });
}

/// verdicts: on random differences.
std::string legend_of(const Comparison& comparison, bool withheld, std::size_t verdicts) {
    const bool marked = !comparison.random || comparison.num_runs() > 1;
    const std::string clear =
        verdicts > 1 ? fmt::format("where clear with 95 % for all {} verdicts together (Holm's "
                                   "correction); ",
                                   verdicts)
                     : std::string{"where clear; "};
    return fmt::format("{}{}base: {}",
                       marked ? "+ better, - worse than the base, " + clear : "",
                       withheld ? "? withheld; " : "",
                       comparison.variants.front().label);
}

/// How the runs were made. In brief no more than it takes to read the lines.
std::vector<std::string> notes_of(const Comparison& comparison, bool in_brief, bool withheld) {
    std::vector<std::string> notes = run_notes(comparison);
    if (in_brief && !withheld)
        return notes;
    notes.push_back(end_note(comparison));
    std::ranges::move(withheld_notes(comparison), std::back_inserter(notes));
    return notes;
}

std::optional<double> mean_of(const ComparedVariant& variant, std::string_view name) {
    const auto found = std::ranges::find(variant.values.scalars, name, &RepeatedScalar::name);
    if (found == variant.values.scalars.end() || found->n == 0)
        return std::nullopt;
    return found->mean;
}

/// Says how few jobs decide a p99 that is shown; empty: they are many, or none is shown.
std::string few_jobs_note(const Comparison& comparison, const std::vector<CompareColumn>& columns) {
    const std::vector<RepeatedScalar>& scalars = comparison.variants.front().values.scalars;
    const bool has_p99 = std::ranges::any_of(columns, [&](const CompareColumn& column) {
        return scalars[column.scalar].name.ends_with(".p99");
    });
    const auto finished = mean_of(comparison.variants.front(), "metrics.jobs_finished");
    return has_p99 && finished ? p99_note(static_cast<std::uint64_t>(std::llround(*finished)))
                               : std::string{};
}

/// Says which variants leave work undone; empty: none.
std::string undone_note(const Comparison& comparison) {
    const std::vector<bool> undone = leave_work_undone(comparison);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < undone.size(); ++i)
        if (undone[i])
            texts.push_back(fmt::format("{} ({})",
                                        comparison.variants[i].label,
                                        unfinished_text(unfinished_jobs(comparison.variants[i]))));
    if (texts.empty())
        return {};
    return fmt::format("work is left undone by {}: costs are for the rest alone",
                       fmt::join(texts, "; "));
}

} // namespace

Document compare_document(const Comparison& comparison,
                          const CompareQuestion& question,
                          std::vector<FigureSection> charts) {
    const bool in_brief = question.detail == CompareDetail::brief;
    const auto [columns, equal, verdicts] = columns_of(comparison, question);
    const bool withheld =
        in_brief ? has_withheld(comparison, columns) : !withheld_notes(comparison).empty();
    Document document;
    document.title = comparison.scenario_name;
    if (auto goal = compare_goal(comparison, question)) {
        document.headline = std::move(goal->sentence);
        document.add_goal(std::move(goal->section));
    }
    document.add(
        Lines{document.has_goal ? "What was run" : "", notes_of(comparison, in_brief, withheld)});
    if (!columns.empty()) {
        document.add(in_brief ? brief_of(comparison, question, columns)
                              : overview_of(comparison, question, columns));
        auto& overview = std::get<ReportTable>(document.blocks.back());
        overview.title = "The variants";
        std::string legend = legend_of(comparison, withheld, verdicts);
        overview.note = other_cost_ranking(comparison, question);
        if (overview.note.empty())
            overview.note = std::move(legend);
        else
            document.add(Lines{"", {std::move(legend)}});
    }
    for (std::string note : {few_jobs_note(comparison, columns), undone_note(comparison)})
        if (!note.empty())
            document.add(Lines{"", {std::move(note)}});
    if (!equal.empty())
        document.add(Lines{"", {"equal for all: " + equal}});
    for (FigureSection& section : charts)
        document.add(std::move(section));
    for (const std::size_t place : rows_of(comparison, question))
        if (place > 0 && !in_brief && !columns.empty())
            document.add(against_base(comparison, comparison.variants[place], columns));
    std::vector<std::string> caveats =
        in_brief ? warning_lines(comparison) : caveat_lines(comparison);
    if (!caveats.empty())
        document.add(Lines{"What this rests on", std::move(caveats)});
    return document;
}

std::optional<GoalAnswer> compare_goal(const Comparison& comparison,
                                       const CompareQuestion& question) {
    if (!question.goal)
        return std::nullopt;
    const ScalarRow& cost = ranked_cost(comparison, question);
    std::vector<std::string> paths;
    for (const auto& setting : comparison.variants.front().settings)
        paths.push_back(setting.first);
    for (const ComparedVariant& variant : comparison.variants)
        if (variant.settings.size() != paths.size()) // a saved file may say so
            paths.clear();
    paths = short_paths(paths);
    std::vector<GoalCandidate> ranked;
    for (const ComparedVariant& variant : comparison.variants) {
        const auto usd = mean_of(variant, cost.name);
        if (!usd)
            continue;
        GoalCandidate& one = ranked.emplace_back();
        one.name = variant.label;
        one.rank = usd;
        one.jobs = unfinished_jobs(variant);
        for (const RepeatedScalar& scalar : variant.values.scalars)
            if (scalar.name == question.goal->metric->name)
                one.by_seed = scalar.by_seed;
        for (std::size_t run = 0; run < one.by_seed.size(); ++run)
            one.seeds.push_back(comparison.first_seed + run);
        for (std::size_t i = 0; i < paths.size(); ++i)
            one.settings.emplace_back(paths[i], variant.settings[i].second);
    }
    std::ranges::stable_sort(ranked, {}, &GoalCandidate::rank);
    return goal_answer(*question.goal, cost, ranked);
}

}} // namespace bursar::reports
