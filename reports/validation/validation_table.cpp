#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/text/escape.hpp"
#include "reports/text/text_lines.hpp"
#include "reports/validation/validation_report.hpp"

namespace bursar { inline namespace reports {
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

constexpr std::size_t page_width = 100;

/// A figure of a group: its heading, and how wide its column is.
struct Figure {
    std::string_view heading;
    std::string_view unit;
    std::size_t width;
};

constexpr std::array figures{Figure{"n", "", 5},
                             Figure{"answered", "", 8},
                             Figure{"MAPE", "%", 6},
                             Figure{"median", "%", 6},
                             Figure{"p90", "%", 6},
                             Figure{"max", "%", 6},
                             Figure{"bias", "%", 7}};
constexpr std::size_t num_counts = 2; ///< of the figures; the rest are errors
constexpr std::size_t column_gap = 2; ///< blanks before each column

constexpr std::size_t names_width() {
    std::size_t width = page_width;
    for (const Figure& figure : figures)
        width -= figure.width + column_gap;
    return width;
}

using Cells = std::array<std::string, figures.size()>;

std::string percent(double fraction) {
    return fmt::format("{:.1f} %", 100 * fraction);
}

Cells cells_of(const ValidationGroup& group) {
    const ErrorStatistics& error = group.error;
    Cells cells{std::to_string(group.n), std::to_string(error.n)};
    const std::array shares{error.mape, error.median, error.p90, error.max};
    for (std::size_t i = 0; i < shares.size(); ++i)
        cells[num_counts + i] = fmt::format("{:.1f}", 100 * shares[i]);
    cells.back() = fmt::format("{:+.1f}", 100 * error.bias);
    if (error.n == 0)
        std::fill(cells.begin() + num_counts, cells.end(), "-");
    return cells;
}

/// `name` from column `at` on, on as many lines as it takes; the figures stand on the first.
void put_row(std::string_view name, std::size_t at, const Cells& figures_of, TextSink& sink) {
    std::vector<GridColumn> columns{{names_width() - at, true, at}};
    std::vector<GridCell> cells{wrapped(name, names_width() - at)};
    for (std::size_t i = 0; i < figures.size(); ++i) {
        columns.push_back({figures[i].width, false, column_gap});
        cells.push_back({figures_of[i]});
    }
    put_grid_row(sink, columns, cells);
}

void put_headings(std::string_view title, TextSink& sink) {
    Cells names;
    Cells units;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        names[i] = figures[i].heading;
        units[i] = figures[i].unit;
    }
    put_hanging(sink, "", title, 0, page_width);
    put_row("", 0, names, sink);
    put_row("", 0, units, sink);
}

/// What tells one group of a file from another, in the order people ask.
std::string name_of(const ValidationGroup& group) {
    std::string name;
    for (const std::string& part : {group.framework, group.gpu, group.quantity})
        if (!part.empty())
            name += (name.empty() ? "" : ", ") + part;
    return terminal_text(name);
}

/// One kind of tuning: under each file its methods, under each method its groups.
void put_part(std::vector<ValidationGroup> groups, const Part& part, TextSink& sink) {
    std::ranges::stable_sort(groups, {}, [](const ValidationGroup& group) {
        return std::pair{group.file, group.profile};
    });
    std::string shown; ///< the heading under which the last line stands
    for (const ValidationGroup& group : groups) {
        if (group.tuning != part.tuning)
            continue;
        if (shown.empty())
            put_headings(part.title, sink);
        if (const std::string heading = terminal_text(group.file + ": " + group.profile);
            heading != shown) {
            put_hanging(sink, "  ", heading, 2, page_width);
            shown = heading;
        }
        put_row(name_of(group), 4, cells_of(group), sink);
    }
    if (!shown.empty())
        sink.put('\n');
}

/// The groups of all frameworks and GPUs together: one per file, quantity and method.
std::vector<ValidationGroup> pooled(std::vector<ValidatedRow> rows) {
    for (ValidatedRow& row : rows) {
        row.framework.clear();
        row.gpu.clear();
    }
    return grouped(rows);
}

void put_baselines(const Validation& validation, TextSink& sink) {
    if (validation.baselines.empty())
        return;
    sink.put("Baseline: the one utilisation that fits a whole file best (fitted on every row)\n");
    for (const BaselineGuess& guess : validation.baselines) {
        put_hanging(sink,
                    "  ",
                    fmt::format("{}: {} of peak gives MAPE {}; the model {} ({} rows)",
                                terminal_text(guess.file),
                                percent(guess.utilisation),
                                percent(guess.guess.mape),
                                percent(guess.model.mape),
                                guess.guess.n),
                    2,
                    page_width);
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

/// Every row without an answer, under the file and the reason it shares with others.
void put_unanswered(const Validation& validation, TextSink& sink) {
    std::size_t count = 0;
    std::map<std::pair<std::string, std::string>, std::string> ids;
    for (const ValidatedRow& row : validation.rows) {
        if (row.predicted)
            continue;
        ++count;
        std::string& list = ids[{row.file, row.why}];
        list += (list.empty() ? "" : ", ") + row.id;
    }
    sink.put(fmt::format("Not answered: {}\n", count));
    for (const auto& [reason, list] : ids) {
        const auto& [file, why] = reason;
        put_hanging(sink, "  ", terminal_text(file + ": " + list), 2, page_width);
        put_hanging(sink, "    ", terminal_text(why), 4, page_width);
    }
}

} // namespace

void write_validation_table(const Validation& validation, TextSink& sink) {
    sink.put("SUMMARY: absolute errors over all frameworks and GPUs\n\n");
    const std::vector<ValidationGroup> together = pooled(validation.rows);
    for (const Part& part : parts)
        put_part(together, part, sink);
    put_log_errors(validation, sink);
    put_baselines(validation, sink);
    for (const std::string& note : validation.notes)
        put_hanging(sink, "note:", terminal_text(note), 6, page_width);
    if (!validation.notes.empty())
        sink.put('\n');
    sink.put("DETAILS: by framework and GPU\n\n");
    for (const Part& part : parts)
        put_part(validation.groups, part, sink);
    put_unanswered(validation, sink);
}

}} // namespace bursar::reports
