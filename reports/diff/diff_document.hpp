#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reports/diff/fail_if.hpp"
#include "reports/diff/result_diff.hpp"
#include "reports/document/document.hpp"

namespace bursar { inline namespace reports {

/// What to show of two results.
struct DiffQuestion {
    std::vector<const ScalarRow*> metrics; ///< to show; empty: the main ones
    std::vector<FailIf> fail_if;
    bool all{};                     ///< rows in which nothing changed, too
    std::optional<std::size_t> top; ///< that many tenants, the rest as "other (n)"; absent: 12
};

/// Two results for people: conditions, what differs in what was run, which metrics changed, and
/// where the money went. charts: where they stand in a page.
[[nodiscard]] Document diff_document(const ResultDiff& diff,
                                     const DiffQuestion& question,
                                     std::vector<FigureSection> charts = {});

}} // namespace bursar::reports
