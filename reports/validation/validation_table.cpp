#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"
#include "reports/validation/validation_report.hpp"

namespace bursar {
namespace {

struct Part {
    Tuning tuning;
    std::string_view title;
};

constexpr std::array parts{
    Part{Tuning::unseen,
         "Unseen sources: the constants were fitted on none of these rows' sources"},
    Part{Tuning::held_out, "Held-out rows: the constants were fitted on other rows of the source"},
    Part{Tuning::tuned, "Tuned rows: the constants were fitted on these rows"},
    Part{Tuning::exact, "Closed forms: nothing is fitted"},
};

constexpr std::array<std::string_view, 12> headings{"file",
                                                    "framework",
                                                    "GPU",
                                                    "quantity",
                                                    "profile",
                                                    "n",
                                                    "answered",
                                                    "MAPE",
                                                    "median",
                                                    "p90",
                                                    "max",
                                                    "bias"};
constexpr std::size_t num_names = 5; ///< columns of text; the rest are figures

using Line = std::array<std::string, headings.size()>;

std::string percent(double fraction, std::string_view sign = "") {
    // Tables of people's eyes: one place; a signed zero stays readable.
    return sign.empty() ? fmt::format("{:.1f} %", 100 * fraction)
                        : fmt::format("{:+.1f} %", 100 * fraction);
}

Line line_of(const ValidationGroup& group) {
    const ErrorStatistics& error = group.error;
    Line line{terminal_text(group.file),
              terminal_text(group.framework),
              terminal_text(group.gpu),
              terminal_text(group.quantity),
              terminal_text(group.profile),
              std::to_string(group.n),
              std::to_string(error.n),
              percent(error.mape),
              percent(error.median),
              percent(error.p90),
              percent(error.max),
              percent(error.bias, "+")};
    if (error.n == 0)
        std::fill(line.begin() + 7, line.end(), "-");
    return line;
}

void put_table(const std::vector<Line>& lines, TextSink& sink) {
    std::array<std::size_t, headings.size()> widths{};
    for (const Line& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], std::min<std::size_t>(display_width(line[i]), 40));
    for (const Line& line : lines) {
        std::string text;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::string cell = cut_to_width(line[i], 40);
            text += "  ";
            text += i < num_names ? left_aligned(cell, widths[i]) : right_aligned(cell, widths[i]);
        }
        sink.put(text);
        sink.put('\n');
    }
}

void put_part(const Validation& validation, const Part& part, TextSink& sink) {
    std::vector<Line> lines;
    Line heading;
    std::ranges::copy(headings, heading.begin());
    lines.push_back(heading);
    for (const ValidationGroup& group : validation.groups)
        if (group.tuning == part.tuning)
            lines.push_back(line_of(group));
    if (lines.size() == 1)
        return;
    sink.put(part.title);
    sink.put('\n');
    put_table(lines, sink);
    sink.put('\n');
}

void put_baselines(const Validation& validation, TextSink& sink) {
    if (validation.baselines.empty())
        return;
    sink.put("Against one utilisation for a whole file, the best there is (it saw every row)\n");
    for (const BaselineGuess& guess : validation.baselines) {
        sink.put(fmt::format("  {}: {} of peak gives MAPE {}; the model {} ({} rows)\n",
                             terminal_text(guess.file),
                             percent(guess.utilisation),
                             percent(guess.guess.mape),
                             percent(guess.model.mape),
                             guess.guess.n));
    }
    sink.put('\n');
}

/// Collectives span five decades of size: a factor too much and too little should count alike.
void put_log_errors(const Validation& validation, TextSink& sink) {
    std::map<std::pair<std::string, std::string>, std::vector<Prediction>> methods;
    for (const ValidatedRow& row : validation.rows)
        if (row.quantity == "time_us" && row.predicted)
            methods[{row.file, row.profile}].push_back({*row.predicted, row.measured});
    for (const auto& [method, predictions] : methods)
        sink.put(fmt::format("Mean log error of {}, {}: {} ({} rows)\n",
                             terminal_text(method.first),
                             terminal_text(method.second),
                             percent(error_statistics(predictions).mean_log_error),
                             predictions.size()));
    if (!methods.empty())
        sink.put('\n');
}

void put_unanswered(const Validation& validation, TextSink& sink) {
    std::size_t count = 0;
    for (const ValidatedRow& row : validation.rows)
        count += row.predicted ? 0 : 1;
    sink.put(fmt::format("Not answered: {}\n", count));
    for (const ValidatedRow& row : validation.rows)
        if (!row.predicted)
            sink.put(fmt::format("  {} ({}): {}\n",
                                 terminal_text(row.id),
                                 terminal_text(row.file),
                                 terminal_text(row.why)));
}

} // namespace

void write_validation_table(const Validation& validation, TextSink& sink) {
    for (const Part& part : parts)
        put_part(validation, part, sink);
    put_log_errors(validation, sink);
    put_baselines(validation, sink);
    for (const std::string& note : validation.notes)
        sink.put(fmt::format("note: {}\n", terminal_text(note)));
    put_unanswered(validation, sink);
}

} // namespace bursar
