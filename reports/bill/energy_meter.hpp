#pragma once

#include <algorithm>
#include <cstdint>

#include "models/energy/metered.hpp"

#include "reports/bill/energy.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What a pool of a result that has energy draws as time goes on, by what its GPUs are doing: the
/// same as its cells say, but for what is billed past the end, which draws nothing.
class EnergyMeter {
  public:
    EnergyMeter(const Result& result, const ResultPool& pool) : result_{&result}, pool_{&pool} {}

    /// From `t` on jobs hold so many slots, and so many are of nodes that are not there.
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
    /// Of nodes that are there.
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
