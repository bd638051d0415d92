#include "scenarios/compile/features/predicted_nodes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "policies/broker/pool_orders.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::int64_t hour_ms = hour.count();

/// Adds up stretches of constant height, by hour; constant time for each stretch.
class HourlySum {
  public:
    void add(std::int64_t begin_ms, std::int64_t end_ms, std::int64_t height) {
        change(begin_ms, height);
        change(end_ms, -height);
    }
    [[nodiscard]] std::vector<std::int64_t> sums() const {
        std::vector<std::int64_t> out;
        std::int64_t height = 0;
        for (const Change& change : changes_) {
            out.push_back(height * hour_ms + change.in_hour);
            height += change.height;
        }
        return out;
    }

  private:
    struct Change {
        std::int64_t height{};  ///< from the next hour on
        std::int64_t in_hour{}; ///< what the change adds in its own hour
    };
    void change(std::int64_t at_ms, std::int64_t height) {
        const auto hour_at = static_cast<std::size_t>(at_ms / hour_ms);
        if (changes_.size() <= hour_at)
            changes_.resize(hour_at + 1);
        changes_[hour_at].height += height;
        changes_[hour_at].in_hour += height * (hour_ms - at_ms % hour_ms);
    }
    std::vector<Change> changes_;
};

} // namespace

std::vector<HourlyDemand> hourly_demand(const Plan& plan, Duration until) {
    std::map<std::pair<int, std::uint64_t>, HourlySum> sums;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const JobShape& shape = plan.shapes[plan.shape[job]];
        const std::int64_t begin = std::min(plan.submit_ms[job], until.count());
        const std::int64_t end = std::min(begin + plan.work_ms[job], until.count());
        sums[{std::popcount(shape.permitted_pools), shape.permitted_pools}].add(
            begin, end, shape.slots());
    }
    std::vector<HourlyDemand> out;
    for (const auto& [key, sum] : sums)
        out.push_back({key.second, sum.sums()});
    return out;
}

std::vector<std::uint32_t> nodes_needed(const Plan& plan,
                                        const std::vector<HourlyDemand>& demand,
                                        std::size_t hour_since_zero,
                                        double times) {
    const auto slots_of_node = [&](std::size_t pool) {
        return std::int64_t{plan.pools[pool].gpus_per_node} * slots_per_gpu;
    };
    // Pools that are paid for anyway come first, under every broker: the prediction depends on the
    // jobs alone.
    const std::vector<std::uint16_t> order = pools_by_purchase(plan);
    std::vector<std::int64_t> taken(plan.pools.size());
    for (const HourlyDemand& group : demand) {
        if (hour_since_zero >= group.slot_ms.size())
            continue;
        const auto of_hour = static_cast<double>(group.slot_ms[hour_since_zero]);
        std::int64_t left = std::llround(std::ceil(times * of_hour / hour_ms));
        for (const std::uint16_t pool : order) {
            if ((group.permitted_pools >> pool & 1U) == 0)
                continue;
            const std::int64_t room =
                plan.pools[pool].num_nodes * slots_of_node(pool) - taken[pool];
            const std::int64_t here = std::min(left, room);
            taken[pool] += here;
            left -= here;
        }
    }
    std::vector<std::uint32_t> nodes;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        const std::int64_t node = slots_of_node(pool);
        nodes.push_back(static_cast<std::uint32_t>((taken[pool] + node - 1) / node));
    }
    return nodes;
}

void add_prediction(const Plan& plan,
                    std::size_t pool,
                    std::uint32_t least,
                    double times,
                    Duration until,
                    std::vector<WorldEvent>& events) {
    const std::vector<HourlyDemand> demand = hourly_demand(plan, until);
    std::size_t num_hours = 0;
    for (const HourlyDemand& group : demand)
        num_hours = std::max(num_hours, group.slot_ms.size());
    std::uint32_t before = least;
    for (std::size_t at = 0; at <= num_hours; ++at) {
        const std::uint32_t nodes = std::max(least, nodes_needed(plan, demand, at, times)[pool]);
        const std::int64_t time_ms =
            prediction_lag.count() + static_cast<std::int64_t>(at) * hour_ms;
        if (nodes != before && time_ms < until.count())
            events.emplace_back(time_ms, MinNodesChange{PoolId{pool}, nodes});
        before = nodes;
    }
}

}} // namespace bursar::scenarios
