#include "reports/answer/render.hpp"

#include <algorithm>
#include <cassert>

#include "reports/answer/formats.hpp"

namespace bursar { inline namespace reports {

std::optional<AnswerFormat> find_answer_format(std::string_view name) {
    const auto* found = std::ranges::find(answer_format_names, name);
    if (found == answer_format_names.end())
        return std::nullopt;
    return static_cast<AnswerFormat>(found - answer_format_names.begin());
}

std::string render(const Answer& answer, AnswerFormat format, std::size_t width) {
    assert(width >= 40);
    StringSink sink;
    switch (format) {
    case AnswerFormat::table:
        write_answer_table(answer, width, sink);
        break;
    case AnswerFormat::json:
        write_answer_json(answer, sink);
        break;
    case AnswerFormat::csv:
        write_answer_csv(answer, sink);
        break;
    }
    return sink.text();
}

}} // namespace bursar::reports
