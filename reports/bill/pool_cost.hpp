#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What is paid for a pool while nodes of it come and go.
class PoolCost {
  public:
    PoolCost(const Result& result, const ResultPool& pool) : result_{&result}, pool_{&pool} {}

    /// From `t` on: the slots of nodes that are not there.
    void note_off(Duration t, std::int64_t off_slots) {
        advance_to(t);
        off_slots_ = off_slots;
    }
    void advance_to(Duration t) {
        saved_ += saved_over(now_, t);
        saved_in_window_ += saved_over(inside(now_), inside(t));
        now_ = t;
    }
    /// Since the window began.
    [[nodiscard]] Money in_window() const {
        return pool_->cost_between(result_->window_begin, inside(now_)) - saved_in_window_;
    }
    /// Since the run began, in the window or not.
    [[nodiscard]] Money since_begin() const {
        return pool_->cost_between(Duration{}, now_) - saved_;
    }
    /// What an hour costs now.
    [[nodiscard]] Money per_hour() const {
        const std::int64_t slots = pool_->num_gpus() * slots_per_gpu - off_slots_;
        return pool_->price.at(now_) * slot_time(slots, hour);
    }

  private:
    [[nodiscard]] Duration inside(Duration t) const {
        return std::clamp(t, result_->window_begin, result_->window_end);
    }
    [[nodiscard]] Money saved_over(Duration begin, Duration end) const {
        return off_slots_ > 0 && begin < end ? pool_->price.cost(off_slots_, begin, end) : Money{};
    }

    const Result* result_;
    const ResultPool* pool_;
    Duration now_{};
    std::int64_t off_slots_{};
    Money saved_{};
    Money saved_in_window_{};
};

/// One for each pool, at time zero.
inline std::vector<PoolCost> costs_of(const Result& result) {
    std::vector<PoolCost> costs;
    for (const ResultPool& pool : result.pools)
        costs.emplace_back(result, pool);
    return costs;
}

}} // namespace bursar::reports
