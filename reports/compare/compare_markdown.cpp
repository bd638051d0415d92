#include "reports/answer/markdown_section.hpp"
#include "reports/compare/compare_formats.hpp"
#include "reports/compare/compare_view.hpp"
#include "reports/compare/markdown_view.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

void put_line(TextSink& sink, std::string_view prefix, const std::string& text) {
    sink.put(prefix);
    sink.put(markdown_cell(text));
    sink.put('\n');
}

} // namespace

void write_compare_markdown(const Comparison& comparison,
                            const CompareQuestion& question,
                            std::size_t,
                            TextSink& sink) {
    const CompareView view = view_of(comparison, question);
    put_line(sink, "# ", view.title);
    sink.put('\n');
    if (!view.overview.rows.empty()) {
        put_markdown_view(sink, view.overview);
        sink.put('\n');
        put_line(sink, "- ", view.legend);
    }
    for (const std::string& note : view.notes)
        put_line(sink, "- ", note);
    if (!view.equal.empty())
        put_line(sink, "- equal for all: ", view.equal);
    for (const std::string& caveat : view.caveats)
        put_line(sink, "- ", caveat);
    for (const ViewTable& table : view.against) {
        sink.put('\n');
        put_line(sink, "## ", table.title);
        sink.put('\n');
        put_markdown_view(sink, table);
        if (table.below.empty())
            continue;
        sink.put('\n');
        put_line(sink, "- ", table.below);
    }
    if (view.goal)
        put_markdown_section(*view.goal, sink);
}

}} // namespace bursar::reports
