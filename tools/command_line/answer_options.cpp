#include "tools/command_line/answer_options.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "scenarios/errors/in_quotes.hpp"

#include "reports/validation/validation_report.hpp"

#include "tools/command_line/messages.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/command_line/terminal.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::size_t min_answer_width = 60;  ///< a narrower terminal wraps by itself
constexpr std::size_t max_answer_width = 120; ///< longer lines are hard to read

} // namespace

OptionTable<AnswerOptions> answer_options() {
    using T = AnswerOptions;
    return option_table<T>(
        {{{"--format", &T::format, choice(answer_format_names)}, "output format on stdout"}});
}

void AnswerOptions::show(const Document& answer) const {
    if (!answer.headline.empty() && !answer.is_refusal)
        log("warning: {}\n", printable(answer.headline));
    for (const std::string& warning : answer.warnings)
        log("warning: {}\n", printable(warning));
    StandardOutput out{format == AnswerFormat::table ? ReadBy::people : ReadBy::programs};
    out.put(render(answer,
                   format,
                   std::clamp(terminal_width(page_width), min_answer_width, max_answer_width)));
    out.flush();
    if (!answer.is_refusal)
        return;
    // People read the rest of the headline in the answer.
    const std::size_t verdict =
        format == AnswerFormat::table ? answer.headline.find(':') : std::string::npos;
    throw UsageError{"bursar: " + printable(answer.headline.substr(0, verdict))};
}

void AnswerOptions::show(const Validation& validation) const {
    StandardOutput out{format == AnswerFormat::table ? ReadBy::people : ReadBy::programs};
    switch (format) {
    case AnswerFormat::table:
        write_validation_table(validation, out);
        break;
    case AnswerFormat::json:
        write_validation_json(validation, out);
        break;
    case AnswerFormat::csv:
        write_validation_csv(validation, out);
        break;
    }
    out.flush();
}

}} // namespace bursar::tools
