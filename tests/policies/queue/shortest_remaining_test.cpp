#include <doctest/doctest.h>

#include "policies/queue/shortest_remaining.hpp"

namespace bursar::shortest_remaining_test {

TEST_CASE("srtf serves by what is left until the end of the work, not by what the job was") {
    const ShortestRemainingRule srtf = ShortestRemainingFirst::from({});
    JobView fresh;
    fresh.run_time = fresh.remaining = 10 * minute;
    JobView nearly_done;
    nearly_done.run_time = 10 * hour;
    nearly_done.remaining = 9 * minute; // of which, say, 30 s are recovery
    CHECK(srtf.key(nearly_done) < srtf.key(fresh));
    CHECK(srtf.key(fresh) == 600'000); // ms: while the job runs, it falls by one per ms
    CHECK(ShortestRemainingRule::traits.preempts);
}

} // namespace bursar::shortest_remaining_test
