#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/compare/compare_view.hpp"
#include "reports/diff/fail_if.hpp"
#include "reports/diff/result_diff.hpp"

namespace bursar { inline namespace reports {

/// What one asks of two results.
struct DiffQuestion {
    std::vector<const ScalarRow*> metrics; ///< to show; empty: the main ones
    std::vector<FailIf> fail_if;
    bool all{};                     ///< rows in which nothing changed, too
    std::optional<std::size_t> top; ///< that many tenants, the rest as "other (n)"; absent: 12
};

/// Two results for people, which table, Markdown and page share. Names are as in the results: each
/// format escapes them.
struct DiffView {
    std::string title;
    std::vector<std::string> notes;
    std::vector<FailIfAnswer> answers; ///< one per condition
    ViewTable changes;                 ///< what is not the same in what was run; may be empty
    ViewTable metrics;                 ///< those that are not the same
    std::string equal;                 ///< the others; empty: none
    std::vector<ViewTable> money;      ///< where it went, by pool, by tenant

    /// What changed, table by table.
    [[nodiscard]] std::vector<const ViewTable*> tables() const;
};

[[nodiscard]] DiffView view_of(const ResultDiff& diff, const DiffQuestion& question);

}} // namespace bursar::reports
