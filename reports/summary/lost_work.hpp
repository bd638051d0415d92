#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/units/units.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What was stopped for one cause over the whole run, and the work of it that had to be done again.
struct LostWork {
    std::uint64_t stops{};
    SlotTime lost{};
};

/// By StopCause. The work of jobs that the trace lets fail for good is not in it.
using LostByCause = std::array<LostWork, stop_cause_names.size()>;

[[nodiscard]] LostByCause lost_by_cause(const Result& result);

/// "12.5 GPU-hours of 41 attempts taken back, 3.0 of 7 whose node failed": the causes that lost
/// work, the most first; empty where none did. Over the whole run, which is said where the window
/// is shorter.
[[nodiscard]] std::string lost_work_sentence(const Result& result);

}} // namespace bursar::reports
