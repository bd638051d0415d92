#pragma once

#include <string_view>

namespace bursar { inline namespace policies {

/// The head of the queue holds the only reservation (sim/engine/passes/easy_pass.hpp).
struct EasyBackfill {
    static constexpr std::string_view name = "easy";
    static constexpr bool needs_run_times = true;
    static constexpr std::string_view summary =
        "a later job starts if it does not delay the reservation of the first";
    static constexpr std::string_view cost =
        "shapes + log(queue) + log(running); by nodes, per reservation, the running jobs that end "
        "before it";
    static constexpr std::string_view source =
        "Lifka 1995 (JSSPP); Feitelson & Weil 1998 (IPPS/SPDP)";
};

}} // namespace bursar::policies
