#include <fmt/format.h>

#include "reports/compare/markdown_view.hpp"
#include "reports/diff/diff_formats.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

void put_part(const ViewTable& table, TextSink& sink) {
    if (table.rows.empty())
        return;
    sink.put(fmt::format("\n## {}\n\n", markdown_cell(table.title)));
    put_markdown_view(sink, table);
}

} // namespace

void write_diff_markdown(const ResultDiff& diff,
                         const DiffQuestion& question,
                         std::size_t,
                         TextSink& sink) {
    const DiffView view = view_of(diff, question);
    sink.put(fmt::format("# {}\n\n", markdown_cell(view.title)));
    for (const FailIfAnswer& answer : view.answers)
        sink.put(fmt::format("- **{}** {}: {}\n",
                             answer.is_failed ? "failed" : "passed",
                             markdown_cell(answer.text),
                             markdown_cell(answer.reason)));
    for (const std::string& note : view.notes)
        sink.put(fmt::format("- {}\n", markdown_cell(note)));
    if (!view.equal.empty())
        sink.put(fmt::format("- equal: {}\n", markdown_cell(view.equal)));
    put_part(view.changes, sink);
    for (const ViewTable* table : view.tables())
        put_part(*table, sink);
}

}} // namespace bursar::reports
