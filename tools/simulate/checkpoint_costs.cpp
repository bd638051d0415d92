#include "tools/simulate/checkpoint_costs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "models/storage/storage_tier.hpp"

#include "sim/record/checkpoint_use.hpp"

#include "reports/rounding/printed_units.hpp"

namespace bursar { inline namespace tools {
namespace {

double gigabytes(int128 bytes) {
    return static_cast<double>(bytes) / bytes_per_gb;
}

double storage_usd(const CheckpointUse& use, const StorageTier& tier) {
    const double gb_months = gigabytes(use.byte_ms) / (1000 * seconds_per_month);
    return gb_months * tier.usd_per_gb_month +
           static_cast<double>(use.num_saved) / 1000 * tier.usd_per_1000_writes +
           static_cast<double>(use.num_read) / 1000 * tier.usd_per_1000_reads +
           gigabytes(use.bytes_read) * tier.usd_per_gb_retrieved;
}

Money money(double usd) {
    return Money{static_cast<int128>(std::round(usd * 1e9)) * (money_per_usd / nano_usd_per_usd)};
}

/// Places of pools as numbers: pools of one region have one.
std::vector<std::uint16_t> regions_of(const Scenario& scenario) {
    std::vector<std::uint16_t> regions;
    for (const PoolSpec& pool : scenario.fleet)
        regions.push_back(static_cast<std::uint16_t>(
            std::ranges::find(scenario.fleet, pool.region, &PoolSpec::region) -
            scenario.fleet.begin()));
    return regions;
}

/// How the jobs of one class of the scenario keep what they save, by row of the plan; others keep
/// nothing.
std::vector<CheckpointStore>
stores_of(const Compiled& compiled, std::size_t job_class, const CheckpointKeeping& keeping) {
    std::vector<CheckpointStore> stores(compiled.plan.classes.size());
    const Duration min_stay{std::llround(keeping.tier.min_days * static_cast<double>(day.count()))};
    for (std::size_t row = 0; row < compiled.scenario_class.size(); ++row)
        if (compiled.scenario_class[row] == job_class)
            stores[row] = {keeping.bytes,
                           keeping.older_bytes,
                           keeping.increment_bytes,
                           keeping.keep,
                           keeping.retain,
                           min_stay};
    return stores;
}

} // namespace

void add_checkpoint_costs(const Scenario& scenario,
                          const Compiled& compiled,
                          const Outcome& outcome,
                          const JobRows& jobs,
                          RunFacts& facts) {
    const std::vector<std::uint16_t> regions = regions_of(scenario);
    const bool can_move = std::ranges::any_of(regions, [](std::uint16_t one) { return one != 0; });
    double storage = 0;
    double egress = 0;
    bool some_by_store = scenario.egress.empty();
    bool keeps_any = false;
    for (std::size_t i = 0; i < scenario.classes.size(); ++i) {
        const auto& checkpoint = scenario.classes[i].checkpoint;
        if (!checkpoint || !checkpoint->keeping)
            continue;
        keeps_any = true;
        const StorageTier& tier = checkpoint->keeping->tier;
        const CheckpointUse use = checkpoint_use(
            compiled.plan, outcome, jobs, stores_of(compiled, i, *checkpoint->keeping), regions);
        storage += storage_usd(use, tier);
        for (const BytesMoved& way : use.moved) {
            const std::optional<double> declared = egress_usd_per_gb(
                scenario.egress, scenario.fleet[way.from].region, scenario.fleet[way.to].region);
            egress += gigabytes(way.bytes) * declared.value_or(tier.usd_per_gb_egress);
            some_by_store = some_by_store || !declared;
        }
        const std::string note = "storage in " + tier.name + ": " + tier.source;
        if (std::ranges::find(facts.assumed, note) == facts.assumed.end())
            facts.assumed.push_back(note);
    }
    if (!keeps_any)
        return;
    facts.other_costs.push_back({"storage", money(storage)});
    if (!can_move)
        return;
    facts.other_costs.push_back({"egress", money(egress)});
    facts.assumed.emplace_back(
        some_by_store ? "checkpoints move between regions at the price of egress to the internet"
                        ", in no time"
                      : "checkpoints move between regions in no time");
}

}} // namespace bursar::tools
