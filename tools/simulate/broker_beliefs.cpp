#include "tools/simulate/broker_beliefs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "policies/broker/by_price.hpp"
#include "policies/broker/registry.hpp"

namespace bursar::inline tools {
namespace {

constexpr double max_cost = 9e18; ///< what a column holds

/// What a broker takes work to cost, job by job.
class Beliefs {
  public:
    Beliefs(const PolicyChoice& choice, const Plan& seen, const Plan& plan) : plan_{plan} {
        for (const JobKind& kind :
             orders_by_kind(choice.broker) ? kinds_of(seen) : std::vector<JobKind>(1)) {
            std::vector<double>& held = held_.emplace_back(plan.pools.size(), 1);
            for (std::size_t pool = 0; orders_by_kind(choice.broker) && pool < held.size(); ++pool)
                held[pool] = held_per_work_on(seen, kind, pool);
        }
    }

    [[nodiscard]] std::int64_t
    cost(std::size_t job, std::size_t pool, std::int64_t start_ms) const {
        const std::size_t row = plan_.shapes[plan_.shape[job]].order_begin / plan_.pools.size();
        const auto price = static_cast<double>(price_at(plan_, pool, Duration{start_ms}));
        return std::llround(std::min(price * held_[row][pool], max_cost));
    }

  private:
    const Plan& plan_;
    std::vector<std::vector<double>> held_; ///< by row of orders, by pool
};

} // namespace

void note_beliefs(const Scenario& scenario, const Plan& seen, const Plan& plan, Result& result) {
    if (!goes_by_cost(scenario.policy.broker))
        return;
    const Beliefs beliefs{scenario.policy, seen, plan};
    for (std::size_t job = 0; job < result.jobs.size(); ++job)
        result.jobs.believed_cost.push_back(
            has_started(result.jobs.state[job])
                ? beliefs.cost(job, result.jobs.pool[job], result.jobs.last_start(job))
                : 0);
    for (std::size_t i = 0; i < result.stopped.size(); ++i)
        result.stopped.believed_cost.push_back(beliefs.cost(
            result.stopped.job[i], result.stopped.pool[i], result.stopped.start_ms[i]));
}

} // namespace bursar::inline tools
