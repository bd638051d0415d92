#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "reports/bill/bill_table.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/charts/bar_chart.hpp"
#include "reports/html/figures.hpp"
#include "reports/summary/largest_drain.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t steps_of_money = 4;
constexpr std::size_t usual_top = 12;

double dollars(int128 cents) {
    return static_cast<double>(cents) / 100;
}

std::string usd_text(int128 cents) {
    return grouped_text(cents, 2) + " USD";
}

std::string share_text(int128 permille) {
    return grouped_text(permille, 1) + " %";
}

std::vector<std::string> cells_of(const BillRow& row) {
    return {row.label,
            grouped_text(row.hours_tenths, 1),
            grouped_text(row.hours_permille, 1),
            grouped_text(row.usd_cents, 2),
            grouped_text(row.usd_permille, 1)};
}

std::vector<ReportColumn> bill_columns(std::string_view what) {
    return {
        {std::string{what}, Align::left}, {"GPU-hours"}, {"% of GPU-hours"}, {"USD"}, {"% of USD"}};
}

/// The bill by group, and under each the leaves that show a figure.
BillTable full_bill(const Result& result) {
    OutputOptions options;
    options.all = true;
    BillTable bill = bill_table(result, options);
    const std::vector<std::string> empty = bill_table(result, {}).empty_groups;
    std::erase_if(bill.rows, [&](const BillRow& row) {
        if (!row.is_leaf)
            return std::ranges::find(empty, row.label) != empty.end();
        return row.hours_tenths == 0 && row.usd_cents == 0 && row.hours_permille == 0 &&
               row.usd_permille == 0;
    });
    return bill;
}

/// Its groups from what is least of use to what is most: the productive one is the last.
std::vector<BillRow> groups_upward(const BillTable& bill) {
    std::vector<BillRow> groups;
    for (const BillRow& row : bill.rows)
        if (!row.is_leaf)
            groups.push_back(row);
    std::ranges::reverse(groups);
    return groups;
}

std::string productive_sentence(const BillTable& bill) {
    for (const BillRow& row : bill.rows)
        if (!row.is_leaf && row.label == group_title(LeafGroup::productive))
            return fmt::format("{} of {} paid for GPU time, {}, went into work that was kept.",
                               usd_text(row.usd_cents),
                               usd_text(bill.paid.usd_cents),
                               share_text(row.usd_permille));
    return fmt::format("Nothing of {} paid for GPU time went into work that was kept.",
                       usd_text(bill.paid.usd_cents));
}

Figure waterfall(const BillTable& bill) {
    Figure figure{{"waterfall",
                   "How much of the money ends in work that is kept?",
                   productive_sentence(bill)},
                  {bill_columns("step"), {}}};
    const double whole = dollars(bill.total_cents);
    BarChart chart{figure.title, linear_axis("USD", 0, whole, steps_of_money), {}};
    const auto add_row = [&](const std::string& label, const BillRow& row) {
        figure.table.rows.push_back({cells_of(row), RowKind::plain});
        figure.table.rows.back().cells.front() = label;
    };
    double left = whole;
    if (!bill.other_costs.empty()) {
        chart.bars.push_back({"total", usd_text(bill.total_cents), "paid", 0, whole});
        for (const BillRow& other : bill.other_costs) {
            const double next = left - dollars(other.usd_cents);
            chart.bars.push_back(
                {"\u2212 " + other.label, usd_text(other.usd_cents), "other", next, left});
            figure.table.rows.push_back(
                {{"\u2212 " + other.label, "", "", grouped_text(other.usd_cents, 2), ""},
                 RowKind::plain});
            left = next;
        }
    }
    left = dollars(bill.paid.usd_cents);
    chart.bars.push_back({"paid for GPU time", usd_text(bill.paid.usd_cents), "paid", 0, left});
    add_row("paid for GPU time", bill.paid);
    for (const BillRow& group : groups_upward(bill)) {
        const bool is_last = group.label == group_title(LeafGroup::productive);
        const double next = is_last ? 0 : left - dollars(group.usd_cents);
        const std::string label = (is_last ? "= " : "\u2212 ") + group.label;
        chart.bars.push_back(
            {label, usd_text(group.usd_cents), colour_of_group(group.label), next, left});
        add_row(label, group);
        left = next;
    }
    return drawn(std::move(figure), std::move(chart));
}

/// "Of what was not productive, most went to no demand: 108,009.70 USD, 29.8 % of what GPU time
/// cost."
std::string largest_leaf_sentence(const Result& result, const BillTable& bill) {
    const std::optional<LargestDrain> drain = largest_drain(result);
    if (!drain)
        return "Every dollar of GPU time was productive.";
    const auto is_it = [&](const BillRow& row) {
        return row.is_leaf && row.label == leaf_title(drain->leaf);
    };
    const auto leaf = std::ranges::find_if(bill.rows, is_it);
    if (leaf == bill.rows.end()) // less than is shown
        return "";
    return fmt::format("Of what was not productive, most went to {}: {}, {} of what GPU time cost.",
                       leaf->label,
                       usd_text(leaf->usd_cents),
                       share_text(leaf->usd_permille));
}

Figure flows(const Result& result, const BillTable& bill) {
    Figure figure{{"flows", "Where does each dollar go?", largest_leaf_sentence(result, bill)},
                  {bill_columns("where"), {}},
                  {"All figures in USD."}};
    SankeyChart chart{figure.title, {}};
    chart.parts.push_back({bill.other_costs.empty() ? "paid" : "total",
                           grouped_text(bill.total_cents, 2),
                           "paid",
                           dollars(bill.total_cents)});
    std::vector<SankeyPart> leaves;
    for (const BillRow& row : bill.rows) {
        if (row.usd_cents == 0)
            continue;
        const std::string value = grouped_text(row.usd_cents, 2);
        if (!row.is_leaf)
            chart.parts.push_back(
                {row.label, value, colour_of_group(row.label), dollars(row.usd_cents), 1, 0});
        else
            leaves.push_back({row.label,
                              value,
                              chart.parts.back().colour,
                              dollars(row.usd_cents),
                              2,
                              chart.parts.size() - 1});
    }
    for (const BillRow& other : bill.other_costs)
        chart.parts.push_back({other.label,
                               grouped_text(other.usd_cents, 2),
                               "other",
                               dollars(other.usd_cents),
                               1,
                               0});
    chart.parts.insert(chart.parts.end(), leaves.begin(), leaves.end());
    for (const BillRow& row : bill.rows)
        figure.table.rows.push_back({cells_of(row), row.is_leaf ? RowKind::under : RowKind::plain});
    return drawn(std::move(figure), std::move(chart));
}

struct Grouping {
    GroupBy by;
    std::string_view id, what, question, colour;
};

Figure cost_by(const Result& result, const Grouping& grouping, OutputOptions options) {
    options.group_by = grouping.by;
    options.sort = SortBy::cost;
    options.all = false;
    if (!options.top)
        options.top = usual_top;
    const BillTable bill = bill_table(result, options);
    Figure figure{{std::string{grouping.id}, std::string{grouping.question}, ""},
                  {bill_columns(grouping.what), {}}};
    const auto is_somebody = [](const BillRow& row) {
        return row.label != idle_row_name && row.label != platform_row_name;
    };
    if (std::ranges::count_if(bill.rows, is_somebody) < 2)
        return figure;
    const auto first = std::ranges::find_if(bill.rows, is_somebody);
    figure.title.answer = fmt::format("{} cost the most: {} of {}.",
                                      first->label,
                                      usd_text(first->usd_cents),
                                      usd_text(bill.paid.usd_cents));
    int128 most = 0;
    for (const BillRow& row : bill.rows)
        most = std::max(most, row.usd_cents);
    BarChart chart{figure.title, linear_axis("USD", 0, dollars(most), steps_of_money), {}};
    for (const BillRow& row : bill.rows) {
        const std::string colour = row.label == idle_row_name       ? "idle"
                                   : row.label == platform_row_name ? "unavailable"
                                                                    : std::string{grouping.colour};
        chart.bars.push_back(
            {row.label,
             fmt::format("{}, {}", usd_text(row.usd_cents), share_text(row.usd_permille)),
             colour,
             0,
             dollars(row.usd_cents)});
        figure.table.rows.push_back({cells_of(row), RowKind::plain});
    }
    figure.table.rows.push_back({cells_of(bill.paid), RowKind::sum});
    figure.notes.push_back("Beside the dollars: their share of what GPU time cost.");
    return drawn(std::move(figure), std::move(chart));
}

} // namespace

std::string colour_of_group(const std::string& title) {
    for (const LeafGroup group : {LeafGroup::unavailable,
                                  LeafGroup::idle,
                                  LeafGroup::overhead,
                                  LeafGroup::stalled,
                                  LeafGroup::lost,
                                  LeafGroup::productive})
        if (title == group_title(group))
            return title;
    return "other";
}

std::vector<Figure> money_figures(const Result& result) {
    const BillTable bill = full_bill(result);
    if (bill.total_cents == 0)
        return {};
    return {waterfall(bill), flows(result, bill)};
}

std::vector<Figure> cost_figures(const Result& result, const OutputOptions& options) {
    constexpr std::array groupings{
        Grouping{GroupBy::tenant, "by-tenant", "tenant", "Which tenants cost the most?", "s0"},
        Grouping{GroupBy::pool, "by-pool", "pool", "Which pools cost the most?", "s3"},
        Grouping{
            GroupBy::purchase, "by-purchase", "purchase", "How was the capacity bought?", "s2"}};
    std::vector<Figure> figures;
    for (const Grouping& grouping : groupings)
        if (Figure figure = cost_by(result, grouping, options); !figure.svg.empty())
            figures.push_back(std::move(figure));
    return figures;
}

}} // namespace bursar::reports
