#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// Current and average use of each tenant. At the end of each period the average moves toward the
/// use of that period, by the half-life; averages are in units of 2^-22 slots, truncated toward
/// that use.
class TenantUse {
  public:
    TenantUse(const Cluster& cluster, const NaiveRules& rules)
        : cluster_{cluster}, rule_{rules.use}, weight_{rules.tenant_weight},
          follows_time_{rules.order == Order::multifactor || rules.use.half_life_ms > 0} {
        std::size_t num_tenants = weight_.size();
        for (const Request& request : cluster.requests)
            num_tenants = std::max(num_tenants, request.tenant + 1);
        weight_.resize(num_tenants, 1);
        rows_.resize(num_tenants);
        for (const std::int64_t weight : weight_)
            all_weights_ += weight;
        for (const Pool& pool : cluster.pools) {
            fleet_.slots += pool.nodes * pool.gpus_per_node * slots_in_gpu;
            fleet_.cpu_milli += pool.nodes * pool.cpu_milli;
            fleet_.memory_mib += pool.nodes * pool.memory_mib;
        }
    }

    /// Call at each new instant, before its events.
    void advance() {
        if (!follows_time_)
            return;
        for (; period_end() <= cluster_.now_ms; period_begin_ += rule_.period_ms) {
            for (Row& row : rows_) {
                row.slot_ms += row.held.slots * (period_end() - row.since_ms);
                row.since_ms = period_end();
                row.average = nearer(row.average, (row.slot_ms << 22) / rule_.period_ms);
                row.slot_ms = 0;
            }
        }
    }
    /// Call at every start (1) and release of GPUs (-1).
    void note(std::size_t job, int sign) {
        const Request& request = cluster_.requests[job];
        Row& row = rows_[request.tenant];
        row.slot_ms += row.held.slots * (cluster_.now_ms - row.since_ms);
        row.since_ms = cluster_.now_ms;
        row.held.slots += sign * request.gpus * slots_in_gpu;
        row.held.cpu_milli += sign * request.cpu_milli;
        row.held.memory_mib += sign * request.memory_mib;
    }

    /// The state before.
    void restore(const TenantUse& before) { rows_ = before.rows_; }

    [[nodiscard]] std::int64_t period_begin_ms() const { return period_begin_; }
    [[nodiscard]] std::int64_t weight(std::size_t tenant) const { return weight_[tenant]; }
    [[nodiscard]] std::int64_t fleet_slots() const { return fleet_.slots; }

    /// In units of 2^-22 slots: the average, or current use if the past does not count.
    [[nodiscard]] __int128 use(std::size_t tenant) const {
        return rule_.half_life_ms == 0 ? __int128{rows_[tenant].held.slots} << 22
                                       : rows_[tenant].average;
    }
    /// Whether the dominant share per weight of `a` is smaller than that of `b`.
    [[nodiscard]] bool has_less(std::size_t a, std::size_t b) const {
        return is_less(dominant_share(a), dominant_share(b));
    }
    /// 2^-(U / S) in units of 2^-24, truncated; U / S in units of 2^-32, truncated.
    [[nodiscard]] std::int64_t share_factor(std::size_t tenant) const {
        const __int128 ratio =
            (use(tenant) * all_weights_ << 10) / (__int128{fleet_.slots} * weight_[tenant]);
        if (ratio >> 38 != 0) // 2^-64 and less
            return 0;
        const long double power = std::exp2(-static_cast<long double>(ratio) / 0x1p32L);
        return static_cast<std::int64_t>(std::floor(power * 0x1p24L));
    }

  private:
    struct Amounts {
        std::int64_t slots{};
        std::int64_t cpu_milli{};
        std::int64_t memory_mib{};
    };
    struct Row {
        Amounts held;
        __int128 average{};
        __int128 slot_ms{}; ///< held in this period until `since_ms`
        std::int64_t since_ms{};
    };
    struct Fraction {
        __int128 part{};
        __int128 whole{1};
    };

    [[nodiscard]] static bool is_less(const Fraction& a, const Fraction& b) {
        return a.part * b.whole < b.part * a.whole;
    }
    [[nodiscard]] std::int64_t period_end() const { return period_begin_ + rule_.period_ms; }

    [[nodiscard]] __int128 nearer(__int128 from, __int128 to) const {
        if (rule_.half_life_ms == 0)
            return to;
        const long double kept = std::exp2(-static_cast<long double>(rule_.period_ms) /
                                           static_cast<long double>(rule_.half_life_ms));
        const __int128 apart = from > to ? from - to : to - from;
        const auto left = static_cast<__int128>(kept * static_cast<long double>(apart));
        return from > to ? to + left : to - left;
    }

    [[nodiscard]] Fraction dominant_share(std::size_t tenant) const {
        Fraction largest;
        const auto look_at = [&](std::int64_t held, std::int64_t all) {
            const Fraction share{held, __int128{all} * weight_[tenant]};
            if (all > 0 && is_less(largest, share))
                largest = share;
        };
        look_at(rows_[tenant].held.slots, fleet_.slots);
        look_at(rows_[tenant].held.cpu_milli, fleet_.cpu_milli);
        look_at(rows_[tenant].held.memory_mib, fleet_.memory_mib);
        return largest;
    }

    const Cluster& cluster_;
    UseRule rule_;
    std::vector<std::int64_t> weight_;
    bool follows_time_;
    std::int64_t all_weights_{};
    Amounts fleet_;
    std::vector<Row> rows_;
    std::int64_t period_begin_{};
};

} // namespace bursar::oracle
