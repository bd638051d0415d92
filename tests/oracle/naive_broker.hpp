#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/oracle/naive_job.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// The order of pools if it follows prices: computed at every price before the run, for each kind
/// of job.
class NaiveBroker {
  public:
    NaiveBroker(NaiveRules& rules, const std::vector<Request>& requests)
        : rules_{rules}, moving_(rules.held_per_work.size()) {
        if (!rules.follows_prices)
            return;
        for (std::size_t row = 0; row < moving_.size(); ++row)
            moving_[row] = moving_costs(row, requests);
        std::vector<std::int64_t> times;
        for (const PoolPrice& price : rules.prices)
            for (const auto& [at_ms, rate] : price.steps)
                if (at_ms > 0)
                    times.push_back(at_ms);
        std::sort(times.begin(), times.end());
        const std::size_t num_rows = std::max<std::size_t>(rules.held_per_work.size(), 1);
        for (std::size_t row = 0; row < num_rows; ++row) {
            std::vector<std::size_t> line = by_purchase();
            line = resorted(line, row, 0);
            rules_.pool_orders.push_back(line);
            for (const std::int64_t at_ms : times) {
                const std::vector<std::size_t> before = line;
                line = resorted(before, row, at_ms);
                if (line != before)
                    changes_.push_back({at_ms, row, line});
            }
        }
        std::ranges::stable_sort(changes_, {}, &Change::at_ms);
    }

    [[nodiscard]] std::int64_t next_ms() const {
        return next_ < changes_.size() ? changes_[next_].at_ms : no_time;
    }
    /// Whether an order changes now.
    bool follow(std::int64_t now_ms) {
        const std::size_t first = next_;
        for (; next_ms() == now_ms; ++next_)
            rules_.pool_orders[changes_[next_].row] = changes_[next_].line;
        return next_ > first;
    }

  private:
    struct Change {
        std::int64_t at_ms{};
        std::size_t row{};
        std::vector<std::size_t> line;
    };

    [[nodiscard]] std::int64_t rate_at(std::size_t pool, std::int64_t at_ms) const {
        std::int64_t rate = rules_.prices[pool].steps.front().second;
        for (const auto& [from_ms, step] : rules_.prices[pool].steps)
            if (from_ms <= at_ms)
                rate = step;
        return rate;
    }
    [[nodiscard]] double cost_at(std::size_t pool, std::size_t row, std::int64_t at_ms) const {
        if (rules_.held_per_work.empty())
            return rules_.prices[pool].is_paid_anyway() ? 0
                                                        : static_cast<double>(rate_at(pool, at_ms));
        const double rent =
            static_cast<double>(rate_at(pool, at_ms)) * rules_.held_per_work[row][pool];
        return (rules_.prices[pool].is_paid_anyway() ? 0 : rent) + moving_[row][pool];
    }
    /// Cost of moving state saved elsewhere, per GPU-hour of work left: the mean over all moments
    /// of the work of the row's jobs.
    [[nodiscard]] std::vector<double> moving_costs(std::size_t row,
                                                   const std::vector<Request>& requests) const {
        std::vector<double> costs(rules_.prices.size());
        if (rules_.region_of_pool.empty())
            return costs;
        const std::size_t num_places =
            2 + *std::ranges::max_element(rules_.region_of_pool); // nothing saved, and each region
        const std::size_t place = row % num_places;
        double hours = 0;
        double hours_left = 0; // summed over all moments
        double egress = 0;
        double gpus = 0;
        for (const Request& request : requests) {
            if (request.order_row != row - place)
                continue;
            const double own = static_cast<double>(request.work_ms) / 3.6e6;
            hours += own;
            hours_left += own * own / 2;
            egress = static_cast<double>(request.egress);
            gpus = static_cast<double>(request.gpus);
        }
        const double left_ms =
            std::max(1.0, hours > 0 ? std::round(hours_left / hours * 3.6e6) : 0.0);
        for (std::size_t pool = 0; pool < costs.size() && place > 0; ++pool)
            if (rules_.region_of_pool[pool] + 1 != place)
                costs[pool] = egress / std::max(left_ms * gpus / 3.6e6, 1e-9);
        return costs;
    }
    [[nodiscard]] bool
    is_cheaper(std::size_t a, std::size_t b, std::size_t row, std::int64_t at_ms) const {
        const std::int64_t margin = at_ms == 0 ? 0 : rules_.margin_milli;
        return cost_at(a, row, at_ms) * static_cast<double>(1000 + margin) <
               cost_at(b, row, at_ms) * 1000;
    }
    [[nodiscard]] std::vector<std::size_t> by_purchase() const {
        std::vector<std::size_t> line;
        for (const auto kind : {PoolPrice::Kind::owned,
                                PoolPrice::Kind::reserved,
                                PoolPrice::Kind::on_demand,
                                PoolPrice::Kind::spot})
            for (std::size_t pool = 0; pool < rules_.prices.size(); ++pool)
                if (rules_.prices[pool].kind == kind)
                    line.push_back(pool);
        return line;
    }
    /// Insertion sort: each moves before those at the end that cost more.
    [[nodiscard]] std::vector<std::size_t>
    resorted(const std::vector<std::size_t>& before, std::size_t row, std::int64_t at_ms) const {
        std::vector<std::size_t> line;
        for (const std::size_t pool : before) {
            auto place = line.end();
            while (place != line.begin() && is_cheaper(pool, *(place - 1), row, at_ms))
                --place;
            line.insert(place, pool);
        }
        return line;
    }

    NaiveRules& rules_;
    std::vector<std::vector<double>> moving_; ///< by row and pool
    std::vector<Change> changes_;
    std::size_t next_{};
};

} // namespace bursar::oracle
