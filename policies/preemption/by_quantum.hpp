#pragma once

#include <string_view>

namespace bursar { inline namespace policies {

/// Time slicing: as PreemptByOrder, but GPUs are distributed only at rounds, the multiples of the
/// run's quantum. Under fifo the job served least recently comes first: a waiting job ranks by its
/// submission or last preemption, a running one by the current time. A job is preempted only once
/// some of its work since its start is durable; one that saves nothing runs to its end. A job that
/// is stopped for another reason waits in front of all others.
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
