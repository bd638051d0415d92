#include "reports/summary/bill_document.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/bill/bill_table.hpp"
#include "reports/bill/budgets.hpp"
#include "reports/bill/energy.hpp"
#include "reports/bill/fleet.hpp"
#include "reports/bill/purchases.hpp"
#include "reports/document/render.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/summary/largest_drain.hpp"
#include "reports/summary/lost_work.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/summary/sentences.hpp"
#include "reports/summary/stopped_trials.hpp"
#include "reports/summary/uncertainty.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Adds a sentence and its subject, unless it is empty.
void add(Facts& facts, std::string_view subject, std::string sentence) {
    if (!sentence.empty())
        facts.values.push_back({"", std::string{subject}, std::move(sentence), "", ""});
}

void add(Facts& facts, std::string_view subject, const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences)
        add(facts, subject, sentence);
}

/// Adds the sentences: to a terminal, which is narrow, as lines.
void add(Document& document, Facts facts, BillExtent extent) {
    if (facts.values.empty())
        return;
    if (extent != BillExtent::sentences)
        return document.add(std::move(facts));
    Lines lines{std::move(facts.title), {}};
    for (const Fact& fact : facts.values)
        lines.lines.push_back(fmt::format("{}: {}", fact.label, std::get<std::string>(fact.value)));
    document.add(std::move(lines));
}

/// The total and its rate per hour; of several seeds their mean and its interval.
std::string headline_of(const Result& result, const BillTable& bill) {
    const std::optional<RepeatLine> mean = repeated_total(result);
    const std::string note = mean ? mean->interval : burn_sentence(result);
    return fmt::format("{} USD{}{}",
                       mean ? mean->mean : grouped_text(bill.total_cents, 2),
                       note.empty() ? "" : ", ",
                       note);
}

/// What the rows are; of several seeds, of which one.
std::string heading_of(const Result& result, const OutputOptions& options) {
    constexpr std::array<std::string_view, group_by_names.size()> titles{"where it went",
                                                                         "by leaf",
                                                                         "by pool",
                                                                         "by tenant",
                                                                         "by purchase",
                                                                         "by GPU type",
                                                                         "by month"};
    const std::string title{titles[static_cast<std::size_t>(options.group_by)]};
    return repeated_total(result) ? title + ", " + seed_title(result) : title;
}

ReportTable table_of(const Result& result, const OutputOptions& options, const BillTable& bill) {
    const bool is_free = bill.paid.cost == Money{};
    ReportTable table{{{heading_of(result, options), Align::left},
                       {"GPU-hours"},
                       {"% of GPU-hours"},
                       {"USD"},
                       {"% of USD"},
                       {is_free ? "leaves, % of GPU-hours" : "leaves, % of USD", Align::left}}};
    table.columns[2].narrow = "GPU-hours, %";
    table.columns[4].narrow = "USD, %";
    table.columns.back().narrow = table.columns.back().label; // on one line
    const auto add_row = [&](const BillRow& row, RowKind kind) {
        table.rows.push_back({{row.label,
                               grouped_text(row.hours_tenths, 1),
                               grouped_text(row.hours_permille, 1),
                               grouped_text(row.usd_cents, 2),
                               grouped_text(row.usd_permille, 1),
                               row.note},
                              kind});
    };
    const auto add_cost = [&](std::string label, std::string usd, RowKind kind) {
        table.rows.push_back({{std::move(label), "", "", std::move(usd), "", ""}, kind});
    };
    for (const BillRow& row : bill.rows)
        add_row(row, row.is_leaf ? RowKind::under : RowKind::plain);
    add_row(bill.paid, RowKind::sum);
    for (const BillRow& other : bill.other_costs)
        add_cost(other.label, grouped_text(other.usd_cents, 2), RowKind::plain);
    const std::optional<RepeatLine> mean = repeated_total(result);
    add_cost(mean ? "total, " + seed_title(result) : "TOTAL",
             grouped_text(bill.total_cents, 2),
             RowKind::sum);
    if (mean)
        add_cost("TOTAL, mean", mean->mean, RowKind::sum);
    if (!bill.empty_groups.empty())
        table.note = fmt::format("no time in {}", fmt::join(bill.empty_groups, ", "));
    return without_empty_columns(std::move(table));
}

/// What is as uncertain as the models that timed jobs. Over several seeds, the interval of the
/// total has their error.
void add_uncertain(const Result& result, Facts& facts) {
    add(facts, "uncertain", uncertainty_sentences(result));
    if (result.modelled.empty() || repeated_total(result))
        return;
    const std::optional<double> error = modelled_error_usd(result);
    if (!error)
        add(facts, "uncertain", "TOTAL: its error from modelled run times is not known");
    else if (*error > 0)
        add(facts,
            "uncertain",
            fmt::format("TOTAL +- {} USD in 95 % of cases, 1.53 times the larger side of the 80 % "
                        "ranges",
                        grouped_text(static_cast<int128>(std::llround(*error * 100)), 2)));
}

/// What is bought, in other currencies and by purchase, and what came of it.
Facts findings(const Result& result,
               const OutputOptions& options,
               BillExtent extent,
               const BillTable& bill) {
    const bool in_brief = extent == BillExtent::brief;
    Facts facts{"", in_brief ? "" : "Summary", {}};
    if (result.run.currency)
        add(facts, "in " + result.run.currency->code, currency_sentence(result));
    if (extent == BillExtent::sentences)
        for (const FleetRow& pool : fleet_rows(result))
            add(facts, "fleet", fleet_sentence(result, pool));
    add(facts, "by purchase", purchases_sentence(bill.by_purchase));
    if (extent == BillExtent::full || options.group_by == GroupBy::tenant)
        add(facts, "sharing", sharing_sentence(options.share_idle));
    for (const BudgetSentence& budget : budget_sentences(result))
        add(facts, budget.is_alert ? "budget alert" : "budget", budget.text);
    add(facts, "ratios", goodput_sentence(result));
    add(facts, "largest drain", drain_sentence(result));
    add(facts, "jobs", jobs_sentence(result));
    add(facts, "waits", wait_sentences(result));
    add(facts, "deadlines", deadline_sentence(result));
    add(facts, "trials", stopped_trials_sentence(result));
    add(facts, "staging", staging_sentence(result));
    if (!in_brief) {
        add(facts, "preemption", preemption_sentence(result));
        add(facts, "lost work", lost_work_sentence(result));
        add(facts, "placement", placement_sentence(result));
    }
    add(facts, "warning", result.run.warnings);
    if (in_brief) {
        add_uncertain(result, facts);
        add(facts, "unpriced", unpriced_sentence(result));
        add(facts,
            "left out",
            fmt::format("{} assumed, {} not modelled: without `--brief` they are named",
                        result.run.assumed.size(),
                        result.run.unmodelled.size()));
    }
    return facts;
}

/// On what the figures rest, and what they leave out.
Facts grounds(const Result& result) {
    Facts facts{"", "What this rests on", {}};
    add(facts, "price", price_sentences(result));
    add(facts, "month", month_sentences(result));
    add(facts, "energy", energy_sentences(result));
    add_uncertain(result, facts);
    add(facts, "trace", result.run.trace_notes);
    add(facts, "assumed", result.run.assumed);
    add(facts, "not modelled", result.run.unmodelled);
    add(facts, "unpriced", unpriced_sentence(result));
    return facts;
}

void add_seeds(const Result& result, Document& document) {
    if (std::optional<ReportTable> seeds = seeds_table(result)) {
        document.add(Lines{seeds->title, {repeat_sentence(result, *result.repeats)}});
        seeds->title.clear();
        document.add(std::move(*seeds));
    }
}

void add_tables(const Result& result, const OutputOptions& options, Document& document) {
    document.add(fleet_table(result));
    add_seeds(result, document);
    if (std::vector<ReportTable> tables = priced_tables(result, options); !tables.empty()) {
        Lines about{"How it adds up", {std::string{how_it_adds_up}}};
        if (std::string why = why_no_months(result); !why.empty())
            about.lines.push_back(std::move(why));
        document.add(std::move(about));
        std::ranges::move(tables, std::back_inserter(document.blocks));
    }
    for (auto& table : {waits_by_tenant(result, options), costliest_jobs_table(result, options)})
        if (table)
            document.add(*table);
    document.add(metrics_table(result));
    std::ranges::move(view_tables(result), std::back_inserter(document.blocks));
}

} // namespace

Document bill_document(const Result& result,
                       const OutputOptions& options,
                       BillExtent extent,
                       std::vector<FigureSection> charts) {
    const BillTable bill = bill_table(result, options);
    Document document;
    document.title = result.run.scenario_name;
    document.headline = headline_of(result, bill);
    Lines about{"", {span_sentence(result) + "; " + policy_sentence(result)}};
    if (extent != BillExtent::sentences)
        about.lines.push_back(period_sentence(result));
    for (const std::string& assumed : result.run.decisive)
        about.lines.push_back("assumed: " + assumed);
    document.add(std::move(about));
    document.add(table_of(result, options, bill));
    Facts first = findings(result, options, extent, bill);
    Facts last = extent == BillExtent::brief ? Facts{} : grounds(result);
    add(extent == BillExtent::brief ? first : last, "simulated", run_sentence(result, options));
    add(document, std::move(first), extent);
    std::ranges::move(charts, std::back_inserter(document.blocks));
    if (extent == BillExtent::sentences)
        add_seeds(result, document);
    if (extent == BillExtent::full)
        add_tables(result, options, document);
    add(document, std::move(last), extent);
    return document;
}

void write_terminal_table(const Result& result, const OutputOptions& options, TextSink& sink) {
    render_terminal(
        bill_document(result, options, BillExtent::sentences), options.width, sink, options.colour);
}

void write_markdown(const Result& result, const OutputOptions& options, TextSink& sink) {
    render_markdown(
        bill_document(result, options, options.brief ? BillExtent::brief : BillExtent::full), sink);
}

}} // namespace bursar::reports
