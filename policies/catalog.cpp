#include "policies/catalog.hpp"

#include <algorithm>
#include <iterator>

#include "policies/backfill/registry.hpp"
#include "policies/estimates/registry.hpp"
#include "policies/placement/registry.hpp"
#include "policies/policy_choice.hpp"
#include "policies/preemption/registry.hpp"
#include "policies/queue/registry.hpp"

namespace bursar {

std::vector<PolicyInfo> policy_catalog() {
    std::vector<PolicyInfo> all = QueuePolicies::infos("queue");
    const std::vector<PolicyInfo> settings{
        {"head",
         head_block,
         "while the job whose turn it is does not fit, nothing behind it starts"},
        {"head", head_skip, "jobs that do not fit are passed over, with no reservation for them"},
        {"capacity", capacity_nodes, "a gang needs nodes: placement decides which"},
        {"capacity", capacity_count, "only the number of free GPUs in a pool matters"}};
    all.insert(all.end(), settings.begin(), settings.begin() + 2);
    const std::vector<PolicyInfo> backfills = BackfillPolicies::infos("backfill");
    all.insert(all.end(), backfills.begin(), backfills.end());
    all.insert(all.end(), settings.begin() + 2, settings.end());
    const std::vector<PolicyInfo> placements = PlacementPolicies::infos("placement");
    all.insert(all.end(), placements.begin(), placements.end());
    const std::vector<PolicyInfo> preemptions = PreemptionPolicies::infos("preemption");
    all.insert(all.end(), preemptions.begin(), preemptions.end());
    const std::vector<PolicyInfo> estimates = EstimatePolicies::infos("estimates");
    all.insert(all.end(), estimates.begin(), estimates.end());
    all.push_back(
        {"broker",
         broker_owned_first,
         "the first pool with room: owned, reserved, on demand, spot; then scenario order"});
    all.push_back({"broker",
                   broker_any,
                   "the best node of all permitted pools, by the placement; under capacity count "
                   "as owned-first"});
    return all;
}

std::vector<PolicyInfo> policies_of(std::string_view slot) {
    std::vector<PolicyInfo> found;
    const std::vector<PolicyInfo> all = policy_catalog();
    std::copy_if(all.begin(), all.end(), std::back_inserter(found), [&](const PolicyInfo& info) {
        return info.slot == slot;
    });
    return found;
}

} // namespace bursar
