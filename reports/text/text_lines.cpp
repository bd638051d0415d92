#include "reports/text/text_lines.hpp"

#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/wrap.hpp"

namespace bursar { inline namespace reports {

void put_line(TextSink& sink, std::string_view line) {
    sink.put(line.substr(0, line.find_last_not_of(' ') + 1));
    sink.put('\n');
}

void put_heading(TextSink& sink, std::string_view title) {
    if (!title.empty())
        put_line(sink, terminal_text(title));
}

void put_hanging(
    TextSink& sink, std::string line, std::string_view text, std::size_t from, std::size_t width) {
    for (const std::string& part : wrapped(text, width - from)) {
        put_line(sink, left_aligned(line, from) + part);
        line.clear();
    }
}

}} // namespace bursar::reports
