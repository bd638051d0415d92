#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/units/units.hpp"

#include "sim/record/outcome.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What has been spent on GPU time since the run began, at every instant; exact. It rises in
/// straight lines, whose slope changes with the number of GPUs and with their prices.
class SpendCurve {
  public:
    /// The cost of a pool, or of all; without time billed past the end of the run or of a node. If
    /// nodes come and go, the result must have a timeline.
    [[nodiscard]] static SpendCurve of_pools(const Result& result,
                                             std::optional<std::uint32_t> pool);
    /// The time of GPUs that is paid for, as slot-milliseconds in place of Money.
    [[nodiscard]] static SpendCurve of_time(const Result& result);
    /// The cost of paid nodes, including time billed past their end or the end of the run.
    [[nodiscard]] static SpendCurve of_nodes(const Result& result,
                                             const std::vector<PaidNodes>& paid);
    /// The cost of the GPUs that the jobs of a tenant held.
    [[nodiscard]] static SpendCurve of_tenant(const Result& result, std::uint32_t tenant);

    /// From 0 on.
    [[nodiscard]] Money until(Duration t) const;
    [[nodiscard]] Money between(Duration begin, Duration end) const {
        return until(end) - until(begin);
    }
    /// The first instant, to the millisecond, at which more than `limit` has been spent since
    /// `begin`; absent: not by `end`.
    [[nodiscard]] std::optional<Duration> exceeds(Money limit, Duration begin, Duration end) const;
    /// The first instant at which more than `limit` was spent in the last `span`; absent: none in
    /// [span, end]. span: > 0.
    [[nodiscard]] std::optional<Duration> burns(Money limit, Duration span, Duration end) const;

  private:
    struct Stretch {
        std::int64_t begin_ms{};
        std::int64_t slots{};
        Money before{};
    };
    struct Line {
        const PoolPrice* price{};
        std::vector<Stretch> stretches; ///< the first from 0 on
    };
    /// A change of the slots of a pool, and its time.
    struct Change {
        std::int64_t time_ms{};
        std::int64_t slots{};
    };

    /// price: of every pool; null: its own.
    [[nodiscard]] static SpendCurve
    of_pools_at(const Result& result, std::optional<std::uint32_t> pool, const PoolPrice* price);
    [[nodiscard]] static SpendCurve of_changes(const Result& result,
                                               std::vector<std::vector<Change>> by_pool);
    void add(const PoolPrice& price, std::vector<Change> changes);
    /// Every instant at which the slope may change, ascending.
    [[nodiscard]] std::vector<std::int64_t> bends() const;

    std::vector<Line> lines_; ///< by pool; prices are the result's
};

}} // namespace bursar::reports
