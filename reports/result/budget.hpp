#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

namespace bursar { inline namespace reports {

/// A calendar month that the run touches, also its part before the zero and after the end. Each
/// begins where the one before it ends.
struct ResultMonth {
    std::string name; ///< "2017-10"
    Duration begin{}, end{};

    bool operator==(const ResultMonth&) const = default;
};

/// A limit on the rate of spending.
struct BurnLimit {
    Money per_hour{};
    Duration over{}; ///< averaging time, > 0

    bool operator==(const BurnLimit&) const = default;
};

/// What a budget does when its limit is reached.
enum class BudgetAction : std::uint8_t {
    alert,          ///< reports mention it
    stop_admitting, ///< no job of its scope starts any more
    stop_jobs,      ///< running jobs of its scope are stopped as well
};
inline constexpr std::array<std::string_view, 3> budget_action_names{
    "alert", "stop-admitting", "stop-jobs"};

/// The time in which a spent budget let no job of its scope start.
struct BudgetStop {
    Duration begin{};
    Duration end{};              ///< that of its month, or of the run
    std::uint64_t num_stopped{}; ///< running jobs that were stopped at `begin`

    bool operator==(const BudgetStop&) const = default;
};

/// A limit on what the whole run, a pool or a tenant may spend; see reports/bill/budgets.hpp.
struct ResultBudget {
    std::string name{}; ///< may be empty
    Money limit{};
    std::optional<std::uint32_t> pool{};   ///< absent: of all
    std::optional<std::uint32_t> tenant{}; ///< absent: of all
    bool is_monthly{};                     ///< starts anew each month of the result
    bool fails{};                          ///< exceeding it sets the exit code of the program
    std::optional<BurnLimit> burn{};
    BudgetAction action{};
    std::vector<BudgetStop> stops{}; ///< by time
    std::uint64_t seeds_exceeded{};  ///< number of seeds in which it was exceeded; 0: one seed

    bool operator==(const ResultBudget&) const = default;
};

}} // namespace bursar::reports
