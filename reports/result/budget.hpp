#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/units/units.hpp"

namespace bursar::inline reports {

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

/// A limit on what the whole run, a pool or a tenant may spend; see reports/bill/budgets.hpp.
struct ResultBudget {
    std::string name{}; ///< may be empty
    Money limit{};
    std::optional<std::uint32_t> pool{};   ///< absent: of all
    std::optional<std::uint32_t> tenant{}; ///< absent: of all
    bool is_monthly{};                     ///< for each month of the result anew
    bool fails{};                          ///< the program's exit code says that it was exceeded
    std::optional<BurnLimit> burn{};
    std::uint64_t seeds_exceeded{}; ///< of several seeds, in how many; 0 of a single one

    bool operator==(const ResultBudget&) const = default;
};

} // namespace bursar::inline reports
