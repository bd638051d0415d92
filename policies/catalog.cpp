#include "policies/catalog.hpp"

#include <algorithm>
#include <iterator>

#include "policies/placement/registry.hpp"
#include "policies/queue/registry.hpp"
#include "policies/simulate.hpp"

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
    all.insert(all.end(), settings.begin(), settings.end());
    const std::vector<PolicyInfo> placements = PlacementPolicies::infos("placement");
    all.insert(all.end(), placements.begin(), placements.end());
    all.push_back(
        {"broker",
         broker_owned_first,
         "the first pool with room: owned, reserved, on demand, spot; then scenario order"});
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
