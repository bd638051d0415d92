#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/diff/diff_figure.hpp"
#include "reports/diff/diff_seeds.hpp"
#include "reports/diff/scenario_changes.hpp"
#include "reports/result/result.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

/// What both results spent on something, and how much GPU time: 0 where one does not have it.
struct DiffRow {
    std::string name;
    bool is_leaf{}; ///< under its group
    DiffFigure usd{};
    DiffFigure gpu_hours{}; ///< of charges that are no GPU time neither is there

    [[nodiscard]] bool is_same() const { return usd.is_same() && gpu_hours.is_same(); }
};

/// The same money and time sorted in several ways: the rows of each add up to the total.
struct DiffRows {
    std::vector<DiffRow> leaves; ///< leaf groups, each before its leaves, which add up to it
    std::vector<DiffRow> other;  ///< charges that are no GPU time
    std::vector<DiffRow> pools;  ///< by name, those of the base first
    std::vector<DiffRow> tenants;
    DiffRow paid;
    DiffRow total;
};

/// In millionths of a dollar and of a GPU-hour, as JSON and CSV print them.
[[nodiscard]] DiffRows exact_rows(const Result& base, const Result& fresh);

/// In cents and tenths of an hour, as the bill for people prints them.
[[nodiscard]] DiffRows shown_rows(const Result& base, const Result& fresh);

/// Two results beside each other.
struct ResultDiff {
    std::string base_name, fresh_name; ///< where they are from
    const Result* base{};
    const Result* fresh{};
    std::vector<ScenarioChange> changes; ///< what is not the same in what was run
    std::vector<std::string> notes;      ///< what keeps figures from being comparable
    std::vector<DiffMetric> metrics; ///< every scalar, in the order of the table; all else is of
                                     ///< the first seed of each
};

/// base, fresh: outlive what is returned.
[[nodiscard]] ResultDiff diff_results(const Result& base,
                                      const Result& fresh,
                                      std::string base_name,
                                      std::string fresh_name);

/// The scalar of that name, one of the table.
[[nodiscard]] const DiffMetric& metric_of(const ResultDiff& diff, std::string_view scalar);

}} // namespace bursar::reports
