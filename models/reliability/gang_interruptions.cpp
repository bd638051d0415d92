#include "models/reliability/gang_interruptions.hpp"

#include <algorithm>
#include <variant>

namespace bursar { inline namespace models {
namespace {

constexpr double ms_in_hour = 3.6e6;

bool is_exponential(const UpDown& process) {
    return process.up.shape() == 1 && process.down.shape() == 1;
}

} // namespace

double chance_to_be_hit(std::int64_t before, std::int64_t after, std::int64_t nodes) {
    double spared = 1;
    for (std::int64_t i = 0; i < nodes && spared > 0; ++i)
        spared *= static_cast<double>(after - i) / static_cast<double>(before - i);
    return spared > 0 ? 1 - spared : 1;
}

double gang_failures_per_hour(const FailureModel& model,
                              std::uint32_t nodes,
                              std::uint32_t gpus_per_node) {
    double per_node = 0;
    for (const FailureComponent& component : model.components)
        per_node += gpus_per_node * component.per_gpu_hour + component.per_node_hour;
    double per_gang = nodes * per_node;
    if (const RackFailures& racks = model.racks; racks.nodes_per_rack > 0)
        per_gang += (nodes + racks.nodes_per_rack - 1) / racks.nodes_per_rack * racks.per_rack_hour;
    return per_gang;
}

double gang_reclaims_per_hour(const SupplySeries& supply, std::int32_t nodes, std::int32_t used) {
    double hits = 0;
    double time_ms = 0;
    const auto steps = supply.steps();
    const auto launched = [&](std::size_t step) { return std::min(steps[step].nodes, used); };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].nodes < nodes)
            continue;
        const bool is_last = i + 1 == steps.size();
        const std::int64_t until = is_last ? supply.end().count() : steps[i + 1].time_ms;
        time_ms += static_cast<double>(until - steps[i].time_ms);
        if (!is_last && launched(i + 1) < launched(i))
            hits += chance_to_be_hit(launched(i), launched(i + 1), nodes);
    }
    return time_ms > 0 ? hits / time_ms * ms_in_hour : 0;
}

double gang_reclaims_per_hour(const SupplyModel& supply, std::int32_t nodes, std::int32_t used) {
    const auto* zone = std::get_if<ZoneSupply>(&supply);
    if (zone == nullptr || used < zone->nodes || !is_exponential(zone->node) ||
        (zone->zone && !is_exponential(*zone->zone)))
        return gang_reclaims_per_hour(generate(supply, 365 * day, 1), nodes, used);
    const double of_nodes = nodes / zone->node.up.mean_ms();
    const double of_zone = zone->zone ? 1 / zone->zone->up.mean_ms() : 0;
    return (of_nodes + of_zone) * ms_in_hour;
}

double gang_maintenance_per_hour(const MaintenancePlan& maintenance,
                                 std::uint32_t nodes,
                                 std::uint32_t of_pool) {
    const std::uint32_t at_once =
        maintenance.nodes_at_once == 0 ? of_pool : std::min(maintenance.nodes_at_once, of_pool);
    return chance_to_be_hit(of_pool, std::int64_t{of_pool} - at_once, nodes) * ms_in_hour /
           static_cast<double>(maintenance.every.count());
}

}} // namespace bursar::models
