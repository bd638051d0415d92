#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

#include "sim/ledger/leaf.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// The ledger by leaf, exact.
struct LeafSums {
    std::array<SlotTime, num_leaves> held{};
    std::array<Money, num_leaves> cost{};
    std::vector<SlotTime> allocated; ///< by tenant: all but idle and unavailable time

    [[nodiscard]] SlotTime held_in(LeafGroup group) const;
    [[nodiscard]] SlotTime paid() const;
    [[nodiscard]] Money paid_cost() const;
};

[[nodiscard]] LeafSums leaf_sums(const Result& result);

/// Everything charged that is not GPU time.
[[nodiscard]] Money other_cost(const Result& result);

/// An exact ratio; whole > 0.
struct Fraction {
    int128 part{};
    int128 whole{};

    /// The ratio in units of 1 / scale, half up.
    [[nodiscard]] int128 scaled(std::int64_t scale) const;
    /// As people see it: the millionths that files have, rounded half up to thousandths.
    [[nodiscard]] int128 permille() const;
};

/// Where the paid GPU time went, as ratios over the whole window. With A = O + S + L + P:
/// allocation = A / paid, runtime_goodput = (S + P) / A, program_goodput = P / (S + P), and their
/// product goodput = P / paid. Absent where the denominator is zero. `jain` is Jain's index of the
/// allocated time x of the tenants, (sum x)^2 / (n sum x^2), from 1 / n (one has all) to 1 (all
/// have the same); absent with fewer than two tenants. Source: Jain, Chiu and Hawe, DEC-TR-301,
/// 1984.
struct Ratios {
    std::optional<Fraction> allocation;
    std::optional<Fraction> runtime_goodput;
    std::optional<Fraction> program_goodput;
    std::optional<Fraction> goodput;
    std::optional<Fraction> jain;
};

/// A ratio under its name in summary.json.
struct RatioRow {
    std::string_view name;
    std::string_view meaning;                 ///< for OUTPUTS.md
    std::optional<Fraction> Ratios::*ratio{}; ///< nullptr: no model gives it
};

inline constexpr std::array ratio_rows{
    RatioRow{"allocation", "(overhead + stalled + lost + productive) / paid", &Ratios::allocation},
    RatioRow{"runtime_goodput", "(stalled + productive) / allocated", &Ratios::runtime_goodput},
    RatioRow{"program_goodput", "productive / (stalled + productive)", &Ratios::program_goodput},
    RatioRow{"goodput", "productive / paid, the product of the three", &Ratios::goodput},
    RatioRow{"jain",
             "Jain's fairness index of the tenants' allocated GPU time x: (sum x)^2 / (n sum x^2); "
             "null with fewer than two tenants",
             &Ratios::jain},
    RatioRow{"effective_utilization", "null: needs achieved FLOP/s"},
};

[[nodiscard]] Ratios ratios(const LeafSums& sums);

}} // namespace bursar::reports
