#pragma once

#include <string_view>

namespace bursar { inline namespace policies {

/// Time slicing: as PreemptByOrder, but GPUs are handed out again only at rounds, which are
/// multiples of the run's quantum. Under fifo those who were served least recently come first: a
/// waiting job since it was submitted or its turn ended, a running one since now; but a turn lasts
/// until some of its work would survive its end, to the end of a job that saves nothing. A job that
/// is stopped from outside has not had its turn: it waits in front of all others.
struct PreemptByQuantum {
    static constexpr std::string_view name = "quantum";
    static constexpr std::string_view summary =
        "GPUs are reallocated every round; running jobs that can keep some of their work "
        "yield to waiting ones";
    static constexpr std::string_view cost = "per round: as order";
    static constexpr std::string_view source =
        "Kleinrock 1964 (round robin); Narayanan et al., OSDI 2020 (Gavel's rounds)";
};

}} // namespace bursar::policies
