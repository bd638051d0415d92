#include "reports/answer/markdown_section.hpp"

#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {

std::string markdown_text(const AnswerCell& cell) {
    if (const auto* number = std::get_if<double>(&cell))
        return std::isfinite(*number) ? fmt::format("{:.10g}", *number) : std::string{"-"};
    if (const auto* count = std::get_if<std::int64_t>(&cell))
        return fmt::format("{}", *count);
    if (const auto* truth = std::get_if<bool>(&cell))
        return *truth ? "yes" : "no";
    return markdown_cell(std::get<std::string>(cell));
}

std::string markdown_label(const std::string& label, const std::string& unit) {
    return markdown_cell(unit.empty() ? label : fmt::format("{}, {}", label, unit));
}

void put_markdown_section(const AnswerSection& section, TextSink& sink) {
    sink.put(fmt::format("\n## {}\n\n", markdown_cell(section.title)));
    for (const AnswerValue& value : section.values)
        sink.put(fmt::format("- {}: {}{}\n",
                             markdown_label(value.label, value.unit),
                             markdown_text(value.value),
                             value.note.empty() ? "" : " (" + markdown_cell(value.note) + ")"));
}

}} // namespace bursar::reports
