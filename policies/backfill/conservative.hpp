#pragma once

#include <cstdint>
#include <string_view>

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Every waiting job holds a reservation (sim/engine/passes/conservative_pass.hpp).
struct ConservativeBackfill {
    static constexpr std::string_view name = "conservative";
    static constexpr bool needs_run_times = true;
    static constexpr std::string_view summary =
        "every job gets a reservation when it arrives, and none delays another's";
    static constexpr std::string_view cost =
        "log(queue) + the gaps too short for the job; an end that differs from its estimate checks "
        "every reservation";
    static constexpr std::string_view source =
        "Mu'alem & Feitelson 2001 (IEEE TPDS 12(6)); Feitelson & Weil 1998 (IPPS/SPDP)";

    static constexpr std::int64_t every_job = 0xffffffff;
    static constexpr OptionInfo options[] = {
        {.name = "depth",
         .kind = OptionKind::count,
         .fallback = {every_job},
         .meaning = "maximum number of reservations; when a job starts, the next in order gets "
                    "one (as bf_max_job_test of Slurm)",
         .min = 1,
         .max = every_job,
         .max_is_no_limit = true}};

    [[nodiscard]] static std::uint32_t depth(const PolicyOptions& given) {
        return static_cast<std::uint32_t>(given.value(options[0]));
    }
};

}} // namespace bursar::policies
