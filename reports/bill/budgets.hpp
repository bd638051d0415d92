#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/units/units.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// A budget over the run, or over one month of it.
struct BudgetPeriod {
    std::string name; ///< of the month; empty: the run
    Money spent{};
    /// When more than the limit was spent, to the millisecond; absent: never.
    std::optional<Duration> exceeded_at{};
};

/// What became of a budget.
struct BudgetOutcome {
    const ResultBudget* budget{}; ///< of the result
    std::vector<BudgetPeriod> periods;
    std::optional<Duration> burned_at{}; ///< when spending was too fast first; absent: never

    [[nodiscard]] bool is_exceeded() const;
};

/// One for each budget of a result, in their order. A budget of all or of a pool counts what is
/// paid for capacity from the zero on, not only what is measured; where all of the run is measured,
/// with what is billed past its end and, of all, what is not GPU time, which both fall on the end.
/// A tenant's counts what its jobs held.
[[nodiscard]] std::vector<BudgetOutcome> budget_outcomes(const Result& result);

/// "training: 12,345.00 of 10,000.00 USD spent, exceeded 2017-10-20 04:00:00Z".
struct BudgetSentence {
    bool is_alert{};
    std::string text;
};

[[nodiscard]] std::vector<BudgetSentence> budget_sentences(const Result& result);

/// Names the budgets that had to hold and were exceeded, with some seed, one a line; empty: none.
[[nodiscard]] std::string failed_budgets(const Result& result);

/// "2017-10: 174,241.96 USD", which add up to what is paid as the bill prints it; empty where
/// the scenario has no months.
[[nodiscard]] std::vector<std::string> month_sentences(const Result& result);

}} // namespace bursar::reports
