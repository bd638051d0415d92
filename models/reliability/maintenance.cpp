#include "models/reliability/maintenance.hpp"

#include <algorithm>
#include <cassert>

#include "models/errors/model_error.hpp"

namespace bursar { inline namespace models {

std::vector<MaintenanceWindow>
maintenance_windows(const MaintenancePlan& plan, std::uint32_t nodes, Duration horizon) {
    assert(nodes >= 1);
    if (plan.first < Duration{0})
        throw ModelError{"maintenance first", "is before the scenario's zero", {}};
    if (plan.length <= Duration{0} || plan.every < plan.length)
        throw ModelError{"maintenance length",
                         "is not above zero, or longer than the time between two windows",
                         "above zero, at most `every`"};
    const std::uint32_t at_once = plan.nodes_at_once == 0 ? nodes : plan.nodes_at_once;
    std::vector<MaintenanceWindow> out;
    std::uint32_t node = 0;
    for (Duration begin = plan.first; begin < horizon; begin += plan.every) {
        const std::uint32_t num_nodes = std::min(at_once, nodes - node);
        out.push_back({begin.count(), (begin + plan.length).count(), node, num_nodes});
        node = node + num_nodes == nodes ? 0 : node + num_nodes;
    }
    return out;
}

}} // namespace bursar::models
