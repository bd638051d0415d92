#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/energy/metered.hpp"

#include "reports/bill/printed_levels.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What some GPU time drew, and what that emitted; exact.
struct EnergyUse {
    DrawnEnergy drawn;
    EmittedCarbon emitted;  ///< by the grid; 0 where carbon is not asked for
    EmittedCarbon embodied; ///< of making the hardware, by the time that it is paid for

    EnergyUse& operator+=(const EnergyUse& more) {
        drawn += more.drawn;
        emitted += more.emitted;
        embodied += more.embodied;
        return *this;
    }
    [[nodiscard]] EmittedCarbon carbon() const { return emitted + embodied; }
    bool operator==(const EnergyUse&) const = default;
};

/// Whether energy was asked for, and carbon with it: of all pools or of none.
[[nodiscard]] bool has_energy(const Result& result);
[[nodiscard]] bool has_carbon(const Result& result);

/// Of a cell of a result that has energy: the GPU time that its dollars are for, times what a GPU
/// draws that a job holds, or that none holds; nothing where no node is there.
[[nodiscard]] EnergyUse energy_of(const Result& result, const ResultCell& cell);

/// What a kWh of a pool's emitted, over all that `use`, its energy, drew; in micrograms. Where the
/// grid changes and nothing was drawn, that of the zero. Precondition: carbon is asked for.
[[nodiscard]] int128 mean_intensity(const ResultPool& pool, const EnergyUse& use);

/// By pool. Precondition: has_energy(result).
[[nodiscard]] std::vector<EnergyUse> energy_by_pool(const Result& result);

/// The figures of files in millionths of a kWh and of a kg; absent where they were not asked for.
struct PrintedEnergy {
    std::optional<PrintedLevels> kwh;
    std::optional<PrintedLevels> carbon_kg; ///< that of making the hardware included
    int128 embodied_kg{};                   ///< of it
};

[[nodiscard]] PrintedEnergy print_energy(const Result& result);

/// One figure in millionths of a kWh, or of a kg; half up.
[[nodiscard]] int128 kwh_micro(DrawnEnergy drawn);
[[nodiscard]] int128 kg_micro(EmittedCarbon carbon);

/// "1,234.5 kWh: productive 1,000.0, idle 234.5; 456.7 kg CO2e, 12.3 of them from making the
/// hardware", then a sentence for each pool with what its GPUs draw; empty where energy was not
/// asked for.
[[nodiscard]] std::vector<std::string> energy_sentences(const Result& result);

}} // namespace bursar::reports
