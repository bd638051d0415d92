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
        since_begin_ += pool_->price.cost(paid_slots(), now_, t);
        in_window_ += pool_->price.cost(paid_slots(), inside(now_), inside(t));
        now_ = t;
    }
    /// Since the window began.
    [[nodiscard]] Money in_window() const { return in_window_; }
    /// Since the run began, in the window or not.
    [[nodiscard]] Money since_begin() const { return since_begin_; }
    /// What an hour costs now.
    [[nodiscard]] Money per_hour() const {
        return pool_->price.at(now_) * slot_time(paid_slots(), hour);
    }

  private:
    [[nodiscard]] Duration inside(Duration t) const {
        return std::clamp(t, result_->window_begin, result_->window_end);
    }
    [[nodiscard]] std::int64_t paid_slots() const {
        return pool_->num_gpus() * slots_per_gpu - off_slots_;
    }

    const Result* result_;
    const ResultPool* pool_;
    Duration now_{};
    std::int64_t off_slots_{};
    Money since_begin_{};
    Money in_window_{};
};

/// One for each pool, at time zero.
inline std::vector<PoolCost> costs_of(const Result& result) {
    std::vector<PoolCost> costs;
    for (const ResultPool& pool : result.pools)
        costs.emplace_back(result, pool);
    return costs;
}

}} // namespace bursar::reports
