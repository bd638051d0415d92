#include "reports/summary/bill_document.hpp"

#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "reports/bill/bill_table.hpp"
#include "reports/bill/budgets.hpp"
#include "reports/bill/energy.hpp"
#include "reports/bill/purchases.hpp"
#include "reports/document/render.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/summary/bill_tables.hpp"
#include "reports/summary/largest_drain.hpp"
#include "reports/summary/lost_work.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/summary/sentences.hpp"
#include "reports/summary/uncertainty.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

void add(std::vector<NamedSentence>& sentences, std::string_view name, std::string text) {
    if (!text.empty())
        sentences.emplace_back(name, std::move(text));
}

void add_all(std::vector<NamedSentence>& sentences,
             std::string_view name,
             const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
        add(sentences, name, text);
}

ReportRow bill_row(const BillRow& row) {
    return {{row.label,
             grouped_text(row.hours_tenths, 1),
             grouped_text(row.usd_cents, 2),
             grouped_text(row.share_permille, 1) + " %",
             row.note},
            row.is_leaf ? RowKind::under : RowKind::plain};
}

/// Its rows are those of the terminal.
ReportTable table_of(const Result& result, const OutputOptions& options, const BillTable& bill) {
    const std::string by{group_by_names[static_cast<std::size_t>(options.group_by)]};
    ReportTable table{
        {{by, Align::left}, {"GPU-hours"}, {"USD"}, {"share"}, {"leaves, % of paid", Align::left}}};
    const auto add_cost = [&](std::string label, int128 cents, std::string note, RowKind kind) {
        table.rows.push_back(
            {{std::move(label), "", grouped_text(cents, 2), "", std::move(note)}, kind});
    };
    for (const BillRow& row : bill.rows)
        table.rows.push_back(bill_row(row));
    table.rows.push_back(bill_row(bill.paid));
    for (const BillRow& other : bill.other_costs)
        add_cost(other.label, other.usd_cents, "", RowKind::plain);
    const std::optional<RepeatLine> mean = repeated_total(result);
    add_cost(mean ? "total, " + seed_title(result) : "TOTAL",
             bill.total_cents,
             burn_sentence(result),
             mean ? RowKind::plain : RowKind::sum);
    if (mean)
        table.rows.push_back({{"TOTAL", "", mean->mean, "", mean->interval}, RowKind::sum});
    return table;
}

Lines lines_of(std::string title, const std::vector<NamedSentence>& sentences) {
    Lines lines{std::move(title), {}};
    for (const auto& [name, text] : sentences)
        lines.lines.push_back(name.empty() ? text : fmt::format("{}: {}", name, text));
    return lines;
}

/// What is bought, in other currencies and by purchase.
std::vector<NamedSentence> totals(const Result& result, const BillTable& bill) {
    std::vector<NamedSentence> sentences;
    if (result.run.currency)
        add(sentences, "in " + result.run.currency->code, currency_sentence(result));
    add(sentences, "by purchase", purchases_sentence(bill.by_purchase));
    return sentences;
}

void add_tables(const Result& result, const OutputOptions& options, Document& document) {
    if (std::optional<ReportTable> seeds = seeds_table(result)) {
        document.add(Lines{seeds->title, {repeat_sentence(result, *result.repeats)}});
        seeds->title.clear();
        document.add(std::move(*seeds));
    }
    if (std::vector<ReportTable> tables = priced_tables(result, options); !tables.empty()) {
        Lines about{"How it adds up", {std::string{how_it_adds_up}}};
        if (std::string why = why_no_months(result); !why.empty())
            about.lines.push_back(std::move(why));
        document.add(std::move(about));
        for (ReportTable& table : tables)
            document.add(std::move(table));
    }
    for (auto& table : {waits_by_tenant(result, options), costliest_jobs_table(result, options)})
        if (table)
            document.add(*table);
    document.add(metrics_table(result));
    for (ReportTable& view : view_tables(result))
        document.add(std::move(view));
}

} // namespace

std::vector<NamedSentence> headlines(const Result& result, const OutputOptions& options) {
    std::vector<NamedSentence> out;
    if (!options.brief || options.group_by == GroupBy::tenant)
        add(out, "sharing", sharing_sentence(options.share_idle));
    for (const BudgetSentence& budget : budget_sentences(result))
        add(out, budget.is_alert ? "budget alert" : "budget", budget.text);
    add(out, "ratios", goodput_sentence(result));
    add(out, "largest drain", drain_sentence(result));
    add(out, "jobs", jobs_sentence(result));
    add_all(out, "waits", wait_sentences(result));
    add(out, "deadlines", deadline_sentence(result));
    if (!options.brief) {
        add(out, "preemption", preemption_sentence(result));
        add(out, "lost work", lost_work_sentence(result));
        add(out, "placement", placement_sentence(result));
    }
    add_all(out, "warning", result.run.warnings);
    return out;
}

std::vector<NamedSentence> grounds(const Result& result) {
    std::vector<NamedSentence> out;
    add_all(out, "price", price_sentences(result));
    add_all(out, "month", month_sentences(result));
    add_all(out, "energy", energy_sentences(result));
    add_all(out, "uncertain", uncertainty_sentences(result));
    add_all(out, "trace", result.run.trace_notes);
    add_all(out, "assumed", result.run.decisive);
    add_all(out, "assumed", result.run.assumed);
    add_all(out, "not modelled", result.run.unmodelled);
    add(out, "unpriced", unpriced_sentence(result));
    return out;
}

Document bill_document(const Result& result, const OutputOptions& options) {
    const BillTable bill = bill_table(result, options);
    Document document;
    document.title = result.run.scenario_name;
    Lines about{"",
                {span_sentence(result) + "; " + policy_sentence(result), period_sentence(result)}};
    for (const std::string& assumed : result.run.decisive)
        about.lines.push_back("assumed: " + assumed);
    document.add(std::move(about));
    document.add(table_of(result, options, bill));
    if (Lines lines = lines_of("", totals(result, bill)); !lines.lines.empty())
        document.add(std::move(lines));
    std::vector<NamedSentence> first = headlines(result, options);
    if (options.brief) {
        add_all(first, "uncertain", uncertainty_sentences(result));
        add(first, "unpriced", unpriced_sentence(result));
        add(first,
            "",
            fmt::format("{} assumed, {} not modelled: without `--brief` they are named",
                        result.run.assumed.size(),
                        result.run.unmodelled.size()));
        add(first, "", run_sentence(result, options));
        document.add(lines_of("", first));
        return document;
    }
    document.add(lines_of("", first));
    document.add(fleet_table(result));
    add_tables(result, options, document);
    std::vector<NamedSentence> last = grounds(result);
    add(last, "simulated", run_sentence(result, options));
    document.add(lines_of("What this rests on", last));
    return document;
}

void write_markdown(const Result& result, const OutputOptions& options, TextSink& sink) {
    render_markdown(bill_document(result, options), sink);
}

}} // namespace bursar::reports
