#include "reports/markdown/markdown.hpp"

#include "reports/bill/bill_table.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/summary/figures.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/summary/sentences.hpp"
#include "reports/summary/views.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar {
namespace {

/// One paragraph or list item without line breaks of its own.
void put_line(TextSink& sink, std::string_view before, std::string_view text) {
    sink.put(before);
    sink.put(markdown_cell(text));
    sink.put('\n');
}

void put_bill_row(TextSink& sink, const BillRow& row) {
    sink.put("| ");
    sink.put(row.is_leaf ? "&nbsp;&nbsp;" : "");
    sink.put(markdown_cell(row.label));
    sink.put(" | " + grouped_text(row.hours_tenths, 1) + " | " + grouped_text(row.usd_cents, 2) +
             " | " + grouped_text(row.share_permille, 1) + " % | ");
    sink.put(markdown_cell(row.note));
    sink.put(" |\n");
}

void put_cost_row(TextSink& sink, std::string_view label, int128 cents, std::string_view note) {
    sink.put("| ");
    sink.put(label);
    sink.put(" | | " + grouped_text(cents, 2) + " | | ");
    sink.put(markdown_cell(note));
    sink.put(" |\n");
}

void put_bill(TextSink& sink, const Result& result, const OutputOptions& options) {
    const BillTable table = bill_table(result, options);
    const std::size_t group_by = static_cast<std::size_t>(options.group_by);
    sink.put("| ");
    sink.put(group_by_names[group_by]);
    sink.put(" | GPU-hours | USD | share | of which % of paid |\n|---|--:|--:|--:|---|\n");
    for (const BillRow& row : table.rows)
        put_bill_row(sink, row);
    put_bill_row(sink, table.paid);
    for (const BillRow& other : table.other_costs)
        put_cost_row(sink, markdown_cell(other.label), other.usd_cents, "");
    put_cost_row(sink, "**TOTAL**", table.total_cents, burn_sentence(result));
}

void put_repeats(TextSink& sink, const Repeats& repeats) {
    put_line(sink, "\n", repeat_sentence(repeats) + ".");
    sink.put("\n| over the seeds | mean | 95 % interval |\n|---|--:|--:|\n");
    for (const RepeatLine& line : repeat_lines(repeats))
        sink.put("| " + line.title + " | " + line.mean + " | " + line.interval + " |\n");
}

void put_metrics(TextSink& sink, const Result& result) {
    sink.put("\n| metric |");
    for (const std::string_view name : figure_names) {
        sink.put(' ');
        sink.put(name);
        sink.put(" |");
    }
    sink.put("\n|---|--:|--:|--:|--:|--:|\n");
    for (const NamedDistribution& named : distributions) {
        const auto printed = figures(named, result.metrics);
        if (!printed)
            continue;
        sink.put("| ");
        sink.put(named.title);
        sink.put(named.unit == FigureUnit::milliseconds ? ", s |" : " |");
        for (const PrintedFigure& figure : *printed) {
            sink.put(' ');
            sink.put_micro(figure.micro);
            sink.put(" |");
        }
        sink.put('\n');
    }
}

void put_views(TextSink& sink, const Result& result) {
    const PrintedBill bill = print_bill(result);
    for (const LeafView& view : leaf_views) {
        sink.put("\n| ");
        sink.put(view.title);
        sink.put(" | GPU-hours |\n|---|--:|\n");
        for (const ViewRow& row : view.rows) {
            sink.put("| ");
            sink.put(markdown_cell(row.name));
            sink.put(" | ");
            sink.put_micro(row.sum(bill.leaf_hours));
            sink.put(" |\n");
        }
    }
}

void put_list(TextSink& sink, std::string_view title, const std::vector<std::string>& items) {
    for (const std::string& item : items)
        put_line(sink, "- " + std::string{title} + ": ", item);
}

} // namespace

void write_markdown(const Result& result, const OutputOptions& options, TextSink& sink) {
    put_line(sink, "# ", result.run.scenario_name);
    sink.put('\n');
    put_line(sink, "", span_sentence(result) + "; " + policy_sentence(result));
    sink.put('\n');
    put_bill(sink, result, options);
    sink.put('\n');
    if (const std::string sharing = sharing_sentence(options); !sharing.empty())
        put_line(sink, "- ", sharing);
    put_line(sink, "- ", goodput_sentence(result));
    put_line(sink, "- ", jobs_sentence(result));
    if (const std::string preemptions = preemption_sentence(result); !preemptions.empty())
        put_line(sink, "- ", preemptions);
    if (const std::string placement = placement_sentence(result); !placement.empty())
        put_line(sink, "- ", placement);
    put_list(sink, "trace", result.run.trace_notes);
    put_list(sink, "warning", result.run.warnings);
    put_list(sink, "assumed", result.run.assumed);
    put_list(sink, "not modelled", result.run.unmodelled);
    if (const std::string unpriced = unpriced_sentence(result); !unpriced.empty())
        put_list(sink, "unpriced", {unpriced});
    put_line(sink, "- ", run_sentence(result, options));
    if (result.repeats)
        put_repeats(sink, *result.repeats);
    put_metrics(sink, result);
    put_views(sink, result);
}

} // namespace bursar
