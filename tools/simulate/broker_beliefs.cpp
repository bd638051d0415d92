#include "tools/simulate/broker_beliefs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "policies/broker/pool_orders.hpp"
#include "policies/broker/registry.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr double max_cost = 9e18; ///< what a column holds

/// What a broker believes work to cost, attempt by attempt.
class Beliefs {
  public:
    Beliefs(const PolicyChoice& choice, const Plan& plan) : plan_{plan} {
        const std::size_t num_pools = plan.pools.size();
        const bool by_kind = orders_by_kind(choice.broker);
        for (const JobKind& kind :
             by_kind ? kinds_of(plan) : std::vector<JobKind>(1 + plan.num_regions()))
            costs_.push_back(by_kind ? costs_of_work(plan, kind)
                                     : WorkCosts{std::vector<double>(num_pools, 1),
                                                 std::vector<double>(num_pools)});
    }

    /// saved_in: the region of what the job had saved when it started there, as of JobKind.
    [[nodiscard]] std::int64_t
    cost(std::size_t job, std::size_t pool, std::int64_t start_ms, std::size_t saved_in) const {
        const std::size_t row = plan_.shapes[plan_.shape[job]].order_begin / plan_.pools.size();
        const double cost = cost_of_work(plan_, pool, Duration{start_ms}, costs_[row + saved_in]);
        return std::llround(std::min(cost, max_cost));
    }

  private:
    const Plan& plan_;
    std::vector<WorkCosts> costs_; ///< by row of orders
};

} // namespace

void note_beliefs(const Scenario& scenario, const Plan& plan, Result& result) {
    if (!goes_by_cost(scenario.policy.broker, scenario.policy.broker_options))
        return;
    const Beliefs beliefs{scenario.policy, plan};
    const JobColumns& jobs = result.jobs;
    StoppedColumns& stopped = result.stopped;
    std::vector<std::uint8_t> saved_in(jobs.size());
    std::vector<std::uint8_t> before_last(jobs.size()); // as the last attempt started
    for (std::size_t i = 0; i < stopped.size(); ++i) {
        const std::size_t job = stopped.job[i];
        const std::int64_t start_ms = stopped.start_ms[i];
        stopped.believed_cost.push_back(
            beliefs.cost(job, stopped.pool[i], start_ms, saved_in[job]));
        before_last[job] = saved_in[job];
        if (!plan.pool_region.empty() && stopped.kept_ms[i] > 0)
            saved_in[job] = static_cast<std::uint8_t>(1 + plan.pool_region[stopped.pool[i]]);
        if (start_ms < jobs.last_start(job))
            before_last[job] = saved_in[job];
    }
    for (std::size_t job = 0; job < jobs.size(); ++job)
        result.jobs.believed_cost.push_back(
            has_started(jobs.state[job])
                ? beliefs.cost(job, jobs.pool[job], jobs.last_start(job), before_last[job])
                : 0);
}

}} // namespace bursar::tools
