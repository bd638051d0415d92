#include "tools/simulate/other_costs.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "models/market/billing.hpp"
#include "models/market/commitment.hpp"
#include "models/market/owned_cost.hpp"

#include "reports/bill/spend_curve.hpp"

namespace bursar { inline namespace tools {
namespace {

bool is_paid_by_use(const PlanPool& pool) {
    return pool.purchase == Purchase::on_demand || pool.purchase == Purchase::spot;
}

/// The nodes of every pool with the time that they are paid for: as they were launched, or all of
/// them to the end of the run, or until its own end where they are given back then.
std::vector<PaidNodes> nodes_paid(const CompiledRun& run,
                                  const Plan& plan,
                                  const std::vector<PaidNodes>& of_run,
                                  Duration end) {
    std::vector<PaidNodes> paid;
    for (std::uint32_t p = 0; p < plan.pools.size(); ++p) {
        const PlanPool& pool = plan.pools[p];
        if (!plan.provisioning.empty() && !plan.provisioning[p].is_fixed) {
            std::ranges::copy_if(of_run, std::back_inserter(paid), [&](const PaidNodes& some) {
                return some.pool == p;
            });
            continue;
        }
        const Duration used = run.own_end && is_paid_by_use(pool) ? *run.own_end : end;
        paid.push_back({p, pool.num_nodes, 0, billed(used, pool.billing_step).count()});
    }
    return paid;
}

/// What the pools of a commitment cost, at every instant.
SpendCurve spent_on(const CommitmentSpec& commitment,
                    const Result& result,
                    const std::vector<PaidNodes>& paid) {
    std::vector<PaidNodes> counted;
    std::ranges::copy_if(paid, std::back_inserter(counted), [&](const PaidNodes& some) {
        return std::ranges::find(commitment.pools, result.pools[some.pool].name) !=
               commitment.pools.end();
    });
    return SpendCurve::of_nodes(result, counted);
}

/// What stays unspent in each of its periods, from the begin of the run on, as far as it is
/// measured; of a part of one its share is owed.
Money unused(const Spend& spend, const SpendCurve& spent, Duration begin, Duration end) {
    Money sum{};
    const std::int64_t period_ms = spend.period.count();
    for (std::int64_t i = begin.count() / period_ms; i * period_ms < end.count(); ++i) {
        const Duration from = std::max(Duration{i * period_ms}, begin);
        const Duration to = std::min(Duration{(i + 1) * period_ms}, end);
        sum +=
            shortfall(committed(spend.nano_usd, spend.period, to - from), spent.between(from, to));
    }
    return sum;
}

std::string_view name_of(Duration period) {
    if (period == hour)
        return "hour";
    if (period == day)
        return "day";
    return period == month ? "month of 730 h" : "year";
}

} // namespace

void add_other_costs(const CompiledRun& run,
                     const Plan& plan,
                     const std::vector<PaidNodes>& paid,
                     Result& result) {
    if (run.scenario.commitments.empty())
        return;
    const std::vector<PaidNodes> nodes = nodes_paid(run, plan, paid, result.end);
    for (const CommitmentSpec& commitment : run.scenario.commitments) {
        result.run.other_costs.push_back({fmt::format("unused commitment {}", commitment.name),
                                          unused(commitment.spend,
                                                 spent_on(commitment, result, nodes),
                                                 result.window_begin,
                                                 result.window_end)});
        result.run.assumed.push_back(
            fmt::format("commitment {} is settled each {} from the begin of the run: what is not "
                        "spent in one is lost",
                        commitment.name,
                        name_of(commitment.spend.period)));
    }
}

}} // namespace bursar::tools
