#include <string>

#include "reports/answer/formats.hpp"
#include "reports/answer/text_section.hpp"
#include "reports/answer/text_table.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/text_lines.hpp"

namespace bursar { inline namespace reports {
namespace {

void put_sources(const Answer& answer, std::size_t width, TextSink& sink) {
    if (answer.sources.empty())
        return;
    sink.put("\nSources\n");
    for (const std::string& source : answer.sources)
        put_hanging(sink, "  -", terminal_text(source), 4, width);
}

} // namespace

void write_answer_table(const Answer& answer, std::size_t width, TextSink& sink) {
    bool first = answer.headline.empty();
    if (!first)
        put_hanging(sink, {}, terminal_text(answer.headline), 0, width);
    const auto separate = [&] {
        if (!first)
            sink.put('\n');
        first = false;
    };
    const auto put_tables = [&] {
        for (const AnswerTable& table : answer.tables) {
            separate();
            put_table(table, width, sink);
        }
    };
    if (answer.tables_first)
        put_tables();
    for (const AnswerSection& section : answer.sections) {
        separate();
        put_section(section, width, sink);
    }
    if (!answer.tables_first)
        put_tables();
    put_sources(answer, width, sink);
}

}} // namespace bursar::reports
