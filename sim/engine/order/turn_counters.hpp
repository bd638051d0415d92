#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// Ties::turn as numbers, least first: running jobs in the order of their starts, then stopped
/// jobs, then jobs that arrived or got a new key.
class TurnCounters {
  public:
    /// Running jobs have numbers below, waiting ones from here on.
    static constexpr std::uint64_t first_waiting = std::uint64_t{1} << 63U;

    /// The number of a job at its arrival. Jobs arrive in the order of their index.
    [[nodiscard]] BURSAR_HD static constexpr std::uint64_t of_arrival(JobId job) {
        return behind(job + std::uint64_t{1}, 0);
    }

    BURSAR_HD void clear() { *this = TurnCounters{}; }

    [[nodiscard]] BURSAR_HD std::uint64_t next_running() { return next_running_++; }

    /// Before all waiting jobs. Stopped jobs keep their order if the last one in order gets its
    /// number first.
    [[nodiscard]] BURSAR_HD std::uint64_t next_in_front() { return next_in_front_--; }

    /// After all waiting jobs, of which num_arrived have arrived so far.
    [[nodiscard]] BURSAR_HD std::uint64_t next_behind(std::uint32_t num_arrived) {
        serial_ = behind_ == num_arrived ? serial_ + 1 : 1;
        behind_ = num_arrived;
        return behind(num_arrived, serial_);
    }

  private:
    /// serial: number among jobs put behind the same arrival; below 2^31.
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
