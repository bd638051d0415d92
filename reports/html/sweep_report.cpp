#include "reports/html/sweep_report.hpp"

#include <fmt/format.h>

#include "reports/html/answer_html.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/page.hpp"
#include "reports/html/page_script.hpp"
#include "reports/sweep/common_end.hpp"

namespace bursar { inline namespace reports {

void write_sweep_html(const SweepTable& table,
                      const SweepQuestion& question,
                      const Answer& answer,
                      TextSink& sink) {
    HtmlPage page{table.scenario_name, sink, page_script()};
    page.paragraph(answer.headline);
    for (const std::string& warning : answer.warnings)
        page.paragraph("Warning: " + warning);
    page.section(
        {"What the sweep found", sweep_figures(paid_to_common_end(table), question, answer)});
    for (const AnswerTable& one : answer.tables) {
        if (one.rows.empty())
            continue;
        page.heading(one.title);
        page.table(html_table(one), one.title);
    }
    for (const AnswerSection& section : answer.sections) {
        page.heading(section.title);
        page.facts(html_facts(section));
    }
    page.paragraph(fmt::format("Swept by bursar {}.", table.version), "about");
    page.end();
}

}} // namespace bursar::reports
