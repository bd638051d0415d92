#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

namespace bursar { inline namespace reports {

/// A calendar month, as far as it lies inside the run.
struct ResultMonth {
    std::string name; ///< "2017-10"
    Duration begin{}, end{};

    bool operator==(const ResultMonth&) const = default;
};

/// Spending that is too fast.
struct BurnLimit {
    Money per_hour{};
    Duration over{}; ///< on average over so long; > 0

    bool operator==(const BurnLimit&) const = default;
};

/// What happens where no more than the limit is left to spend.
enum class BudgetAction : std::uint8_t {
    alert,          ///< reports say so
    stop_admitting, ///< no job of its scope starts from then on
    stop_jobs,      ///< and those that run are stopped
};
inline constexpr std::array<std::string_view, 3> budget_action_names{
    "alert", "stop-admitting", "stop-jobs"};

/// From when until when a budget that was spent let no job of its scope start.
struct BudgetStop {
    Duration begin{};
    Duration end{};              ///< that of its month, or of the run
    std::uint64_t num_stopped{}; ///< jobs that ran and were stopped at its begin

    bool operator==(const BudgetStop&) const = default;
};

/// A limit on what the whole run, a pool or a tenant may spend; see reports/bill/budgets.hpp.
struct ResultBudget {
    std::string name{}; ///< may be empty
    Money limit{};
    std::optional<std::uint32_t> pool{};   ///< absent: of all
    std::optional<std::uint32_t> tenant{}; ///< absent: of all
    bool is_monthly{};                     ///< for each month of the result anew
    bool fails{};                          ///< the program's exit code says that it was exceeded
    std::optional<BurnLimit> burn{};
    BudgetAction action{};
    std::vector<BudgetStop> stops{}; ///< by time
    std::uint64_t seeds_exceeded{};  ///< of several seeds, in how many; 0 of a single one

    bool operator==(const ResultBudget&) const = default;
};

}} // namespace bursar::reports
