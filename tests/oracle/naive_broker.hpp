#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// Which pool is tried first, where that follows prices: worked out price by price before the run.
class NaiveBroker {
  public:
    explicit NaiveBroker(NaiveRules& rules) : rules_{rules} {
        if (!rules.follows_prices)
            return;
        std::vector<std::int64_t> times{0};
        for (const PoolPrice& price : rules.prices)
            for (const auto& [at_ms, rate] : price.steps)
                if (at_ms > 0)
                    times.push_back(at_ms);
        std::sort(times.begin(), times.end());
        for (const std::int64_t at_ms : times) {
            std::vector<std::size_t> order = order_at(at_ms);
            if (at_ms > 0 && order != rules_.pool_preference)
                changes_.emplace_back(at_ms, order);
            rules_.pool_preference = std::move(order);
        }
        rules_.pool_preference = order_from_nothing();
    }

    [[nodiscard]] std::int64_t next_ms() const {
        return next_ < changes_.size() ? changes_[next_].first : no_time;
    }
    /// Whether the order is another one from now on.
    bool follow(std::int64_t now_ms) {
        if (next_ms() != now_ms)
            return false;
        rules_.pool_preference = changes_[next_++].second;
        return true;
    }

  private:
    /// Of a pool that is not paid anyway.
    [[nodiscard]] std::int64_t rate_at(std::size_t pool, std::int64_t at_ms) const {
        std::int64_t rate = rules_.prices[pool].steps.front().second;
        for (const auto& [from_ms, step] : rules_.prices[pool].steps)
            if (from_ms <= at_ms)
                rate = step;
        return rate;
    }
    [[nodiscard]] bool is_cheaper(std::size_t a, std::size_t b, std::int64_t at_ms) const {
        const std::int64_t margin = at_ms == 0 ? 0 : rules_.margin_milli;
        return rate_at(a, at_ms) * (1000 + margin) < rate_at(b, at_ms) * 1000;
    }
    [[nodiscard]] std::vector<std::size_t> order_from_nothing() const {
        std::vector<std::size_t> order;
        for (const auto kind : {PoolPrice::Kind::owned,
                                PoolPrice::Kind::reserved,
                                PoolPrice::Kind::on_demand,
                                PoolPrice::Kind::spot})
            for (std::size_t pool = 0; pool < rules_.prices.size(); ++pool)
                if (rules_.prices[pool].kind == kind)
                    order.push_back(pool);
        return resorted(order, 0);
    }
    [[nodiscard]] std::vector<std::size_t> order_at(std::int64_t at_ms) const {
        return at_ms == 0 ? order_from_nothing() : resorted(rules_.pool_preference, at_ms);
    }
    /// Each in turn is put in front of those at the end of the line that it is cheaper than.
    [[nodiscard]] std::vector<std::size_t> resorted(const std::vector<std::size_t>& before,
                                                    std::int64_t at_ms) const {
        std::vector<std::size_t> line;
        for (const std::size_t pool : before) {
            auto place = line.end();
            while (place != line.begin() && !rules_.prices[pool].is_paid_anyway() &&
                   !rules_.prices[*(place - 1)].is_paid_anyway() &&
                   is_cheaper(pool, *(place - 1), at_ms))
                --place;
            line.insert(place, pool);
        }
        return line;
    }

    NaiveRules& rules_;
    std::vector<std::pair<std::int64_t, std::vector<std::size_t>>> changes_;
    std::size_t next_{};
};

} // namespace bursar::oracle
