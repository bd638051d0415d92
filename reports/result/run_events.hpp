#pragma once

#include <cstdint>

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Counts of interruptions by the world and by budgets, over the whole run.
struct RunEvents {
    std::uint64_t reclaims{}; ///< nodes reclaimed by their provider
    std::uint64_t node_failures{};
    std::uint64_t budget_stops{}; ///< BudgetStop
};

[[nodiscard]] inline RunEvents events_of(const Result& result) {
    RunEvents out;
    for (const ResultPool& pool : result.pools) {
        out.reclaims += pool.nodes ? pool.nodes->reclaimed : 0;
        out.node_failures += pool.nodes ? pool.nodes->failures : 0;
    }
    for (const ResultBudget& budget : result.run.budgets)
        out.budget_stops += budget.stops.size();
    return out;
}

}} // namespace bursar::reports
