#include <fmt/format.h>

#include "reports/html/figures.hpp"
#include "reports/html/page.hpp"
#include "reports/sweep/common_end.hpp"
#include "reports/sweep/sweep_formats.hpp"

namespace bursar { inline namespace reports {

void write_sweep_html(const SweepTable& table,
                      const SweepQuestion& question,
                      const Document& answer,
                      TextSink& sink) {
    Document document = answer;
    document.blocks.insert(
        document.blocks.begin(),
        FigureSection{"What the sweep found",
                      sweep_figures(paid_to_common_end(table), question, answer)});
    document.sources.push_back(fmt::format("swept by bursar {}", table.version));
    render_html(document, sink);
}

}} // namespace bursar::reports
