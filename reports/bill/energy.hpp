#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/energy/metered.hpp"

#include "reports/bill/printed_bill.hpp"
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

/// Whether the scenario models energy, and carbon with it. Both hold for all pools or for none.
[[nodiscard]] bool has_energy(const Result& result);
[[nodiscard]] bool has_carbon(const Result& result);

/// The energy of a cell: its GPU time times the power of a held GPU or of an idle one; 0 while its
/// node is not there. Precondition: has_energy(result).
[[nodiscard]] EnergyUse energy_of(const Result& result, const ResultCell& cell);

/// Emissions per kWh of a pool in micrograms, as the mean over its energy `use`. Without energy:
/// that of the grid at the zero. Precondition: has_carbon(result).
[[nodiscard]] int128 mean_intensity(const ResultPool& pool, const EnergyUse& use);

/// By pool. Precondition: has_energy(result).
[[nodiscard]] std::vector<EnergyUse> energy_by_pool(const Result& result);

/// The figures of files in millionths of a kWh and of a kg; absent where they are not modelled.
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
/// hardware", then a sentence for each pool with what its GPUs draw; empty without
/// energy.
[[nodiscard]] std::vector<std::string> energy_sentences(const Result& result);

/// The energy of a pool over time, by the state of its GPUs. It adds up to the energy of its cells:
/// time billed past the end draws nothing.
class EnergyMeter {
  public:
    EnergyMeter(const Result& result, const ResultPool& pool) : result_{&result}, pool_{&pool} {}

    /// From `t` on: the slots that jobs hold, and the slots of nodes that are not there.
    void note(Duration t, std::int64_t held_slots, std::int64_t off_slots) {
        advance_to(t);
        held_slots_ = held_slots;
        off_slots_ = off_slots;
    }
    void advance_to(Duration t) {
        since_begin_ += per_ms() * (t - now_).count();
        in_window_ += use_over(inside(now_), inside(t));
        now_ = t;
    }
    [[nodiscard]] DrawnEnergy since_begin() const { return since_begin_; }
    /// Since the window began.
    [[nodiscard]] const EnergyUse& in_window() const { return in_window_; }
    /// Now.
    [[nodiscard]] DrawnEnergy per_ms() const {
        const PlanEnergy& energy = *pool_->energy;
        return energy.busy * slot_time(held_slots_, millisecond) +
               energy.idle * slot_time(free_slots(), millisecond);
    }

  private:
    [[nodiscard]] Duration inside(Duration t) const {
        return std::clamp(t, result_->window_begin, result_->window_end);
    }
    /// Per millisecond, of the nodes that are there.
    [[nodiscard]] std::int64_t free_slots() const {
        return pool_->num_gpus() * slots_per_gpu - off_slots_ - held_slots_;
    }
    [[nodiscard]] EnergyUse use_over(Duration begin, Duration end) const {
        const PlanEnergy& energy = *pool_->energy;
        EnergyUse use{per_ms() * (end - begin).count(), {}, {}};
        if (energy.grid) {
            use.emitted = energy.busy * pool_->grid_time(held_slots_, begin, end) +
                          energy.idle * pool_->grid_time(free_slots(), begin, end);
            use.embodied = energy.embodied * slot_time(held_slots_ + free_slots(), end - begin);
        }
        return use;
    }

    const Result* result_;
    const ResultPool* pool_;
    Duration now_{};
    std::int64_t held_slots_{};
    std::int64_t off_slots_{};
    DrawnEnergy since_begin_;
    EnergyUse in_window_;
};

}} // namespace bursar::reports
