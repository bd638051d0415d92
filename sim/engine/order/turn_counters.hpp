#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// Ties::turn as numbers, least first: running jobs in the order of their starts, before all that
/// wait; stopped jobs in front of those that wait; jobs that arrive, or get a new key, behind them.
class TurnCounters {
  public:
    /// The turns of running jobs are below, those of waiting ones from here on.
    static constexpr std::uint64_t first_waiting = std::uint64_t{1} << 63U;

    /// As of its arrival. Jobs arrive by their index.
    [[nodiscard]] BURSAR_HD static constexpr std::uint64_t of_arrival(JobId job) {
        return behind(job + std::uint64_t{1}, 0);
    }

    BURSAR_HD void clear() { *this = TurnCounters{}; }

    [[nodiscard]] BURSAR_HD std::uint64_t next_running() { return next_running_++; }

    /// In front of all that wait. Jobs that wait with their running turn's rank keep their order if
    /// the last of them comes first.
    [[nodiscard]] BURSAR_HD std::uint64_t next_in_front() { return next_in_front_--; }

    /// Behind all that wait; num_arrived have arrived so far.
    [[nodiscard]] BURSAR_HD std::uint64_t next_behind(std::uint32_t num_arrived) {
        serial_ = behind_ == num_arrived ? serial_ + 1 : 1;
        behind_ = num_arrived;
        return behind(num_arrived, serial_);
    }

  private:
    /// serial: counts jobs behind the same arrival; below 2^31.
    [[nodiscard]] BURSAR_HD static constexpr std::uint64_t behind(std::uint64_t num_arrived,
                                                                  std::uint32_t serial) {
        return first_waiting | num_arrived << 31U | serial;
    }

    std::uint64_t next_running_{};
    std::uint64_t next_in_front_{first_waiting - 1};
    std::uint32_t behind_{};
    std::uint32_t serial_{};
};

}} // namespace bursar::sim
