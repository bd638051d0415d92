#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/plan/job_groups.hpp"
#include "sim/plan/priority_order.hpp"

#include "policies/engine_choice.hpp"
#include "policies/queue/registry.hpp"
#include "policies/simulate.hpp"

namespace bursar::inline policies {
namespace {

/// Orders the jobs of `plan` by value density; those of equal density by key, least first, ties by
/// submit order. key: one per job.
JobOrder order_by_value(const Plan& plan, std::vector<std::uint64_t> key) {
    const std::vector<std::uint64_t> density = keys_of(plan, HighestValueDensityFirst{});
    std::vector<std::pair<std::uint64_t, std::uint64_t>> both(key.size());
    for (std::size_t job = 0; job < key.size(); ++job)
        both[job] = {density[job], key[job]};
    auto different = both;
    std::ranges::sort(different);
    different.erase(std::ranges::unique(different).begin(), different.end());
    for (std::size_t job = 0; job < key.size(); ++job) {
        const auto place = std::ranges::lower_bound(different, both[job]);
        key[job] = static_cast<std::uint64_t>(place - different.begin());
    }
    return order_by_keys(plan, std::move(key));
}

} // namespace

JobOrder order_for(const Plan& plan, const PolicyChoice& choice) {
    const PassKind pass = pass_kind(plan, choice);
    if (pass == PassKind::arrivals)
        return {};
    JobOrder groups;
    std::vector<std::uint64_t> key;
    bool has_keys = true;
    [[maybe_unused]] const bool known =
        QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
            constexpr OrderBy by = RuleOf<P>::traits.by;
            has_keys = by == OrderBy::key;
            [[maybe_unused]] const RuleOf<P> rule = with_options<P>(choice.queue_options, plan);
            if constexpr (by == OrderBy::tenants)
                groups = group_by_tenant(plan, rule);
            else if constexpr (by == OrderBy::ratio)
                groups = group_by_weight(plan);
            else
                key = keys_of(plan, rule);
        });
    assert(known);
    if (!has_keys)
        return groups;
    if (pass == PassKind::by_priority)
        return order_by_priority(plan, std::move(key));
    if (pass == PassKind::by_value)
        return order_by_value(plan, std::move(key));
    return order_by_keys(plan, std::move(key));
}

} // namespace bursar::inline policies
