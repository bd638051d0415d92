#pragma once

#include <cstdint>

#include "sim/arena/step_profile.hpp"
#include "sim/engine/attempts/event_heap.hpp"
#include "sim/engine/backfill/estimated_hold.hpp"
#include "sim/plan/ids.hpp"

namespace bursar::inline sim {

/// When the running attempts of each pool are believed to give their GPUs back: in order, with
/// partial sums. Keys are those of their release events, by belief.
class ReleaseCalendar {
  public:
    struct Release {
        std::int64_t time_ms{};
        AttemptId slot{};
    };

    ReleaseCalendar() = default;
    /// min_step: 1 where releases are gone through one by one, so that those of jobs without GPUs
    /// are among them; 0 where GPUs are summed up.
    BURSAR_HD ReleaseCalendar(ArenaCarver& carver,
                              const PlanView& plan,
                              std::uint32_t max_live,
                              std::int64_t min_step)
        : num_pools_{plan.num_pools}, min_step_{min_step},
          pools_{carver.take<StepProfile>(plan.num_pools)},
          nodes_{carver, max_live, plan.num_pools} {}

    BURSAR_HD void clear() {
        nodes_.clear();
        for (PoolId pool{0}; pool < num_pools_; ++pool) {
            pools_[pool] = StepProfile{};
        }
    }

    BURSAR_HD void add(const PlanView& plan, const Attempt& attempt, AttemptId slot) {
        change(attempt, believed_release_ms(plan, attempt), slot, slots_of(plan, attempt));
    }
    /// Returns when the attempt was believed to end.
    BURSAR_HD std::int64_t remove(const PlanView& plan, const Attempt& attempt, AttemptId slot) {
        const std::int64_t release_ms = believed_release_ms(plan, attempt);
        change(attempt, release_ms, slot, -slots_of(plan, attempt));
        return release_ms;
    }

    /// When `slots` of a pool will have come free beside what is free now; no_time: never.
    [[nodiscard]] BURSAR_HD std::int64_t time_of(PoolId pool, std::int64_t slots) const {
        const StepProfile::Step step = pools_[pool].first_at_least(nodes_, 0, slots);
        return step.key == StepProfile::no_key ? no_time : time_of_key(step.key);
    }
    /// GPUs of a pool that come free by `time_ms`, that instant included.
    [[nodiscard]] BURSAR_HD std::int64_t released_by(PoolId pool, std::int64_t time_ms) const {
        return pools_[pool].value_at(
            nodes_, EventKey{time_ms, EventKind::release, 0}.bits() | (EventKey::max_slots - 1));
    }
    /// The next release of a pool behind another one, in order; time no_time past the last.
    [[nodiscard]] BURSAR_HD Release next(PoolId pool, const Release& after) const {
        return to_release(pools_[pool].first_at_or_after(
            nodes_, EventKey{after.time_ms, EventKind::release, after.slot}.bits() + 1));
    }
    [[nodiscard]] BURSAR_HD Release first(PoolId pool) const {
        return to_release(pools_[pool].first_at_or_after(nodes_, 0));
    }

    static constexpr std::int64_t no_time = horizon_ms;

  private:
    [[nodiscard]] BURSAR_HD static std::int64_t time_of_key(std::uint64_t key) {
        return static_cast<std::int64_t>(key >> (EventKey::kind_bits + EventKey::slot_bits));
    }
    [[nodiscard]] BURSAR_HD static Release to_release(const StepProfile::Step& step) {
        if (step.key == StepProfile::no_key)
            return {no_time, AttemptId{0}};
        return {time_of_key(step.key), AttemptId{step.key & (EventKey::max_slots - 1)}};
    }
    [[nodiscard]] BURSAR_HD std::int64_t slots_of(const PlanView& plan,
                                                  const Attempt& attempt) const {
        const std::int64_t slots = plan.shapes[attempt.shape].slots();
        return slots > min_step_ ? slots : min_step_;
    }
    BURSAR_HD void
    change(const Attempt& attempt, std::int64_t release_ms, AttemptId slot, std::int64_t slots) {
        pools_[attempt.pool].add(
            nodes_, EventKey{release_ms, EventKind::release, slot}.bits(), slots);
    }

    std::uint32_t num_pools_{};
    std::int64_t min_step_{};
    StepProfile* pools_{};
    StepNodes nodes_;
};

} // namespace bursar::inline sim
