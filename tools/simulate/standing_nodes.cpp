#include "tools/simulate/standing_nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace bursar { inline namespace tools {
namespace {

/// More or fewer nodes from an instant on, or another least number of them.
struct Change {
    std::int64_t time_ms{};
    std::int64_t more{};
    std::optional<std::int64_t> least{};
};

/// Of one pool, by time.
std::vector<Change>
changes(const Plan& plan, std::uint32_t pool, const std::vector<PaidNodes>& paid) {
    std::vector<Change> out;
    for (const PaidNodes& some : paid)
        if (some.pool == pool) {
            out.push_back({some.begin_ms, some.nodes, {}});
            out.push_back({some.end_ms, -some.nodes, {}});
        }
    for (const WorldEvent& event : plan.world)
        if (event.is<MinNodesChange>() && event.pool() == pool)
            out.push_back({event.time_ms, 0, event.as<MinNodesChange>().num_nodes});
    std::ranges::stable_sort(out, {}, &Change::time_ms);
    return out;
}

} // namespace

std::vector<PaidNodes> standing_nodes(const Plan& plan, const std::vector<PaidNodes>& paid) {
    std::vector<PaidNodes> out;
    for (std::uint32_t pool = 0; pool < plan.provisioning.size(); ++pool) {
        const PlanProvisioning& rule = plan.provisioning[pool];
        if (rule.is_fixed)
            continue;
        std::int64_t there = 0;
        std::int64_t least = rule.min_nodes;
        std::int64_t from_ms = 0;
        for (const Change& change : changes(plan, pool, paid)) {
            const std::int64_t standing =
                std::min(there, std::max<std::int64_t>(least, rule.warm_nodes));
            if (standing > 0 && from_ms < change.time_ms)
                out.push_back({pool, standing, from_ms, change.time_ms});
            from_ms = change.time_ms;
            there += change.more;
            least = change.least.value_or(least);
        }
    }
    return out;
}

}} // namespace bursar::tools
