#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/stop_cause.hpp"

namespace bursar { inline namespace sim {

/// One attempt that holds GPUs, in one cache line. It has all that its end needs of its job, so
/// that an end reads no column of the plan.
struct alignas(64) Attempt {
    std::int64_t start_ms{};
    std::int64_t work_begin_ms{}; ///< after start-up, or after recovery if it is a later attempt
    /// Time at work on its pool if it is not stopped; after a stop, its stop_ms().
    std::int64_t work_ms{};
    Rank rank{}; ///< of its job in the queue, if the pass that started it sets it
    JobId job{};
    std::uint32_t first_piece{}; ///< handle of its nodes; in an unused slot: next free slot
    StoredPoolId pool{};
    StoredShapeId shape{};
    std::uint16_t job_class{};
    StoredTenantId tenant{};
    JobEnd end{};
    std::uint8_t level{}; ///< locality level of its nodes, as an index of Plan::speeds
    bool is_later{};      ///< not the first attempt of its job
    bool starts_up{};     ///< it goes on with the start-up of the first one
    StopCause cause{};    ///< not none: it was stopped, and holds its GPUs until its release

    [[nodiscard]] BURSAR_HD bool is_stopped() const { return cause != StopCause::none; }
    /// Precondition: is_stopped().
    [[nodiscard]] BURSAR_HD std::int64_t stop_ms() const { return work_ms; }
};
static_assert(sizeof(Attempt) == 64);

/// What the leaves of an attempt's work depend on, besides the job.
[[nodiscard]] BURSAR_HD inline WorkPlace place_of_work(const Attempt& attempt) {
    return {attempt.pool, attempt.shape, attempt.job_class, attempt.level};
}

/// The running attempts by slot: a fixed array with a list of free slots threaded through it.
class LiveAttempts {
  public:
    [[nodiscard]] BURSAR_HD static constexpr AttemptId none() { return AttemptId{0xffffffffU}; }

    LiveAttempts() = default;
    BURSAR_HD LiveAttempts(ArenaCarver& carver, std::uint32_t num_slots)
        : attempts_{carver.take<Attempt>(num_slots)}, num_slots_{num_slots} {}

    BURSAR_HD void clear() {
        for (AttemptId slot{0}; slot < num_slots_; ++slot) {
            attempts_[slot].first_piece = slot + 1 < num_slots_ ? slot + 1 : none();
        }
        first_free_ = num_slots_ > 0 ? AttemptId{0} : none();
    }

    [[nodiscard]] BURSAR_HD bool full() const { return first_free_ == none(); }

    /// Takes a free slot; fill it by at(slot). Precondition: not full().
    BURSAR_HD AttemptId insert() {
        const AttemptId slot = first_free_;
        first_free_ = AttemptId{attempts_[slot].first_piece};
        return slot;
    }
    [[nodiscard]] BURSAR_HD Attempt& at(AttemptId slot) { return attempts_[slot]; }

    BURSAR_HD void erase(AttemptId slot) {
        attempts_[slot].first_piece = first_free_;
        first_free_ = slot;
    }

    [[nodiscard]] BURSAR_HD const Attempt& operator[](AttemptId slot) const {
        return attempts_[slot];
    }

  private:
    Attempt* attempts_{};
    std::uint32_t num_slots_{};
    AttemptId first_free_{none()};
};

}} // namespace bursar::sim
