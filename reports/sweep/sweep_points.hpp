#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/repeats/repeats.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/sweep/sweep_table.hpp"

namespace bursar { inline namespace reports {

/// A metric of one scenario over its seeds.
struct OverSeeds {
    RepeatedScalar stats;      ///< mean, sd and the 95 % interval of the mean; of
                               ///< common_end_cost() no interval
    std::optional<double> p10; ///< absent where no run has a value
    std::optional<double> p50;
    std::optional<double> p90;

    [[nodiscard]] std::optional<double> mean() const {
        return stats.n > 0 ? std::optional{stats.mean} : std::nullopt;
    }
};

/// A scenario of a sweep, over its seeds.
struct SweepPoint {
    std::uint64_t scenario{};
    std::vector<std::string> values; ///< by path
    std::vector<OverSeeds> metrics; ///< by metric of the question; empty: a run of it has no result
    std::vector<const SweepRow*> rows;
};

/// A metric of a run with a result: a scalar, or common_end_cost().
[[nodiscard]] std::optional<double> value_of(const SweepRow& row, const ScalarRow& metric);

[[nodiscard]] CommonEnds common_ends(const SweepTable& table);

/// Fills SweepRow::to_common_end. Returns whether it differs from `cost.total` in some run: fixed
/// capacity is compared, and runs of one seed end at different times.
bool add_common_ends(SweepTable& table);

/// The scenarios of a sweep in their order. table: outlives them.
[[nodiscard]] std::vector<SweepPoint> points_of(const SweepTable& table,
                                                std::span<const ScalarRow* const> metrics);

/// The q-quantile of sorted values, between two of them in proportion: type 7 of Hyndman and Fan
/// 1996, "Sample quantiles in statistical packages", The American Statistician 50(4). sorted: at
/// least one; q: 0 .. 1.
[[nodiscard]] double quantile(std::span<const double> sorted, double q);

/// A metric of `point` minus that of `base`, over the seeds that both have.
[[nodiscard]] RepeatedScalar
paired_difference(const SweepPoint& point, const SweepPoint& base, const ScalarRow& metric);

}} // namespace bursar::reports
