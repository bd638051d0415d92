#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/plan/job_groups.hpp"

#include "policies/queue/registry.hpp"
#include "policies/runs/engine_choice.hpp"
#include "policies/runs/simulate.hpp"

namespace bursar { inline namespace policies {
namespace {

/// The rank of each value among the distinct ones, least first.
std::vector<std::uint32_t> places_of(const std::vector<std::uint64_t>& values) {
    std::vector<std::uint64_t> different = values;
    std::ranges::sort(different);
    different.erase(std::ranges::unique(different).begin(), different.end());
    std::vector<std::uint32_t> places(values.size());
    for (std::size_t job = 0; job < values.size(); ++job) {
        const auto place = std::ranges::lower_bound(different, values[job]);
        places[job] = static_cast<std::uint32_t>(place - different.begin());
    }
    return places;
}

/// The level of each job under a victim rule, from priorities or value densities; compared before
/// the queue's order, least first. Empty without a rule.
std::vector<std::uint64_t> levels_of(const Plan& plan, VictimRule victims) {
    switch (victims) {
    case VictimRule::none:
    case VictimRule::share: // shares change during the run
    case VictimRule::dominant_share:
        break;
    case VictimRule::priority:
        return keys_of(plan, HighestPriorityFirst{});
    case VictimRule::value:
        return keys_of(plan, HighestValueDensityFirst{});
    }
    return {};
}

/// The rank of each job by level, then key.
std::vector<std::uint64_t> keys_in_levels(const std::vector<std::uint64_t>& level,
                                          const std::vector<std::uint64_t>& key) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> both(key.size());
    for (std::size_t job = 0; job < key.size(); ++job)
        both[job] = {level[job], key[job]};
    auto different = both;
    std::ranges::sort(different);
    different.erase(std::ranges::unique(different).begin(), different.end());
    std::vector<std::uint64_t> place(key.size());
    for (std::size_t job = 0; job < key.size(); ++job) {
        const auto at = std::ranges::lower_bound(different, both[job]);
        place[job] = static_cast<std::uint64_t>(at - different.begin());
    }
    return place;
}

/// Whether only the first job in order may start next, whatever its shape.
bool serves_heads_only(PassKind pass, const PolicyChoice& choice) {
    return pass == PassKind::conservative ||
           (pass == PassKind::plain && head_of(choice) == HeadRule::block);
}

} // namespace

JobOrder order_for(const Plan& plan, const PolicyChoice& choice) {
    const PassKind pass = pass_kind(plan, choice);
    if (pass == PassKind::arrivals)
        return {};
    const OrderLayout layout =
        serves_heads_only(pass, choice) ? OrderLayout::one_line : OrderLayout::by_shape;
    const std::vector<std::uint64_t> levels = levels_of(plan, victim_rule(choice));
    JobOrder order;
    [[maybe_unused]] const bool known =
        QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
            constexpr OrderBy by = RuleOf<P>::traits.by;
            [[maybe_unused]] const RuleOf<P> rule = with_options<P>(choice.queue_options, plan);
            if constexpr (by == OrderBy::tenants)
                order = group_by_tenant(plan, rule, levels);
            else if constexpr (by == OrderBy::ratio)
                order = group_by_weight(plan, levels);
            else if (levels.empty())
                order = order_by_keys(plan, keys_of(plan, rule), layout);
            else
                order = order_by_keys(plan, keys_in_levels(levels, keys_of(plan, rule)));
            if constexpr (requires { rule.service(); })
                order.service = rule.service();
        });
    assert(known);
    if (!levels.empty())
        order.level = places_of(levels);
    return order;
}

}} // namespace bursar::policies
