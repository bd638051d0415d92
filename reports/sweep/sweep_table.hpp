#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/scalars/common_end.hpp"

namespace bursar { inline namespace reports {

/// One run of a sweep: what `bursar run` says of that scenario and seed.
struct SweepRow {
    std::uint64_t number{};   ///< in the sweep: scenario by scenario, seed by seed
    std::uint64_t scenario{}; ///< number of the scenario: the last axis changes fastest
    std::uint64_t scenario_hash{};
    std::uint64_t seed{};
    std::vector<std::string> values{}; ///< by path of the sweep
    std::string failure{};             ///< why there is no result though it was made
    std::string pruned{};              ///< why it was not made, and need not be
    std::uint64_t fingerprint{};
    RunEnding ending{};
    double wall_s{};        ///< what the run took, without reading and compiling
    std::string warnings{}; ///< a line each
    std::vector<std::optional<double>> scalars{}; ///< by row of scalar_table(); empty: no result
    /// What common_end_cost() is of; filled by add_common_ends(), as it depends on the other rows.
    std::optional<double> to_common_end{};

    [[nodiscard]] bool has_result() const { return failure.empty() && pruned.empty(); }

    bool operator==(const SweepRow&) const = default;
};

/// An assumption of runs, in the words of their bills; kept once.
struct SweepNote {
    enum class Kind : std::uint8_t { decisive, assumed, unmodelled };
    Kind kind{};
    std::string text;

    auto operator<=>(const SweepNote&) const = default;
};

/// Scenarios that `--refine` added between the values of the grid.
struct Refined {
    std::uint64_t times{};          ///< finished rounds
    std::uint64_t grid_scenarios{}; ///< the first ones; those behind them were added. 0: none was

    [[nodiscard]] bool any() const { return grid_scenarios > 0; }
    [[nodiscard]] bool is_added(std::uint64_t scenario) const {
        return any() && scenario >= grid_scenarios;
    }
    bool operator==(const Refined&) const = default;
};

/// A sweep that was run, or what of it was.
struct SweepTable {
    std::string version; ///< of the tool
    std::string scenario_name;
    std::uint64_t identity{};       ///< equal for sweeps of the same runs, program and files
    std::vector<std::string> paths; ///< that the sweep varies
    std::vector<std::vector<std::size_t>> axes; ///< places in `paths` of those that change together
    std::uint64_t num_planned{};                ///< runs of the whole sweep
    std::vector<SweepRow> rows;                 ///< by number, each number once
    std::vector<SweepNote> notes{};             ///< of all runs, sorted
    std::map<std::string, std::uint64_t> files{}; ///< that scenarios name: a hash of each content
    Refined refined{};
};

}} // namespace bursar::reports
