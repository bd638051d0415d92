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
    hung,              ///< it hung until that was noticed
    maintenance,       ///< its nodes go into maintenance
    budget,            ///< its money is spent
    resized,           ///< it continues with another number of GPUs
    reclaimed_unsaved, ///< the provider took its nodes back before it could save its state
    job_failed,        ///< it failed by its own fault
    migrated,          ///< it continues in a cheaper pool
    shared,            ///< it continues on its GPUs, which another job shares, or no longer
};

/// Whether lost work is booked as lost by a fault, not by scheduling or price.
[[nodiscard]] BURSAR_HD constexpr bool is_failure(StopCause cause) {
    return cause == StopCause::node_failed || cause == StopCause::hung ||
           cause == StopCause::job_failed;
}

/// The causes that close a pool or a shape; it is open while the set is empty.
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
