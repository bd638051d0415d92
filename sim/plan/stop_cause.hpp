#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// Why an attempt ended before its own end.
enum class StopCause : std::uint8_t {
    none,              ///< it was not stopped
    preempted,         ///< a policy gave its GPUs to others
    reclaimed,         ///< the provider took its nodes back
    node_failed,       ///< a node under it failed
    hung,              ///< it stood still until that was noticed
    maintenance,       ///< its nodes are worked on
    budget,            ///< its money is spent
    resized,           ///< it goes on with another number of GPUs
    reclaimed_unsaved, ///< the provider took its nodes back before it could save its state
    job_failed,        ///< it failed by itself
    migrated,          ///< it goes on in another pool, where that costs less
};

/// Whether what is lost is a fault's, and not what a scheduler or a price cost.
[[nodiscard]] BURSAR_HD constexpr bool is_failure(StopCause cause) {
    return cause == StopCause::node_failed || cause == StopCause::hung ||
           cause == StopCause::job_failed;
}

/// What closes a pool or a shape, each cause by itself: it is open while the set is empty.
class CauseSet {
  public:
    [[nodiscard]] BURSAR_HD bool is_empty() const { return bits_ == 0; }
    BURSAR_HD void insert(StopCause cause) { bits_ |= bit(cause); }
    BURSAR_HD void erase(StopCause cause) { bits_ &= ~bit(cause); }

  private:
    [[nodiscard]] BURSAR_HD static std::uint32_t bit(StopCause cause) {
        return std::uint32_t{1} << static_cast<unsigned>(cause);
    }

    std::uint32_t bits_{};
};

/// Whether the attempt had no time to save its state.
[[nodiscard]] BURSAR_HD constexpr bool is_abrupt(StopCause cause) {
    return is_failure(cause) || cause == StopCause::reclaimed_unsaved;
}

}} // namespace bursar::sim
