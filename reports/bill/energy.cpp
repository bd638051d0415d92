#include "reports/bill/energy.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/ledger/leaf_power.hpp"

#include "reports/bill/bill_table.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr int128 drawn_per_micro_kwh = drawn_energy_per_kwh / 1'000'000;
constexpr int128 carbon_per_micro_kg = emitted_carbon_per_gram / 1000;
constexpr int128 drawn_per_tenth_kwh = drawn_energy_per_kwh / 10;
constexpr int128 carbon_per_tenth_kg = emitted_carbon_per_gram * 100;

DrawnPower power_in(const PlanEnergy& energy, PowerState state) {
    switch (state) {
    case PowerState::off:
        break;
    case PowerState::idle:
        return energy.idle;
    case PowerState::busy:
        return energy.busy;
    }
    return {};
}

EnergyUse sum_of(const Result& result) {
    EnergyUse sum;
    for (const EnergyUse& use : energy_by_pool(result))
        sum += use;
    return sum;
}

std::string tenths_of(int128 exact, int128 divisor) {
    return grouped_text(divide_half_up(exact, divisor), 1);
}

/// "; 456.7 kg CO2e, 12.3 of them from making the hardware"
std::string carbon_text(const EnergyUse& use) {
    std::string text =
        fmt::format("{} kg CO2e", tenths_of(use.carbon().count(), carbon_per_tenth_kg));
    if (use.embodied > EmittedCarbon{})
        text += fmt::format(", {} of them from making the hardware",
                            tenths_of(use.embodied.count(), carbon_per_tenth_kg));
    return text;
}

/// "1,234.5 kWh: productive 1,000.0, idle 234.5", which add up.
std::string kwh_text(const Result& result) {
    constexpr std::array groups{LeafGroup::productive,
                                LeafGroup::stalled,
                                LeafGroup::lost,
                                LeafGroup::overhead,
                                LeafGroup::idle,
                                LeafGroup::unavailable};
    std::array<int128, groups.size()> exact{};
    int128 sum = 0;
    for (const ResultCell& cell : result.cells) {
        const int128 drawn = energy_of(result, cell).drawn.count();
        const auto group = std::ranges::find(groups, group_of(cell.leaf));
        exact[static_cast<std::size_t>(group - groups.begin())] += drawn;
        sum += drawn;
    }
    const int128 total = divide_half_up(sum, drawn_per_tenth_kwh);
    const auto tenths = largest_remainder(exact, drawn_per_tenth_kwh, total);
    std::string text;
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (exact[i] > 0)
            text += fmt::format("{} {} {}",
                                text.empty() ? ":" : ",",
                                group_title(groups[i]),
                                grouped_text(tenths[i], 1));
    return grouped_text(total, 1) + " kWh" + text;
}

std::string watts_text(DrawnPower power) {
    return grouped_text(divide_half_up(power.count(), 100), 1);
}

std::string pool_sentence(const ResultPool& pool, const EnergyUse& use) {
    const PlanEnergy& energy = *pool.energy;
    std::string text =
        fmt::format("{}: {} kWh", pool.name, tenths_of(use.drawn.count(), drawn_per_tenth_kwh));
    if (energy.grid)
        text += fmt::format(", {}, {} g per kWh{}{}",
                            carbon_text(use),
                            micro_text(mean_intensity(pool, use)),
                            pool.grid ? " on average" : "",
                            energy.grid_name.empty() ? "" : " (" + energy.grid_name + ")");
    return text +
           fmt::format("; a GPU draws {} W busy and {} W idle, with its node and a PUE of {}",
                       watts_text(energy.busy),
                       watts_text(energy.idle),
                       micro_text(int128{energy.pue_milli} * 1000));
}

} // namespace

int128 mean_intensity(const ResultPool& pool, const EnergyUse& use) {
    if (!pool.grid)
        return int128{pool.energy->grid->count()} * 1000;
    if (use.drawn == DrawnEnergy{})
        return int128{pool.grid->at(Duration{}).count()} * 1000;
    return divide_half_up(1000 * use.emitted.count(), use.drawn.count());
}

bool has_energy(const Result& result) {
    return !result.pools.empty() && result.pools.front().energy.has_value();
}

bool has_carbon(const Result& result) {
    return has_energy(result) && result.pools.front().energy->grid.has_value();
}

EnergyUse energy_of(const Result& result, const ResultCell& cell) {
    const PlanEnergy& energy = *result.pools[cell.pool].energy;
    const DrawnPower power = power_in(energy, power_state(cell.leaf));
    EnergyUse use{power * cell.held, {}, {}};
    if (energy.grid) {
        const bool varies = result.pools[cell.pool].grid.has_value();
        use.emitted = power * (varies ? cell.grid : *energy.grid * cell.held);
        use.embodied = energy.embodied * cell.held;
    }
    return use;
}

std::vector<EnergyUse> energy_by_pool(const Result& result) {
    std::vector<EnergyUse> out(result.pools.size());
    for (const ResultCell& cell : result.cells)
        out[cell.pool] += energy_of(result, cell);
    return out;
}

int128 kwh_micro(DrawnEnergy drawn) {
    return divide_half_up(drawn.count(), drawn_per_micro_kwh);
}

int128 kg_micro(EmittedCarbon carbon) {
    return divide_half_up(carbon.count(), carbon_per_micro_kg);
}

PrintedEnergy print_energy(const Result& result) {
    PrintedEnergy out;
    if (!has_energy(result))
        return out;
    std::vector<int128> drawn;
    std::vector<int128> carbon;
    for (const ResultCell& cell : result.cells) {
        const EnergyUse use = energy_of(result, cell);
        drawn.push_back(use.drawn.count());
        carbon.push_back(use.carbon().count());
    }
    const EnergyUse sum = sum_of(result);
    out.kwh = print_levels(result, drawn, drawn_per_micro_kwh, kwh_micro(sum.drawn));
    if (!has_carbon(result))
        return out;
    out.carbon_kg = print_levels(result, carbon, carbon_per_micro_kg, kg_micro(sum.carbon()));
    out.embodied_kg = kg_micro(sum.embodied);
    return out;
}

std::vector<std::string> energy_sentences(const Result& result) {
    if (!has_energy(result))
        return {};
    std::vector<std::string> out{kwh_text(result)};
    if (has_carbon(result))
        out.front() += "; " + carbon_text(sum_of(result));
    const std::vector<EnergyUse> by_pool = energy_by_pool(result);
    for (std::size_t p = 0; p < by_pool.size(); ++p)
        out.push_back(pool_sentence(result.pools[p], by_pool[p]));
    return out;
}

}} // namespace bursar::reports
