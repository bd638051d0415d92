#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "reports/charts/bar_chart.hpp"
#include "reports/charts/chart_data.hpp"
#include "reports/diff/diff_formats.hpp"
#include "reports/diff/diff_text.hpp"
#include "reports/html/answer_html.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/page.hpp"
#include "reports/html/page_script.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t steps_of_change = 4;

double usd_of(int128 cents) {
    return static_cast<double>(cents) / 100;
}

std::string change_sentence(const DiffRow& total) {
    const FigureTexts texts = texts_of(total.usd, 2);
    return fmt::format(
        "From {} USD to {} USD: {} USD ({}).", texts.base, texts.fresh, texts.delta, texts.percent);
}

/// What each leaf group, and each other cost, adds to the change of the total or takes off it.
Figure steps_figure(const DiffRows& rows) {
    Figure figure{{"steps", "What makes the total another one?", change_sentence(rows.total)},
                  {},
                  {{{"what", true}, {"USD, base"}, {"USD, new"}, {"change"}}, {}},
                  {}};
    BarChart chart{figure.title, {}, {}};
    int128 at = 0;
    int128 least = 0;
    int128 most = 0;
    const auto add = [&](const DiffRow& row, std::string colour) {
        const FigureTexts texts = texts_of(row.usd, 2);
        figure.table.rows.push_back(
            {{row.name, texts.base, texts.fresh, texts.delta}, HtmlRowKind::plain});
        const int128 next = at + *row.usd.delta();
        if (next != at)
            chart.bars.push_back({row.name,
                                  texts.delta + " USD",
                                  std::move(colour),
                                  usd_of(std::min(at, next)),
                                  usd_of(std::max(at, next))});
        at = next;
        least = std::min(least, at);
        most = std::max(most, at);
    };
    for (const DiffRow& row : rows.leaves)
        if (!row.is_leaf && (row.usd.base != 0 || row.usd.fresh != 0))
            add(row, colour_of_group(row.name));
    for (const DiffRow& row : rows.other)
        add(row, "other");
    if (chart.bars.empty())
        return figure;
    const FigureTexts texts = texts_of(rows.total.usd, 2);
    chart.bars.push_back({"= total",
                          texts.delta + " USD",
                          "paid",
                          usd_of(std::min<int128>(at, 0)),
                          usd_of(std::max<int128>(at, 0))});
    figure.table.rows.push_back(
        {{"total", texts.base, texts.fresh, texts.delta}, HtmlRowKind::sum});
    chart.x = linear_axis("change, USD", usd_of(least), usd_of(most), steps_of_change);
    figure.svg = bar_chart_svg(chart);
    figure.data = chart_data(chart);
    return figure;
}

/// As a page has it: what stands under another row is marked as that.
HtmlTable indented(const ViewTable& view) {
    HtmlTable table = html_table(view);
    for (HtmlRow& row : table.rows) {
        if (row.cells.front() == "total")
            row.kind = HtmlRowKind::sum;
        if (!row.cells.front().starts_with("  "))
            continue;
        row.kind = HtmlRowKind::under;
        row.cells.front().erase(0, 2);
    }
    return table;
}

void put_part(HtmlPage& page, const ViewTable& table) {
    if (table.rows.empty())
        return;
    page.heading(table.title);
    page.table(indented(table), table.title);
}

} // namespace

void write_diff_html(const ResultDiff& diff,
                     const DiffQuestion& question,
                     std::size_t,
                     TextSink& sink) {
    const DiffView view = view_of(diff, question);
    HtmlPage page{view.title, sink, page_script()};
    for (const FailIfAnswer& answer : view.answers)
        page.paragraph(fmt::format(
            "{} {}: {}", answer.is_failed ? "Failed:" : "Passed:", answer.text, answer.reason));
    for (const std::string& note : view.notes)
        page.paragraph(note, "about");
    if (!view.changes.rows.empty()) {
        HtmlTable changes = html_table(view.changes);
        for (HtmlColumn& column : changes.columns)
            column.is_words = true;
        page.heading(view.changes.title);
        page.table(changes, view.changes.title);
    }
    Figure steps = steps_figure(shown_rows(*diff.base, *diff.fresh));
    if (!steps.svg.empty())
        page.section({"Where the difference comes from" + first_seed_title(*diff.base, *diff.fresh),
                      {std::move(steps)}});
    for (const ViewTable* table : view.tables())
        put_part(page, *table);
    if (!view.equal.empty())
        page.paragraph("Equal: " + view.equal);
    page.paragraph(fmt::format("Results of bursar {} and {}.",
                               diff.base->run.version,
                               diff.fresh->run.version),
                   "about");
    page.end();
}

}} // namespace bursar::reports
