#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_in_order.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// When the queue's order changes by time alone: at the end of a period if past use or age counts,
/// and for finish-time fairness when another job gets before the head.
class OrderChanges {
  public:
    OrderChanges(Cluster& cluster,
                 const NaiveRules& rules,
                 const NaiveOrder& order,
                 const InOrder& in_order)
        : cluster_{cluster}, rules_{rules}, order_{order}, in_order_{in_order} {}

    /// The first such instant after now, or `until_ms` if none comes before.
    [[nodiscard]] std::int64_t next_ms(std::int64_t until_ms) {
        if (rules_.order == Order::ftf)
            return next_head_ms(until_ms);
        const bool has_periods = rules_.order == Order::multifactor ||
                                 (rules_.order == Order::fair_share && rules_.use.half_life_ms > 0);
        if (!has_periods)
            return until_ms;
        const std::int64_t period = rules_.use.period_ms;
        return std::min(until_ms, (cluster_.now_ms / period + 1) * period);
    }

  private:
    /// The first instant at which another job is the head, by bisection, as it then stays before.
    /// Only instants before the next event are checked.
    [[nodiscard]] std::int64_t next_head_ms(std::int64_t until_ms) {
        const std::int64_t now_ms = cluster_.now_ms;
        const std::optional<std::size_t> head = first_at(now_ms);
        std::int64_t same_ms = now_ms;
        std::int64_t other_ms = until_ms;
        while (other_ms - same_ms > 1) {
            const std::int64_t middle_ms = same_ms + (other_ms - same_ms) / 2;
            (first_at(middle_ms) == head ? same_ms : other_ms) = middle_ms;
        }
        cluster_.now_ms = now_ms;
        return other_ms;
    }
    /// The head of the waiting jobs, except those with claims, which are served first.
    [[nodiscard]] std::optional<std::size_t> first_at(std::int64_t time_ms) {
        cluster_.now_ms = time_ms;
        return order_.first_where([&](std::size_t job) {
            const std::vector<std::size_t>& claims = in_order_.claims();
            return !rules_.keeps_claims() || std::ranges::count(claims, job) == 0;
        });
    }

    Cluster& cluster_;
    const NaiveRules& rules_;
    const NaiveOrder& order_;
    const InOrder& in_order_;
};

} // namespace bursar::oracle
