#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// The queue of FIFO with a blocking head: waiting jobs are a contiguous range of the plan's
/// columns. No memory, no search. Only the head may start, so jobs behind it are never counted by
/// shape.
class ArrivalCursor {
  public:
    static constexpr QueueMembers has{.start = true, .head = true};

    ArrivalCursor() = default;
    BURSAR_HD ArrivalCursor(ArenaCarver&, const PlanView& plan) : plan_{plan} {}

    BURSAR_HD void clear() { head_ = arrived_ = 0; }
    BURSAR_HD void arrive(JobId job) { arrived_ = job + 1; }
    BURSAR_HD void start(const Candidate&) { ++head_; }

    [[nodiscard]] BURSAR_HD std::uint32_t num_jobs() const { return arrived_ - head_; }

    /// The first job in order, whether it fits or not.
    template <class Team>
    [[nodiscard]] BURSAR_HD Candidate head(const Team&) const {
        if (head_ == arrived_)
            return {};
        const JobId job{head_};
        return {job, plan_.shape_of(job)};
    }

  private:
    PlanView plan_;
    std::uint32_t head_{};
    std::uint32_t arrived_{};
};

}} // namespace bursar::sim
