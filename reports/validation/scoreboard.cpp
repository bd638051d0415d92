#include "reports/validation/scoreboard.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace bursar { inline namespace reports {
namespace {

// Goals, as shares.
constexpr double dense_error = 0.12;   ///< of step times
constexpr double mixture_error = 0.20; ///< the same of mixtures of experts
constexpr double memory_error = 0.12;
constexpr double least_held = 0.70; ///< of rows, by their 80 % range
constexpr double most_held = 0.90;

/// One goal of one file or distance.
struct Score {
    std::string of;
    std::size_t rows{};
    std::string goal;
    double measured{};
    double left_out{}; ///< the same without the source of each row; NaN: not known
    bool is_met{};
    double miss{}; ///< measured over the goal; the scores are sorted by it
};

std::string percent_of(double share) {
    return std::isfinite(share) ? fmt::format("{:.0f}", 100 * share) : "-";
}

Score error_score(std::string of, std::size_t rows, double goal, double error, double left_out) {
    return {std::move(of),
            rows,
            fmt::format("{:.0f} or less", 100 * goal),
            error,
            left_out,
            error <= goal,
            error / goal};
}

Score held_score(const Coverage& one) {
    const auto rows = static_cast<double>(one.n);
    const double held = static_cast<double>(one.held) / rows;
    const double off = std::max(least_held - held, held - most_held);
    return {one.of + (one.is_mixture ? ", mixtures" : ""),
            one.n,
            fmt::format("{:.0f} to {:.0f}", 100 * least_held, 100 * most_held),
            held,
            static_cast<double>(one.held_left_out) / rows,
            off <= 0,
            off};
}

/// Memory of the rows of one file.
struct MemoryErrors {
    std::vector<Prediction> shipped;
    std::vector<Prediction> left_out; ///< by constants that the row's source had no part in
};

std::map<std::string, MemoryErrors> memory_errors(const Validation& validation, bool is_aside) {
    std::map<std::pair<std::string, std::string>, double> refits; // by file and id
    for (const ValidatedRow& row : validation.rows)
        if (row.quantity == "mem_gb" && row.predicted && row.is_refit)
            refits[{row.file, row.id}] = *row.predicted;
    std::map<std::string, MemoryErrors> of_files;
    for (const ValidatedRow& row : validation.rows) {
        if (row.quantity != "mem_gb" || !row.predicted || row.is_refit ||
            (row.tuning != Tuning::tuned) != is_aside)
            continue;
        MemoryErrors& memory = of_files[row.file];
        memory.shipped.push_back({*row.predicted, row.measured});
        const auto refit = refits.find({row.file, row.id});
        memory.left_out.push_back(
            {refit == refits.end() ? *row.predicted : refit->second, row.measured});
    }
    return of_files;
}

std::vector<Score> error_scores(const Validation& validation, bool is_aside) {
    std::vector<Score> scores;
    for (const Coverage& one : validation.coverage) {
        if (!one.is_file || one.is_aside != is_aside)
            continue;
        const auto rows = static_cast<double>(one.n);
        scores.push_back(error_score(one.of + (one.is_mixture ? ", mixtures" : ", dense"),
                                     one.n,
                                     one.is_mixture ? mixture_error : dense_error,
                                     one.error_sum / rows,
                                     one.error_sum_left_out / rows));
    }
    for (const auto& [file, memory] : memory_errors(validation, is_aside)) {
        const ErrorStatistics error = error_statistics(memory.shipped);
        scores.push_back(error_score(file + ", memory",
                                     error.n,
                                     memory_error,
                                     error.mape,
                                     error_statistics(memory.left_out).mape));
    }
    return scores;
}

std::vector<Score> held_scores(const Validation& validation, bool is_aside, bool of_files) {
    std::vector<Score> scores;
    for (const Coverage& one : validation.coverage)
        if (one.is_file == of_files && one.is_aside == is_aside)
            scores.push_back(held_score(one));
    return scores;
}

void add_scores(std::string title, std::vector<Score> scores, Document& document) {
    if (scores.empty())
        return;
    std::ranges::stable_sort(scores, [](const Score& one, const Score& other) {
        return one.is_met != other.is_met ? other.is_met : one.miss > other.miss;
    });
    ReportTable table{{{"", Align::left}, {"rows"}, {"goal, %"}, {"measured, %"}, {"left out, %"}}};
    table.columns.emplace_back("", Align::left);
    table.title = std::move(title);
    for (const Score& score : scores)
        table.rows.push_back({score.of,
                              std::to_string(score.rows),
                              score.goal,
                              percent_of(score.measured),
                              percent_of(score.left_out),
                              score.is_met ? "met" : "MISSED"});
    document.add(std::move(table));
}

} // namespace

void add_scoreboard(const Validation& validation, Document& document) {
    if (validation.coverage.empty())
        return;
    document.add(
        Lines{"SCOREBOARD: misses first, the largest first",
              {"left out: by constants and ranges that the source of a row had no part in"}});
    for (const bool is_aside : {true, false}) {
        const std::string rows =
            is_aside ? "rows that no constant was fitted on" : "rows that constants were fitted on";
        add_scores("Mean absolute error: " + rows, error_scores(validation, is_aside), document);
        add_scores("Held by their 80 % range, by distance from measured jobs: " + rows,
                   held_scores(validation, is_aside, false),
                   document);
        add_scores("Held by their 80 % range, by file: " + rows,
                   held_scores(validation, is_aside, true),
                   document);
    }
}

}} // namespace bursar::reports
