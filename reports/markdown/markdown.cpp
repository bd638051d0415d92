#include "reports/markdown/markdown.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "reports/bill/bill_table.hpp"
#include "reports/bill/budgets.hpp"
#include "reports/bill/energy.hpp"
#include "reports/bill/fleet.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/purchases.hpp"
#include "reports/markdown/markdown_table.hpp"
#include "reports/markdown/priced_tables.hpp"
#include "reports/metrics/metric_table.hpp"
#include "reports/summary/largest_drain.hpp"
#include "reports/summary/lost_work.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/summary/sentences.hpp"
#include "reports/summary/uncertainty.hpp"
#include "reports/summary/views.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/instant.hpp"

namespace bursar::inline reports {
namespace {

/// One paragraph or list item without line breaks of its own.
void put_line(TextSink& sink, std::string_view before, std::string_view text) {
    sink.put(before);
    sink.put(markdown_cell(text));
    sink.put('\n');
}

std::vector<std::string> bill_row(const BillRow& row) {
    return {(row.is_leaf ? "&nbsp;&nbsp;" : "") + markdown_cell(row.label),
            grouped_text(row.hours_tenths, 1),
            grouped_text(row.usd_cents, 2),
            grouped_text(row.share_permille, 1) + " %",
            markdown_cell(row.note)};
}

void put_bill(TextSink& sink, const Result& result, const OutputOptions& options) {
    const BillTable table = bill_table(result, options);
    const std::array columns{
        MarkdownColumn{group_by_names[static_cast<std::size_t>(options.group_by)], true},
        MarkdownColumn{"GPU-hours"},
        MarkdownColumn{"USD"},
        MarkdownColumn{"share"},
        MarkdownColumn{"leaves, % of paid", true}};
    const auto put_cost = [&](std::string label, int128 cents, std::string_view note) {
        put_markdown_row(sink,
                         {std::move(label), "", grouped_text(cents, 2), "", markdown_cell(note)});
    };
    put_markdown_header(sink, columns);
    for (const BillRow& row : table.rows)
        put_markdown_row(sink, bill_row(row));
    put_markdown_row(sink, bill_row(table.paid));
    for (const BillRow& other : table.other_costs)
        put_cost(markdown_cell(other.label), other.usd_cents, "");
    const std::optional<RepeatLine> mean = repeated_total(result);
    put_cost(mean ? "total, " + seed_title(result) : "**TOTAL**",
             table.total_cents,
             burn_sentence(result));
    if (mean)
        put_markdown_row(sink, {"**TOTAL**", "", mean->mean, "", markdown_cell(mean->interval)});
    if (const std::string totals = currency_sentence(result); !totals.empty())
        put_line(
            sink, "\nIn " + markdown_cell(result.run.currency->code) + ": ", markdown_cell(totals));
    if (const std::string bought = purchases_sentence(table.by_purchase); !bought.empty())
        put_line(sink, "\nBy purchase: ", bought);
}

void put_fleet(TextSink& sink, const Result& result) {
    put_markdown_header(sink,
                        std::array{MarkdownColumn{"pool", true},
                                   MarkdownColumn{"nodes", true},
                                   MarkdownColumn{"on average"},
                                   MarkdownColumn{"GPUs per node"},
                                   MarkdownColumn{"type", true},
                                   MarkdownColumn{"purchase", true},
                                   MarkdownColumn{"region", true},
                                   MarkdownColumn{"USD per GPU-hour"},
                                   MarkdownColumn{"GPU-hours"},
                                   MarkdownColumn{"from", true},
                                   MarkdownColumn{"to", true},
                                   MarkdownColumn{"what befell nodes", true}});
    for (const FleetRow& row : fleet_rows(result))
        put_markdown_row(
            sink,
            {markdown_cell(row.pool->name),
             nodes_text(*row.pool),
             mean_nodes_text(result, row),
             grouped_text(std::int64_t{row.pool->gpus_per_node}, 0),
             markdown_cell(row.pool->gpu),
             std::string{purchase_titles[static_cast<std::size_t>(row.pool->purchase)]},
             markdown_cell(row.pool->region),
             price_text(row, ""),
             gpu_hours_text(row),
             readable_instant(result.zero_utc_ms, row.from),
             readable_instant(result.zero_utc_ms, row.to),
             node_events_text(result, *row.pool)});
    sink.put('\n');
}

void put_repeats(TextSink& sink, const Result& result, const Repeats& repeats) {
    put_line(sink, "\n", repeat_sentence(result, repeats) + ".");
    sink.put('\n');
    put_markdown_header(sink,
                        std::array{MarkdownColumn{"over the seeds", true},
                                   MarkdownColumn{"mean"},
                                   MarkdownColumn{"95 % interval"}});
    for (const RepeatLine& line : repeat_lines(repeats))
        put_markdown_row(sink, {line.title, line.mean, line.interval});
}

void put_metrics(TextSink& sink, const Result& result) {
    std::vector<MarkdownColumn> columns{{"metric", true}};
    std::vector<std::vector<std::string>> rows;
    for (const MetricEntry& entry : metric_table()) {
        const auto* row = std::get_if<DistributionRow>(&entry);
        if (row == nullptr)
            continue;
        const std::vector<DistributionFigure> all = figures(*row, result.metrics);
        if (columns.size() == 1)
            for (const DistributionFigure& figure : all)
                columns.push_back({figure.name});
        const bool says_nothing = row->is_bound && result.metrics.jobs_censored == 0;
        if ((result.metrics.*row->values).count == 0 || says_nothing)
            continue;
        const std::string_view unit = unit_of(row->kind());
        std::vector<std::string>& cells = rows.emplace_back();
        cells.push_back(std::string{row->title} + (unit.empty() ? "" : ", ") + std::string{unit});
        for (const DistributionFigure& figure : all)
            cells.push_back(figure.micro ? micro_text(*figure.micro) : "");
    }
    sink.put('\n');
    put_markdown_header(sink, columns);
    for (const std::vector<std::string>& cells : rows)
        put_markdown_row(sink, cells);
}

void put_views(TextSink& sink, const Result& result) {
    const PrintedBill bill = print_bill(result);
    for (const LeafView& view : leaf_views) {
        sink.put('\n');
        put_markdown_header(
            sink, std::array{MarkdownColumn{view.title, true}, MarkdownColumn{"GPU-hours"}});
        for (const ViewRow& row : view.rows)
            put_markdown_row(sink, {markdown_cell(row.name), micro_text(row.sum(bill.leaf_hours))});
    }
}

void put_list(TextSink& sink, std::string_view title, const std::vector<std::string>& items) {
    for (const std::string& item : items)
        put_line(sink, "- " + std::string{title} + ": ", item);
}

/// What one reads first below the bill, in full or in brief.
void put_first_lines(TextSink& sink, const Result& result) {
    for (const BudgetSentence& budget : budget_sentences(result))
        put_list(sink, budget.is_alert ? "budget alert" : "budget", {budget.text});
    put_line(sink, "- ", goodput_sentence(result));
    if (const std::string drain = drain_sentence(result); !drain.empty())
        put_list(sink, "largest drain", {drain});
    put_line(sink, "- ", jobs_sentence(result));
}

/// What stands below a bill in brief: for a comment or a message.
void put_brief_lines(TextSink& sink, const Result& result, const OutputOptions& options) {
    put_first_lines(sink, result);
    for (const std::string& felt : felt_sentences(result))
        put_line(sink, "- ", felt);
    if (const std::string deadlines = deadline_sentence(result); !deadlines.empty())
        put_line(sink, "- deadlines: ", deadlines);
    put_list(sink, "uncertain", uncertainty_sentences(result));
    put_list(sink, "warning", result.run.warnings);
    if (const std::string unpriced = unpriced_sentence(result); !unpriced.empty())
        put_list(sink, "unpriced", {unpriced});
    put_line(sink,
             "- ",
             fmt::format("{} assumed, {} not modelled: without `--brief` they are named",
                         result.run.assumed.size(),
                         result.run.unmodelled.size()));
    put_line(sink, "- ", run_sentence(result, options));
}

} // namespace

void write_markdown(const Result& result, const OutputOptions& options, TextSink& sink) {
    put_line(sink, "# ", result.run.scenario_name);
    sink.put('\n');
    put_line(sink, "", span_sentence(result) + "; " + policy_sentence(result));
    put_line(sink, "\n", period_sentence(result));
    sink.put('\n');
    if (!result.run.decisive.empty()) {
        put_list(sink, "assumed", result.run.decisive);
        sink.put('\n');
    }
    put_bill(sink, result, options);
    sink.put('\n');
    if (options.brief)
        return put_brief_lines(sink, result, options);
    put_fleet(sink, result);
    if (const std::string sharing = sharing_sentence(options); !sharing.empty())
        put_line(sink, "- ", sharing);
    put_first_lines(sink, result);
    if (const std::string deadlines = deadline_sentence(result); !deadlines.empty())
        put_line(sink, "- deadlines: ", deadlines);
    if (const std::string preemptions = preemption_sentence(result); !preemptions.empty())
        put_line(sink, "- ", preemptions);
    if (const std::string lost = lost_work_sentence(result); !lost.empty())
        put_line(sink, "- lost work: ", lost);
    if (const std::string placement = placement_sentence(result); !placement.empty())
        put_line(sink, "- ", placement);
    put_list(sink, "energy", energy_sentences(result));
    put_list(sink, "price", price_sentences(result));
    put_list(sink, "uncertain", uncertainty_sentences(result));
    put_list(sink, "trace", result.run.trace_notes);
    put_list(sink, "warning", result.run.warnings);
    put_list(sink, "assumed", result.run.assumed);
    put_list(sink, "not modelled", result.run.unmodelled);
    if (const std::string unpriced = unpriced_sentence(result); !unpriced.empty())
        put_list(sink, "unpriced", {unpriced});
    put_line(sink, "- ", run_sentence(result, options));
    if (result.repeats)
        put_repeats(sink, result, *result.repeats);
    put_priced_tables(sink, result, options);
    put_waits_by_tenant(sink, result, options);
    put_costliest_jobs(sink, result, options);
    sink.put("\n## Metrics\n");
    put_metrics(sink, result);
    put_views(sink, result);
}

} // namespace bursar::inline reports
