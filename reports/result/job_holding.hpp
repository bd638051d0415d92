#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/energy/metered.hpp"
#include "models/units/units.hpp"

#include "sim/record/metrics.hpp"
#include "sim/record/place_wait.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Sums over the stopped attempts of one job.
struct StoppedSum {
    std::uint32_t stops{};
    std::uint32_t preemptions{};
    std::uint32_t failures{}; ///< faults of the platform
    Duration held{};
    SlotTime held_slots{};
    Money cost{};
    DrawnEnergy energy{}; ///< 0 where it was not requested
    SlotTime kept{};      ///< at work and kept, with stalls
    SlotTime lost{};      ///< at work, and to be done again
    SlotTime stalled{};   ///< of `kept`
};

/// One sum per job; empty where nothing was stopped.
[[nodiscard]] std::vector<StoppedSum> stopped_sums(const Result& result);

/// Time that the last attempt of a job held its GPUs; zero if the job waits for GPUs.
[[nodiscard]] Duration last_held(const Result& result, std::size_t job);

/// Time that a job was in the queue, over all its waits, by reason. Absent where reasons were not
/// kept, and for a job that was not submitted. stopped: of the same job.
[[nodiscard]] std::optional<WaitTimes>
waits_of(const Result& result, std::size_t job, const StoppedSum& stopped);

/// Slot time and cost of all attempts of a job. stopped: of the same job.
[[nodiscard]] SlotTime held_by(const Result& result, std::size_t job, const StoppedSum& stopped);
[[nodiscard]] Money cost_of(const Result& result, std::size_t job, const StoppedSum& stopped);
/// Energy of all attempts; 0 where it was not requested.
[[nodiscard]] DrawnEnergy
energy_of(const Result& result, std::size_t job, const StoppedSum& stopped);

/// State of a job's deadline at the end of the run. Precondition: it has one.
[[nodiscard]] DeadlineState deadline_of(const Result& result, std::size_t job);

}} // namespace bursar::reports
