#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/units/units.hpp"

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// Spending that is too fast, however much of the limit is left.
struct BurnSpec {
    std::int64_t nano_usd_per_hour{}; ///< > 0
    Duration over{};                  ///< on average over so long, > 0
};

/// What happens where no more than the limit is left to spend.
enum class BudgetThen : std::uint8_t { alert, stop_admitting, stop_jobs };

/// A limit on what a run, a pool or a tenant may spend.
struct BudgetSpec {
    std::string name; ///< empty: none was given
    std::int64_t limit_nano_usd{};
    std::string pool;   ///< empty: of all
    std::string tenant; ///< empty: of all
    bool is_monthly{};  ///< for each calendar month anew; else for the run
    bool fails{};       ///< the program says by its exit code that it was exceeded
    BudgetThen then{};
    std::optional<BurnSpec> burn;
    Place place{};
};

}} // namespace bursar::scenarios
