#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/document/render.hpp"
#include "reports/validation/scoreboard.hpp"
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

std::string percent(double fraction) {
    return fmt::format("{:.1f} %", 100 * fraction);
}

/// What tells one group of a file from another, in the order people ask.
std::string name_of(const ValidationGroup& group) {
    std::string name;
    for (const std::string& part : {group.framework, group.gpu, group.quantity})
        if (!part.empty())
            name += (name.empty() ? "" : ", ") + part;
    return name;
}

ReportRow row_of(const ValidationGroup& group) {
    const ErrorStatistics& error = group.error;
    ReportRow row{{name_of(group), std::to_string(group.n), std::to_string(error.n)},
                  RowKind::under};
    for (const double share : {error.mape, error.median, error.p90, error.max})
        row.cells.emplace_back(error.n == 0 ? "-" : fmt::format("{:.1f}", 100 * share));
    row.cells.emplace_back(error.n == 0 ? "-" : fmt::format("{:+.1f}", 100 * error.bias));
    return row;
}

/// One kind of tuning: under each file and method its groups.
void add_part(std::vector<ValidationGroup> groups, const Part& part, Document& document) {
    std::erase_if(groups, [&](const ValidationGroup& one) { return one.tuning != part.tuning; });
    std::ranges::stable_sort(groups, {}, [](const ValidationGroup& group) {
        return std::pair{group.file, group.profile};
    });
    ReportTable table{{{"", Align::left}, {"n"}, {"answered"}}};
    table.title = part.title;
    for (ReportColumn& column : table.columns)
        column.narrow = column.label + "\n";
    for (const std::string name : {"MAPE", "median", "p90", "max", "bias"})
        table.columns.emplace_back(name + ", %").narrow = name + "\n%";
    std::string shown; ///< the file and method above the last row
    for (const ValidationGroup& group : groups) {
        if (std::string heading = group.file + ": " + group.profile; heading != shown) {
            table.rows.push_back({{heading, "", "", "", "", "", "", ""}, RowKind::plain});
            shown = std::move(heading);
        }
        table.rows.push_back(row_of(group));
    }
    if (!table.rows.empty())
        document.add(std::move(table));
}

/// The groups of all frameworks and GPUs together: one per file, quantity and method.
std::vector<ValidationGroup> pooled(std::vector<ValidatedRow> rows) {
    for (ValidatedRow& row : rows) {
        row.framework.clear();
        row.gpu.clear();
    }
    return grouped(rows);
}

/// Every single figure that was answered, beside what was published.
void add_figures(const Validation& validation, Document& document) {
    ReportTable table{{{"", Align::left}, {"published"}, {"by the model"}, {"error, %"}}};
    table.columns.emplace_back("constants", Align::left);
    table.title = "Single figures: failures, checkpoints and energy";
    for (const ValidatedRow& row : validation.rows) {
        if (row.figure.empty() || !row.predicted)
            continue;
        const double error = Prediction{*row.predicted, row.measured}.relative_error();
        table.rows.push_back({row.figure,
                              fmt::format("{:.4g}", row.measured),
                              fmt::format("{:.4g}", *row.predicted),
                              fmt::format("{:+.1f}", 100 * error),
                              row.tuning == Tuning::exact   ? "none"
                              : row.tuning == Tuning::tuned ? "fitted on it"
                                                            : "of other sources"});
    }
    if (!table.rows.empty())
        document.add(std::move(table));
}

/// Collectives span five decades of size: a factor too much and too little should count alike.
Lines log_errors(const Validation& validation) {
    std::map<std::pair<std::string, std::string>, std::vector<Prediction>> methods;
    for (const ValidatedRow& row : validation.rows)
        if (row.quantity == "time_us" && row.predicted)
            methods[{row.file, row.profile}].push_back({*row.predicted, row.measured});
    Lines lines{"Mean log error", {}};
    for (const auto& [method, predictions] : methods)
        lines.lines.push_back(fmt::format("{}, {}: {} ({} rows)",
                                          method.first,
                                          method.second,
                                          percent(error_statistics(predictions).mean_log_error),
                                          predictions.size()));
    return lines;
}

Lines baselines(const Validation& validation) {
    Lines lines{"Baseline: the one utilisation that fits a whole file best (fitted on every row)",
                {}};
    for (const BaselineGuess& guess : validation.baselines)
        lines.lines.push_back(fmt::format("{}: {} of peak gives MAPE {}; the model {} ({} rows)",
                                          guess.file,
                                          percent(guess.utilisation),
                                          percent(guess.guess.mape),
                                          percent(guess.model.mape),
                                          guess.guess.n));
    return lines;
}

/// Every row without an answer, under the file and the reason it shares with others.
Lines unanswered(const Validation& validation) {
    std::size_t count = 0;
    std::map<std::pair<std::string, std::string>, std::string> ids;
    for (const ValidatedRow& row : validation.rows) {
        if (row.predicted)
            continue;
        ++count;
        std::string& list = ids[{row.file, row.why}];
        list += (list.empty() ? "" : ", ") + row.id;
    }
    Lines lines{fmt::format("Not answered: {}", count), {}};
    for (const auto& [reason, list] : ids)
        lines.lines.push_back(fmt::format("{}: {}: {}", reason.first, reason.second, list));
    return lines;
}

} // namespace

void write_validation_table(const Validation& validation, TextSink& sink) {
    constexpr std::size_t page_width = 100;
    Document document;
    add_scoreboard(validation, document);
    document.add(Lines{"SUMMARY: absolute errors over all frameworks and GPUs", {}});
    const std::vector<ValidationGroup> together = pooled(validation.rows);
    for (const Part& part : parts)
        add_part(together, part, document);
    add_figures(validation, document);
    for (const Lines& lines :
         {log_errors(validation), baselines(validation), Lines{"Notes", validation.notes}})
        if (!lines.lines.empty())
            document.add(lines);
    document.add(Lines{"DETAILS: by framework and GPU", {}});
    for (const Part& part : parts)
        add_part(validation.groups, part, document);
    document.add(unanswered(validation));
    render_terminal(document, page_width, sink);
}

}} // namespace bursar::reports
