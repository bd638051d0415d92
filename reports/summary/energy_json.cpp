#include "reports/summary/energy_json.hpp"

#include <optional>

namespace bursar { inline namespace reports {
namespace {

void write_leaves(const PrintedLevels& levels, JsonWriter& json) {
    json.key("by_leaf");
    json.begin_object();
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
        json.micro(leaf_names[leaf], levels.leaves[leaf]);
    json.end_object();
}

std::optional<int128>
sum_of_pool(const Result& result, const std::optional<PrintedLevels>& levels, std::size_t pool) {
    if (!levels)
        return std::nullopt;
    int128 sum = 0;
    for (std::size_t i = 0; i < result.cells.size(); ++i)
        if (result.cells[i].pool == pool)
            sum += levels->cells[i];
    return sum;
}

} // namespace

void write_energy(const PrintedEnergy& energy, JsonWriter& json) {
    json.key("energy");
    json.begin_object();
    json.micro_or_null("kwh", energy.kwh ? std::optional{energy.kwh->total} : std::nullopt);
    if (energy.kwh)
        write_leaves(*energy.kwh, json);
    json.end_object();
    const auto& carbon = energy.carbon_kg;
    json.key("carbon");
    json.begin_object();
    json.micro_or_null("kg", carbon ? std::optional{carbon->total} : std::nullopt);
    if (carbon) {
        json.micro("embodied_kg", energy.embodied_kg);
        write_leaves(*carbon, json);
    }
    json.end_object();
}

void write_pool_energy(const Result& result,
                       const PrintedEnergy& energy,
                       std::size_t pool,
                       JsonWriter& json) {
    if (!has_energy(result))
        return;
    const PlanEnergy& draws = *result.pools[pool].energy;
    const auto in_millionths = [](std::int64_t milli) { return int128{milli} * 1000; };
    json.micro_or_null("energy_kwh", sum_of_pool(result, energy.kwh, pool));
    json.micro_or_null("carbon_kg", sum_of_pool(result, energy.carbon_kg, pool));
    json.micro("busy_w", in_millionths(draws.busy.count()));
    json.micro("idle_w", in_millionths(draws.idle.count()));
    json.micro("pue", in_millionths(draws.pue_milli));
    json.string("grid", draws.grid_name);
    json.micro_or_null(
        "grid_g_per_kwh",
        draws.grid ? std::optional{mean_intensity(result.pools[pool], energy_by_pool(result)[pool])}
                   : std::nullopt);
}

}} // namespace bursar::reports
