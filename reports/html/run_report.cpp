#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/html/figures.hpp"
#include "reports/html/page.hpp"
#include "reports/html/time_bins.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/summary/bill_document.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t most_bins = 140; ///< about three pixels each

std::vector<FigureSection> charts_of(const Result& result, const OutputOptions& options) {
    const TimeBins time = time_bins(result, most_bins);
    std::vector<Figure> fleet = fleet_figures(result, time);
    if (std::optional<Figure> leaves = leaves_over_time(result))
        fleet.insert(fleet.begin(), std::move(*leaves));
    if (std::optional<Figure> nodes = nodes_over_time(result, time))
        fleet.push_back(std::move(*nodes));
    else if (!fleet.empty() && !why_no_nodes(result).empty())
        fleet.front().notes.push_back(why_no_nodes(result));
    std::vector<Figure> waiting = queue_figures(result, time);
    for (Figure& figure : waiting_figures(result))
        waiting.push_back(std::move(figure));
    return {{"Where the money went", money_figures(result)},
            {"Cost by tenant, pool and purchase", cost_figures(result, options)},
            {"The fleet over time", std::move(fleet)},
            {"The queue", std::move(waiting)},
            {"Waits and completion times", wait_charts(result)},
            {"Single jobs", job_figures(result)}};
}

} // namespace

void write_run_report(const Result& result, const OutputOptions& options, TextSink& sink) {
    OutputOptions shown;
    shown.top = options.top;
    shown.share_idle = options.share_idle;
    shown.reproducible = options.reproducible;
    Document document = bill_document(result, shown, BillExtent::full, charts_of(result, shown));
    document.sources.push_back(fmt::format("simulated by bursar {}", result.run.version));
    render_html(document, sink, options.static_charts ? std::string_view{} : page_script());
}

}} // namespace bursar::reports
