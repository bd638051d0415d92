#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/diff/diff_figure.hpp"
#include "reports/diff/diff_seeds.hpp"
#include "reports/result/result.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

/// Something that two results do not have in common in what was run: as far as results keep it.
struct ScenarioChange {
    std::string what;        ///< "policy.queue", "pool burst: price"
    std::string base, fresh; ///< as people read them; "": it does not have it

    bool operator==(const ScenarioChange&) const = default;
};

/// In the order of a scenario: workload, fleet, policies, window, then what was assumed.
[[nodiscard]] std::vector<ScenarioChange> scenario_changes(const Result& base, const Result& fresh);

/// Whether both ran the same jobs: equal names, tenants, gangs and times of submit.
[[nodiscard]] bool have_same_jobs(const Result& base, const Result& fresh);

/// What both results spent on something, and how much GPU time: 0 where one does not have it.
struct DiffRow {
    std::string name;
    bool is_leaf{}; ///< under its group
    DiffFigure usd{};
    DiffFigure gpu_hours{}; ///< of charges that are no GPU time neither is there

    [[nodiscard]] bool is_same() const { return usd.is_same() && gpu_hours.is_same(); }
};

/// A quantity that a cost goes by, in GPU-hours or as a ratio, and what its change costs.
struct DiffCause {
    double base{}, fresh{};
    int128 usd{};

    bool operator==(const DiffCause&) const = default;
};

/// What makes the total another one: dollars = work * GPU time per work * price of GPU time. Each
/// changes after the one before it, so that their effects and the change of other charges add up
/// exactly to the change of the total.
struct DiffCauses {
    bool is_at_reference_speed{}; ///< work: of finished jobs; else productive GPU time
    DiffCause volume;             ///< GPU-hours of work; at the base's efficiency and price
    DiffCause efficiency;         ///< paid GPU-hours per GPU-hour of work; at the base's price
    DiffCause price;              ///< USD per paid GPU-hour
    int128 other_usd{};           ///< charges that are no GPU time

    bool operator==(const DiffCauses&) const = default;
};

/// The same money and time sorted in several ways: the rows of each add up to the total.
struct DiffRows {
    std::vector<DiffRow> leaves; ///< leaf groups, each before its leaves, which add up to it
    std::vector<DiffRow> other;  ///< charges that are no GPU time
    std::vector<DiffRow> pools;  ///< by name, those of the base first
    std::vector<DiffRow> tenants;
    DiffRow paid;
    DiffRow total;
    std::optional<DiffCauses> causes; ///< absent: one of the results did no work
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
    std::vector<ScenarioChange> changes; ///< differences in what was run
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
