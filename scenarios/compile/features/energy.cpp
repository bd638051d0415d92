#include "scenarios/compile/features/energy.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "models/energy/power.hpp"

#include "scenarios/catalog/carbon.hpp"
#include "scenarios/compile/features/series_cover.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/keys/fleet/fleet_keys.hpp"
#include "scenarios/reader/number_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// "57.4 W"
std::string watts(std::int64_t milliwatts) {
    return fmt::format("{:.4g} W", static_cast<double>(milliwatts) / 1000);
}

/// `milli` thousandths of it, half up.
std::int64_t times_milli(std::int64_t count, std::int64_t milli) {
    return (count * milli + 500) / 1000;
}

/// The grid that the scenario states for a pool; null: none is stated, or the one of its region
/// holds.
const GridSpec* stated_grid(const Scenario& scenario, const PoolSpec& pool) {
    if (pool.energy && pool.energy->grid)
        return &*pool.energy->grid;
    return scenario.energy && scenario.energy->grid ? &*scenario.energy->grid : nullptr;
}

/// The instant of the scenario's zero, in the times of a file of a grid.
std::int64_t
zero_of(const GridFile& file, const PoolSpec& pool, std::optional<std::int64_t> zero_utc_ms) {
    if (!file.is_dated)
        return 0;
    if (!zero_utc_ms)
        fail_input(pool.place,
                   fmt::format("fleet.{}.energy.grid", pool.name),
                   mistake(fmt::format("{} is dated, and the workload is not", file.name()),
                           "the day on which the run begins is not specified",
                           "give workload.trace.start, or intensities by seconds since the begin"));
    return *zero_utc_ms;
}

/// In scenario time; without steps where the intensity never changes.
GridSeries
series_of(const GridFile& file, const PoolSpec& pool, std::optional<std::int64_t> zero_utc_ms) {
    const bool varies = std::ranges::adjacent_find(file.steps.rate, std::ranges::not_equal_to{}) !=
                        file.steps.rate.end();
    const std::int64_t zero = zero_of(file, pool, zero_utc_ms);
    return varies ? since(Duration{zero}, file.steps) : GridSeries{};
}

/// The energy of one pool, and its assumptions.
class PoolEnergy {
  public:
    PoolEnergy(const Scenario& scenario, const PoolSpec& pool, const Catalogue& catalogue)
        : general_{scenario.energy ? *scenario.energy : EnergySpec{}},
          own_{pool.energy ? *pool.energy : EnergySpec{}}, pool_{pool},
          owned_power_{pool.owned && pool.owned->power_milliwatts > 0},
          gpu_{*catalogue.find(pool.gpu)}, node_{gpu_.tdp_w ? measured_node() : nullptr} {
        find_grid();
        find_power();
        find_pue();
        find_embodied();
        plan_.idle = DrawnPower{times_milli(idle_, plan_.pue_milli)};
        plan_.busy = DrawnPower{times_milli(busy_, plan_.pue_milli)};
        if (plan_.busy > max_drawn_power)
            fail(mistake(fmt::format("{} per GPU with its building", watts(plan_.busy.count())),
                         "at most 10 kW"));
    }

    [[nodiscard]] const PlanEnergy& plan() const { return plan_; }
    /// Empty if the scenario states every value.
    [[nodiscard]] std::string assumed() const {
        return assumed_.empty()
                   ? ""
                   : fmt::format("energy of pool {}: {}", pool_.name, fmt::join(assumed_, ", "));
    }

  private:
    template <class T>
    [[nodiscard]] std::optional<T> stated(std::optional<T> EnergySpec::*member) const {
        return own_.*member ? own_.*member : general_.*member;
    }
    [[noreturn]] void fail(Finding finding) const {
        fail_input(pool_.place, fmt::format("fleet.{}.energy", pool_.name), std::move(finding));
    }

    void find_grid() {
        grid_ = stated(&EnergySpec::grid);
        if (!grid_ && !pool_.region.empty()) {
            const CarbonCatalogue& catalogue = builtin_carbon_catalogue();
            const std::vector<std::string> known = catalogue.region_names();
            if (std::ranges::find(known, pool_.region) != known.end())
                grid_ = grid_of(catalogue.region(pool_.region, pool_.place, "region"));
        }
        if (!grid_)
            return;
        plan_.grid = grid_->intensity;
        plan_.grid_name = grid_->file ? grid_->file->name() : grid_->region;
        if (grid_->file)
            assumed_.push_back(
                fmt::format("its grid is {} ({:08x}), {} to {}",
                            grid_->file->name(),
                            grid_->file->hash >> 32U,
                            grid_->file->instant(grid_->file->steps.start_ms.front()),
                            grid_->file->instant(grid_->file->end_ms)));
        if (!grid_->region.empty())
            assumed_.push_back(fmt::format("{:.6g} g CO2e per kWh throughout in {} ({})",
                                           static_cast<double>(grid_->intensity.count()) / 1000,
                                           grid_->region,
                                           grid_->source));
    }

    /// The built-in catalogue's measured node with that GPU; null: none.
    [[nodiscard]] const NodePower* measured_node() const {
        return builtin_carbon_catalogue().node_with(gpu_.name);
    }

    [[nodiscard]] double node_overhead() const {
        return node_ == nullptr
                   ? default_node_overhead
                   : node_overhead_of(gpu_,
                                      Power{static_cast<double>(node_->busy_milliwatts) / 1000});
    }

    /// Milliwatts at a share of the TDP, the GPU's share of its node included.
    [[nodiscard]] std::int64_t by_tdp(double share) const {
        if (!gpu_.tdp_w)
            fail(mistake("missing: idle and busy",
                         fmt::format("the catalogue knows no TDP of {}", gpu_.name)));
        return std::llround(*gpu_.tdp_w * share * (1 + node_overhead()) * 1000);
    }

    void find_power() {
        const auto idle = stated(&EnergySpec::idle_milliwatts);
        const auto busy = stated(&EnergySpec::busy_milliwatts);
        if (owned_power_ && !idle && !busy) {
            idle_ = busy_ = pool_.owned->power_milliwatts;
            assumed_.push_back(
                fmt::format("{} per GPU, idle or busy, as under `owned`", watts(busy_)));
            return;
        }
        busy_ = busy ? *busy : by_tdp(training_power_share);
        idle_ = idle   ? *idle
                : busy ? std::llround(static_cast<double>(*busy) * default_idle_share /
                                      training_power_share)
                       : by_tdp(default_idle_share);
        if (idle_ > busy_)
            fail(mistake(fmt::format("idle: {} is above busy", watts(idle_)),
                         fmt::format("by its TDP {} draws {}", gpu_.name, watts(busy_)),
                         "give busy"));
        if (!busy && node_ != nullptr)
            assumed_.push_back(fmt::format("{} per busy GPU with its node (measured, {} to {} by "
                                           "workload: {})",
                                           watts(busy_),
                                           watts(node_->low_milliwatts),
                                           watts(node_->high_milliwatts),
                                           node_->source));
        else if (!busy)
            assumed_.push_back(fmt::format("{} per busy GPU ({:g} % of its TDP, and {:g} % for "
                                           "its node)",
                                           watts(busy_),
                                           100 * training_power_share,
                                           100 * default_node_overhead));
        if (!idle)
            assumed_.push_back(fmt::format(
                "{} per idle GPU ({:g} % of its TDP)", watts(idle_), 100 * default_idle_share));
    }

    void find_pue() {
        const CarbonCatalogue& catalogue = builtin_carbon_catalogue();
        std::string source;
        if (const auto pue = stated(&EnergySpec::pue)) {
            plan_.pue_milli = pue->milli;
            if (pue->source.empty())
                return;
            source = pue->source;
        } else if (owned_power_) {
            plan_.pue_milli = pool_.owned->pue_milli;
            source = "as under `owned`";
        } else if (grid_ && grid_->pue_milli > 0) {
            plan_.pue_milli = grid_->pue_milli;
            const CarbonProvider& provider =
                *catalogue.region(grid_->region, pool_.place, "region").provider;
            source = fmt::format("of {}: {}", provider.name, provider.pue_source);
        } else {
            plan_.pue_milli = std::llround(catalogue.unknown_pue * 1000);
            source = catalogue.unknown_pue_source;
        }
        assumed_.push_back(fmt::format("a PUE of {} ({})", milli_text(plan_.pue_milli), source));
    }

    void find_embodied() {
        const auto embodied = stated(&EnergySpec::embodied);
        if (!embodied)
            return;
        const int128 nanograms_ms = int128{embodied->grams} * 1'000'000'000 * hour.count();
        const std::int64_t life_ms = embodied->life.count();
        plan_.embodied =
            EmbodiedRate{static_cast<std::int64_t>((nanograms_ms + life_ms / 2) / life_ms)};
    }

    const EnergySpec general_;
    const EnergySpec own_;
    const PoolSpec& pool_;
    bool owned_power_;
    const Gpu& gpu_;
    const NodePower* node_; ///< null: not measured
    std::optional<GridSpec> grid_;
    std::int64_t idle_{}; ///< milliwatts without the building
    std::int64_t busy_{};
    PlanEnergy plan_;
    std::vector<std::string> assumed_;
};

/// Fails if only some pools have a grid: their carbon would look like the total.
void check_grids(const Scenario& scenario, const Plan& plan) {
    const auto has_grid = [](const PlanEnergy& energy) { return energy.grid.has_value(); };
    if (std::ranges::none_of(plan.energy, has_grid))
        return;
    for (std::size_t p = 0; p < plan.energy.size(); ++p)
        if (!has_grid(plan.energy[p]))
            fail_input(scenario.fleet[p].place,
                       fmt::format("fleet.{}.energy.grid", scenario.fleet[p].name),
                       mistake("missing",
                               "other pools have one, and carbon is of all or of none",
                               "a region of `bursar catalog carbon`, or such as \"57 g/kWh\""));
}

} // namespace

void plan_energy(const CompileInput& input, Compiled& compiled) {
    const Scenario& scenario = input.scenario;
    if (!scenario.asks_for_energy())
        return;
    Plan& plan = compiled.plan;
    for (const PoolSpec& pool : scenario.fleet) {
        plan.energy.push_back(PoolEnergy{scenario, pool, input.catalogue}.plan());
        const GridSpec* grid = stated_grid(scenario, pool);
        const GridSeries series = grid != nullptr && grid->file
                                      ? series_of(*grid->file, pool, input.zero_utc_ms)
                                      : GridSeries{};
        plan.grid.series.push_back(
            series.size() == 0 ? PlanMeter::no_series
                               : static_cast<std::uint16_t>(plan.grid.integrals.add(series)));
    }
    if (plan.grid.integrals.series.empty())
        plan.grid.series.clear();
    check_grids(scenario, plan);
}

Notes energy_notes(const CompileInput& input, const Compiled& compiled) {
    const Scenario& scenario = input.scenario;
    Notes notes;
    if (!scenario.asks_for_energy())
        return notes;
    for (const PoolSpec& pool : scenario.fleet) {
        const PoolEnergy energy{scenario, pool, input.catalogue};
        if (std::string assumed = energy.assumed(); !assumed.empty())
            notes.assumed.push_back(std::move(assumed));
        const GridSpec* grid = stated_grid(scenario, pool);
        for (const Finding& note :
             grid != nullptr && grid->file ? grid->file->notes : std::vector<Finding>{})
            if (std::ranges::find(notes.warnings, note.text()) == notes.warnings.end())
                notes.warnings.push_back(note.text());
    }
    const std::vector<PlanEnergy>& pools = compiled.plan.energy;
    if (!pools.front().grid)
        notes.unmodelled.emplace_back("carbon (no grid is named)");
    else if (!std::ranges::all_of(
                 pools, [](const PlanEnergy& energy) { return energy.embodied > EmbodiedRate{}; }))
        notes.unmodelled.emplace_back("carbon of making the hardware");
    return notes;
}

namespace {

/// Notes for grids whose file has no dates, begins after the run's begin, or ends before its end
/// `end`.
std::vector<std::string>
assumed_grids(const Scenario& scenario, std::optional<std::int64_t> zero_utc_ms, Duration end) {
    std::vector<std::string> assumed;
    for (const PoolSpec& pool : scenario.fleet) {
        const GridSpec* grid = scenario.asks_for_energy() ? stated_grid(scenario, pool) : nullptr;
        if (grid == nullptr || !grid->file)
            continue;
        const GridFile& file = *grid->file;
        const std::int64_t zero = zero_of(file, pool, zero_utc_ms);
        const std::int64_t first = file.steps.start_ms.front();
        const std::string of_pool = fmt::format("energy of pool {}: {}", pool.name, file.name());
        if (!file.is_dated)
            assumed.push_back(of_pool + " begins to count time with the run");
        if (first > zero)
            assumed.push_back(fmt::format("{} begins {}, after the run: until then its first "
                                          "intensity is taken",
                                          of_pool,
                                          file.instant(first)));
        if (file.end_ms < zero + end.count())
            assumed.push_back(
                fmt::format("{} ends {}, {}: its last intensity is taken",
                            of_pool,
                            file.instant(file.end_ms),
                            file.end_ms <= zero ? "before the run begins" : "before the run does"));
    }
    return assumed;
}

/// Warnings for grids whose file covers less than half of a run that ends at `end`.
std::vector<std::string>
grid_warnings(const Scenario& scenario, std::optional<std::int64_t> zero_utc_ms, Duration end) {
    std::vector<std::string> warnings;
    for (const PoolSpec& pool : scenario.fleet) {
        const GridSpec* grid = scenario.asks_for_energy() ? stated_grid(scenario, pool) : nullptr;
        if (grid == nullptr || !grid->file)
            continue;
        const GridFile& file = *grid->file;
        auto warning =
            uncovered({.name = file.name(),
                       .value = "intensity",
                       .first_ms = file.steps.start_ms.front(),
                       .end_ms = file.end_ms,
                       .instant = [&file](std::int64_t at_ms) { return file.instant(at_ms); },
                       .remedy = ""},
                      zero_of(file, pool, zero_utc_ms),
                      end);
        if (!warning)
            continue;
        warning->place = pool.place;
        warning->path = fmt::format("fleet.{}.energy.grid", pool.name);
        warnings.push_back(warning->text());
    }
    return warnings;
}

} // namespace

Notes run_notes_of_grids(const Scenario& scenario,
                         std::optional<std::int64_t> zero_utc_ms,
                         Duration end) {
    return {.warnings = grid_warnings(scenario, zero_utc_ms, end),
            .assumed = assumed_grids(scenario, zero_utc_ms, end)};
}

}} // namespace bursar::scenarios
