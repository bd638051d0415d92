#pragma once

#include <string_view>

#include "sim/engine/setup/run_options.hpp"

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// At every event all GPUs are distributed again in the queue's order, skipping jobs that do not
/// fit; a running job that gets none stops. Implemented in the engine
/// (sim/engine/passes/preemptive_pass.hpp).
struct PreemptByOrder {
    static constexpr std::string_view name = "order";
    static constexpr std::string_view summary =
        "waiting jobs preempt running ones that are behind them in the queue order";
    static constexpr std::string_view cost = "heads + log(running) per start or stop";
    static constexpr std::string_view source =
        "Tiresias (Gu et al., NSDI 2019); Helios (Hu et al., SC 2021)";
    static constexpr OptionInfo options[]{
        {.name = "unfinished_recovery",
         .kind = OptionKind::choice,
         .meaning = "what a job preempted during recovery has yet to do: one recovery anew, or "
                    "the rest of that one and another (Helios)",
         .choices = {"anew", "owed"}},
    };

    UnfinishedRecovery unfinished_recovery{};

    static PreemptByOrder from(const PolicyOptions& given) {
        return {static_cast<UnfinishedRecovery>(given.value(options[0]))};
    }
};

}} // namespace bursar::policies
