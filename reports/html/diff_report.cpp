#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "reports/charts/bar_chart.hpp"
#include "reports/diff/diff_figure.hpp"
#include "reports/diff/diff_formats.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/page.hpp"

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
    Figure figure{{"steps", "What changed the total", change_sentence(rows.total)},
                  {{{"what", Align::left}, {"USD, base"}, {"USD, new"}, {"change"}}, {}}};
    BarChart chart{figure.title, {}, {}};
    int128 at = 0;
    int128 least = 0;
    int128 most = 0;
    const auto add = [&](const DiffRow& row, std::string colour) {
        const FigureTexts texts = texts_of(row.usd, 2);
        figure.table.rows.push_back(
            {{row.name, texts.base, texts.fresh, texts.delta}, RowKind::plain});
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
    figure.table.rows.push_back({{"total", texts.base, texts.fresh, texts.delta}, RowKind::sum});
    chart.x = linear_axis("change, USD", usd_of(least), usd_of(most), steps_of_change);
    return drawn(std::move(figure), std::move(chart));
}

} // namespace

void write_diff_html(const ResultDiff& diff,
                     const DiffQuestion& question,
                     std::size_t,
                     TextSink& sink) {
    FigureSection charts{
        "Where the difference comes from" + first_seed_title(*diff.base, *diff.fresh), {}};
    Figure steps = steps_figure(shown_rows(*diff.base, *diff.fresh));
    if (!steps.svg.empty())
        charts.figures.push_back(std::move(steps));
    Document document = diff_document(diff, question, {std::move(charts)});
    document.sources.push_back(fmt::format(
        "results of bursar {} and {}", diff.base->run.version, diff.fresh->run.version));
    render_html(document, sink);
}

}} // namespace bursar::reports
