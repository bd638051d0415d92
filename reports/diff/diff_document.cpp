#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "reports/compare/comparison.hpp"
#include "reports/diff/diff_figure.hpp"
#include "reports/diff/diff_formats.hpp"
#include "reports/document/render.hpp"
#include "reports/scalars/main_scalars.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t usual_top = 12;

std::string or_dash(const std::string& text) {
    return text.empty() ? "-" : text;
}

ReportTable changes_table(const ResultDiff& diff) {
    ReportTable table{"",
                      "What differs in what was run",
                      {{"what", Align::left}, {"base", Align::left}, {"new", Align::left}}};
    for (const ScenarioChange& change : diff.changes)
        table.rows.push_back({change.what, or_dash(change.base), or_dash(change.fresh)});
    return table;
}

/// The metrics to show, each with its title.
std::vector<std::pair<const DiffMetric*, std::string>> metrics_of(const ResultDiff& diff,
                                                                  const DiffQuestion& question) {
    std::vector<std::pair<const DiffMetric*, std::string>> metrics;
    const auto find = [&](std::string_view name) {
        return &*std::ranges::find_if(diff.metrics,
                                      [&](const DiffMetric& one) { return one.row->name == name; });
    };
    for (const ScalarRow* row : question.metrics)
        metrics.emplace_back(find(row->name), metric_name(*row));
    if (!metrics.empty())
        return metrics;
    for (const MainScalar& one : main_scalars) {
        const DiffMetric* metric = find(one.name);
        const DiffFigure& figure = metric->figure;
        const bool is_nothing = !figure.base && !figure.fresh;
        const bool never_happened = one.is_rare && figure.base == 0 && figure.fresh == 0;
        if (!is_nothing && !never_happened && !one.is_bound)
            metrics.emplace_back(metric, one.title);
    }
    return metrics;
}

/// The metrics that changed; `equal` gets the others.
ReportTable
metrics_table(const ResultDiff& diff, const DiffQuestion& question, std::string& equal) {
    ReportTable table{
        "", "What it changed", {{"metric", Align::left}, {"base"}, {"new"}, {"change"}, {"in %"}}};
    table.columns[4].omit = 1;
    table.columns[1].omit = 2;
    const SeedPairing pairing = pairing_of(*diff.base, *diff.fresh);
    const bool has_intervals = pairing == SeedPairing::paired || pairing == SeedPairing::unpaired;
    if (has_intervals) {
        const std::uint64_t seeds = std::min(diff.base->repeats->n, diff.fresh->repeats->n);
        table.columns.push_back({std::string{interval_title(seeds)}});
        table.columns.back().narrow =
            seeds < enough_seeds ? "95 % interval\n(few seeds)" : "95 % interval";
    }
    for (const auto& [metric, title] : metrics_of(diff, question)) {
        const FigureTexts texts = texts_of(metric->figure, metric->row->kind);
        const bool shows_change = texts.base != texts.fresh; // else the figures shown are equal
        if (!shows_change && !question.all) {
            equal += fmt::format("{}{}: {}", equal.empty() ? "" : "; ", title, texts.base);
            continue;
        }
        ReportRow& row = table.rows.emplace_back(
            ReportRow{title, texts.base, texts.fresh, texts.delta, texts.percent});
        if (has_intervals)
            row.cells.emplace_back(interval_text(*metric));
        if (has_intervals && metric->over_seeds && metric->over_seeds->deciding > 0)
            table.note = deciding_seeds_note;
    }
    return table;
}

/// Mean waits of the measured jobs by tenant, those that changed most; empty for a single tenant.
/// all: also those that did not change.
ReportTable waits_table(const ResultDiff& diff, bool all, std::size_t top) {
    ReportTable table{
        "",
        "Mean wait by tenant" + first_seed_title(*diff.base, *diff.fresh),
        {{"tenant", Align::left}, {"jobs, base"}, {"jobs, new"}, {"base"}, {"new"}, {"change"}}};
    table.columns[1].omit = 1;
    table.columns[2].omit = 2;
    struct Waits {
        std::string tenant;
        std::array<const TenantWait*, 2> side{};
        [[nodiscard]] std::int64_t change() const {
            return side[0] && side[1] ? (side[1]->mean - side[0]->mean).count() : 0;
        }
        [[nodiscard]] bool is_same() const { return side[0] && side[1] && *side[0] == *side[1]; }
    };
    const std::array sides{mean_waits(*diff.base), mean_waits(*diff.fresh)};
    std::vector<Waits> rows;
    for (std::size_t i = 0; i < sides.size(); ++i)
        for (const TenantWait& wait : sides[i]) {
            auto at = std::ranges::find(rows, wait.tenant, &Waits::tenant);
            if (at == rows.end())
                at = rows.insert(at, Waits{wait.tenant, {}});
            at->side[i] = &wait;
        }
    if (rows.size() < 2)
        return table;
    if (!all)
        std::erase_if(rows, [](const Waits& row) { return row.is_same(); });
    std::ranges::stable_sort(
        rows, std::ranges::greater{}, [](const Waits& one) { return std::abs(one.change()); });
    for (const Waits& row : std::span{rows}.first(std::min(rows.size(), top))) {
        ReportRow& cells = table.rows.emplace_back(ReportRow{row.tenant});
        for (const TenantWait* side : row.side)
            cells.cells.emplace_back(side ? std::to_string(side->jobs) : "-");
        for (const TenantWait* side : row.side)
            cells.cells.emplace_back(side ? span_text(side->mean) : "-");
        const std::string change = span_text(Duration{std::abs(row.change())});
        cells.cells.emplace_back(row.change() == 0 ? "-" : (row.change() < 0 ? "-" : "+") + change);
    }
    if (rows.size() > top)
        table.note =
            fmt::format("the {} tenants whose waits changed most, of {}", top, rows.size());
    return table;
}

ReportTable money_table(std::string title, std::string what) {
    ReportTable table{"", std::move(title), {{std::move(what), Align::left}}};
    const auto add = [&](const char* label, const char* narrow, int omit) {
        ReportColumn& column = table.columns.emplace_back(label);
        column.narrow = narrow;
        column.omit = omit;
    };
    add("USD, base", "USD\nbase", 5);
    add("USD, new", "USD\nnew", 0);
    add("change", "change", 0);
    add("in %", "in %", 4);
    add("GPU-hours, base", "GPU-hours\nbase", 1);
    add("GPU-hours, new", "GPU-hours\nnew", 2);
    add("change", "GPU-hours\nchange", 3);
    return table;
}

void add_row(const DiffRow& row, ReportTable& table, RowKind kind = RowKind::plain) {
    const FigureTexts usd = texts_of(row.usd, 2);
    const FigureTexts hours =
        row.gpu_hours.base ? texts_of(row.gpu_hours, 1) : FigureTexts{"", "", "", ""};
    table.rows.push_back({{row.name,
                           usd.base,
                           usd.fresh,
                           usd.delta,
                           usd.percent,
                           hours.base,
                           hours.fresh,
                           hours.delta},
                          kind});
}

bool has_any(const DiffRow& row) {
    return row.usd.base != 0 || row.usd.fresh != 0 || row.gpu_hours.base != 0 ||
           row.gpu_hours.fresh != 0;
}

void add_sums(const DiffRows& rows, ReportTable& table) {
    const auto named = [](DiffRow row, const char* name) {
        row.name = name;
        return row;
    };
    add_row(named(rows.paid, "GPU time"), table);
    for (const DiffRow& row : rows.other)
        add_row(row, table);
    add_row(named(rows.total, "total"), table, RowKind::sum);
}

/// A sum of rows that are not shown one by one.
DiffRow sum_of(std::span<const DiffRow> rows) {
    DiffRow sum{fmt::format("other ({})", rows.size()), false, {0, 0}, {0, 0}};
    for (const DiffRow& row : rows) {
        *sum.usd.base += *row.usd.base;
        *sum.usd.fresh += *row.usd.fresh;
        *sum.gpu_hours.base += *row.gpu_hours.base;
        *sum.gpu_hours.fresh += *row.gpu_hours.fresh;
    }
    return sum;
}

/// The rows in which most dollars changed, the rest in one.
std::vector<DiffRow> largest_changes(std::vector<DiffRow> rows, std::size_t top) {
    const auto change = [](const DiffRow& row) {
        const int128 delta = *row.usd.delta();
        return delta < 0 ? -delta : delta;
    };
    std::ranges::stable_sort(
        rows, [&](const DiffRow& a, const DiffRow& b) { return change(a) > change(b); });
    if (rows.size() <= top + 1)
        return rows;
    const DiffRow rest = sum_of(std::span{rows}.subspan(top));
    rows.resize(top);
    rows.push_back(rest);
    return rows;
}

/// The change of the total, by cause. rows: with causes.
ReportTable causes_table(const DiffRows& rows, const std::string& of_seed) {
    ReportTable table{"",
                      "Why the total changed" + of_seed,
                      {{"cause", Align::left}, {"base"}, {"new"}, {"change of the total, USD"}}};
    table.columns[3].narrow = "change,\nUSD";
    const auto effect = [](int128 cents) { return texts_of(DiffFigure{0, cents}, 2).delta; };
    const auto add = [&](std::string name, const DiffCause& cause, unsigned places) {
        const auto shown = [&](double value) {
            return grouped_text(std::llround(value * std::pow(10, places)), places);
        };
        table.rows.push_back(
            {{std::move(name), shown(cause.base), shown(cause.fresh), effect(cause.usd)}});
    };
    const DiffCauses& causes = *rows.causes;
    add(causes.is_at_reference_speed ? "volume: GPU-hours of finished work"
                                     : "volume: productive GPU-hours",
        causes.volume,
        1);
    add("efficiency: paid GPU-hours for each of them", causes.efficiency, 3);
    add("price: USD per paid GPU-hour", causes.price, 4);
    if (!rows.other.empty())
        table.rows.push_back({{"other charges", "", "", effect(causes.other_usd)}});
    const FigureTexts total = texts_of(rows.total.usd, 2);
    table.rows.push_back({{"total, USD", total.base, total.fresh, total.delta}, RowKind::sum});
    return table;
}

void add_money(const ResultDiff& diff, const DiffQuestion& question, Document& document) {
    const DiffRows rows = shown_rows(*diff.base, *diff.fresh);
    const std::string of_seed = first_seed_title(*diff.base, *diff.fresh);
    if (rows.causes && (!rows.total.is_same() || question.all))
        document.add(causes_table(rows, of_seed));
    ReportTable leaves = money_table("Where it went" + of_seed, "leaf");
    for (const DiffRow& row : rows.leaves)
        if (row.is_leaf ? !row.is_same() || question.all : has_any(row) || question.all)
            add_row(row, leaves, row.is_leaf ? RowKind::under : RowKind::plain);
    ReportTable pools = money_table("By pool" + of_seed, "pool");
    for (const DiffRow& row : rows.pools)
        add_row(row, pools);
    ReportTable tenants = money_table("By tenant" + of_seed, "tenant");
    const std::size_t top = question.all ? rows.tenants.size() : question.top.value_or(usual_top);
    for (const DiffRow& row : largest_changes(rows.tenants, top))
        if (has_any(row) || question.all)
            add_row(row, tenants);
    for (ReportTable* table : {&leaves, &pools, &tenants}) {
        add_sums(rows, *table);
        document.add(std::move(*table));
    }
}

constexpr std::array all_diff_outputs{
    DiffOutput{"table", "diff.txt", write_diff_table},
    DiffOutput{"json", "diff.json", write_diff_json},
    DiffOutput{"markdown", "diff.md", write_diff_markdown},
    DiffOutput{"html", "diff.html", write_diff_html},
};

} // namespace

Document diff_document(const ResultDiff& diff,
                       const DiffQuestion& question,
                       std::vector<FigureSection> charts) {
    Document document;
    document.title = fmt::format("{} against {}", diff.fresh_name, diff.base_name);
    Lines notes;
    for (const FailIf& condition : question.fail_if) {
        const FailIfAnswer answer = answer_of(condition, diff);
        notes.lines.push_back(fmt::format(
            "{} {}: {}", answer.is_failed ? "FAILED" : "passed", answer.text, answer.reason));
    }
    for (const std::string& note : diff.notes)
        notes.lines.push_back("note: " + note);
    std::string equal;
    ReportTable metrics = metrics_table(diff, question, equal);
    if (!notes.lines.empty())
        document.add(std::move(notes));
    if (!diff.changes.empty())
        document.add(changes_table(diff));
    for (FigureSection& section : charts)
        document.add(std::move(section));
    if (!metrics.rows.empty())
        document.add(std::move(metrics));
    if (!equal.empty())
        document.add(Lines{"", {"equal: " + equal}});
    add_money(diff, question, document);
    const std::size_t most = std::max(diff.base->tenants.size(), diff.fresh->tenants.size());
    ReportTable waits =
        waits_table(diff, question.all, question.all ? 2 * most : question.top.value_or(usual_top));
    if (!waits.rows.empty())
        document.add(std::move(waits));
    return document;
}

std::span<const DiffOutput> diff_outputs() {
    return all_diff_outputs;
}

void write_diff_table(const ResultDiff& diff,
                      const DiffQuestion& question,
                      std::size_t terminal,
                      TextSink& sink) {
    render_terminal(diff_document(diff, question), terminal, sink);
}

void write_diff_markdown(const ResultDiff& diff,
                         const DiffQuestion& question,
                         std::size_t,
                         TextSink& sink) {
    render_markdown(diff_document(diff, question), sink);
}

}} // namespace bursar::reports
