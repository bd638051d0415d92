#include "reports/diff/diff_view.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "reports/diff/diff_text.hpp"
#include "reports/scalars/main_scalars.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t usual_top = 12;

std::string or_dash(const std::string& text) {
    return text.empty() ? "-" : text;
}

ViewTable changes_table(const ResultDiff& diff) {
    ViewTable table{"What differs in what was run",
                    {"", "base", "new"},
                    {"what", "base", "new"},
                    {},
                    true,
                    1,
                    {}};
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

void add_metrics(const ResultDiff& diff, const DiffQuestion& question, DiffView& view) {
    view.metrics = {"What it changed",
                    {"", "base", "new", "change", "in %"},
                    {"metric", "base", "new", "change", "in %"},
                    {},
                    false,
                    1,
                    {4, 1}};
    const SeedPairing pairing = pairing_of(*diff.base, *diff.fresh);
    const bool has_intervals = pairing == SeedPairing::paired || pairing == SeedPairing::unpaired;
    if (has_intervals) {
        view.metrics.header.emplace_back("95 % interval");
        view.metrics.titles.emplace_back("95 % interval");
    }
    for (const auto& [metric, title] : metrics_of(diff, question)) {
        const FigureTexts texts = texts_of(metric->figure, metric->row->kind);
        const bool shows_change = texts.base != texts.fresh; // else no figure tells them apart
        if (!shows_change && !question.all) {
            view.equal +=
                fmt::format("{}{}: {}", view.equal.empty() ? "" : "; ", title, texts.base);
            continue;
        }
        auto& row = view.metrics.rows.emplace_back();
        row = {title, texts.base, texts.fresh, texts.delta, texts.percent};
        if (has_intervals)
            row.push_back(interval_text(*metric));
    }
}

ViewTable money_table(std::string title, std::string what) {
    return {std::move(title),
            {"",
             "USD\nbase",
             "USD\nnew",
             "\nchange",
             "\nin %",
             "GPU-hours\nbase",
             "GPU-hours\nnew",
             "GPU-hours\nchange"},
            {std::move(what),
             "USD, base",
             "USD, new",
             "change",
             "in %",
             "GPU-hours, base",
             "GPU-hours, new",
             "change"},
            {},
            false,
            1,
            {5, 6, 7, 4, 1}};
}

void add_row(const DiffRow& row, ViewTable& table, std::string name) {
    const FigureTexts usd = texts_of(row.usd, 2);
    const FigureTexts hours =
        row.gpu_hours.base ? texts_of(row.gpu_hours, 1) : FigureTexts{"", "", "", ""};
    table.rows.push_back({std::move(name),
                          usd.base,
                          usd.fresh,
                          usd.delta,
                          usd.percent,
                          hours.base,
                          hours.fresh,
                          hours.delta});
}

bool has_any(const DiffRow& row) {
    return row.usd.base != 0 || row.usd.fresh != 0 || row.gpu_hours.base != 0 ||
           row.gpu_hours.fresh != 0;
}

void add_sums(const DiffRows& rows, ViewTable& table) {
    add_row(rows.paid, table, "GPU time");
    for (const DiffRow& row : rows.other)
        add_row(row, table, row.name);
    add_row(rows.total, table, "total");
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

void add_money(const ResultDiff& diff, const DiffQuestion& question, DiffView& view) {
    const DiffRows rows = shown_rows(*diff.base, *diff.fresh);
    const std::string of_seed = first_seed_title(*diff.base, *diff.fresh);
    ViewTable leaves = money_table("Where it went" + of_seed, "leaf");
    for (const DiffRow& row : rows.leaves) {
        if (row.is_leaf ? !row.is_same() || question.all : has_any(row) || question.all)
            add_row(row, leaves, (row.is_leaf ? "  " : "") + row.name);
    }
    add_sums(rows, leaves);
    view.money.push_back(std::move(leaves));
    ViewTable pools = money_table("By pool" + of_seed, "pool");
    for (const DiffRow& row : rows.pools)
        add_row(row, pools, row.name);
    add_sums(rows, pools);
    view.money.push_back(std::move(pools));
    ViewTable tenants = money_table("By tenant" + of_seed, "tenant");
    const std::size_t top = question.all ? rows.tenants.size() : question.top.value_or(usual_top);
    for (const DiffRow& row : largest_changes(rows.tenants, top))
        if (has_any(row) || question.all)
            add_row(row, tenants, row.name);
    add_sums(rows, tenants);
    view.money.push_back(std::move(tenants));
}

} // namespace

std::vector<const ViewTable*> DiffView::tables() const {
    std::vector<const ViewTable*> all{&metrics};
    for (const ViewTable& table : money)
        all.push_back(&table);
    return all;
}

DiffView view_of(const ResultDiff& diff, const DiffQuestion& question) {
    DiffView view;
    view.title = fmt::format("{} against {}", diff.fresh_name, diff.base_name);
    view.notes = diff.notes;
    for (const FailIf& condition : question.fail_if)
        view.answers.push_back(answer_of(condition, diff));
    view.changes = changes_table(diff);
    add_metrics(diff, question, view);
    add_money(diff, question, view);
    return view;
}

}} // namespace bursar::reports
