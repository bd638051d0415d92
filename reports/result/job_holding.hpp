#pragma once

#include <cstdint>
#include <vector>

#include "models/energy/metered.hpp"
#include "models/units/units.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What the stopped attempts of one job add up to.
struct StoppedSum {
    std::uint32_t stops{};
    std::uint32_t preemptions{};
    std::uint32_t failures{}; ///< faults of the platform
    Duration held{};
    Money cost{};
    DrawnEnergy energy{}; ///< 0 where it was not asked for
    SlotTime kept{};      ///< at work, with what stalled, and it lasted
    SlotTime lost{};      ///< at work, and it had to be done again
    SlotTime stalled{};   ///< of `kept`
};

/// One sum per job; empty where nothing was stopped.
[[nodiscard]] std::vector<StoppedSum> stopped_sums(const Result& result);

/// Time that the last attempt of a job held its GPUs; zero where it waits for them.
[[nodiscard]] Duration last_held(const Result& result, std::size_t job);

/// What a job's attempts held and cost. stopped: of that job.
[[nodiscard]] SlotTime held_by(const Result& result, std::size_t job, const StoppedSum& stopped);
[[nodiscard]] Money cost_of(const Result& result, std::size_t job, const StoppedSum& stopped);
/// What they drew, where energy was asked for; else nothing.
[[nodiscard]] DrawnEnergy
energy_of(const Result& result, std::size_t job, const StoppedSum& stopped);

}} // namespace bursar::reports
