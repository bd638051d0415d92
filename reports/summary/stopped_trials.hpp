#pragma once

#include <cstdint>
#include <string>

#include "models/units/units.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Trials that a stopping rule ended by the end of the run, and what that saved against running
/// them all to their end.
struct StoppedTrials {
    std::uint64_t trials{};
    SlotTime spared{}; ///< time at work, without start-ups
    /// At the mean price of the GPU-hours of each trial's last job. Capacity that is paid whether
    /// it is used or not costs that much less only where fewer nodes are then paid for.
    Money spared_cost{};
};

[[nodiscard]] StoppedTrials stopped_trials(const Result& result);

/// "8 stopped early, which spared 60.0 GPU-hours, 120.00 USD at the price of theirs"; empty where
/// none was stopped.
[[nodiscard]] std::string stopped_trials_sentence(const Result& result);

}} // namespace bursar::reports
