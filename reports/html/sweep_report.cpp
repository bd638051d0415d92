#include <fmt/format.h>

#include "reports/html/figures.hpp"
#include "reports/html/page.hpp"
#include "reports/sweep/sweep_formats.hpp"
#include "reports/sweep/sweep_points.hpp"

namespace bursar { inline namespace reports {

void write_sweep_html(const SweepTable& table,
                      const SweepQuestion& question,
                      const Document& answer,
                      TextSink& sink) {
    SweepTable ended = table;
    add_common_ends(ended);
    Document document = answer;
    document.add_first(
        FigureSection{"What the sweep found", sweep_figures(ended, question, answer)});
    document.sources.push_back(fmt::format("swept by bursar {}", table.version));
    render_html(document, sink);
}

}} // namespace bursar::reports
