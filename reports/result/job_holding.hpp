#pragma once

#include "models/units/units.hpp"

#include "reports/result/result.hpp"
#include "reports/result/stopped_sums.hpp"

namespace bursar { inline namespace reports {

/// Time that the last attempt of a job held its GPUs; zero where it waits for them.
[[nodiscard]] Duration last_held(const Result& result, std::size_t job);

/// What a job's attempts held and cost. stopped: of that job.
[[nodiscard]] SlotTime held_by(const Result& result, std::size_t job, const StoppedSum& stopped);
[[nodiscard]] Money cost_of(const Result& result, std::size_t job, const StoppedSum& stopped);
/// What they drew, where energy was asked for; else nothing.
[[nodiscard]] DrawnEnergy
energy_of(const Result& result, std::size_t job, const StoppedSum& stopped);

}} // namespace bursar::reports
