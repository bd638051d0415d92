#include <doctest/doctest.h>

#include "policies/queue/shortest_remaining.hpp"

namespace bursar::shortest_remaining_test {

TEST_CASE("srtf serves by the time left, not by the whole run time") {
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

TEST_CASE("by GPU time a large gang has more left") {
    PolicyOptions options;
    options.set("by", {1});
    const ShortestRemainingRule srtf = ShortestRemainingFirst::from(options);
    JobView gang;
    gang.gpus = 8;
    gang.remaining = 2 * second;
    JobView one;
    one.gpus = 1;
    one.remaining = 10 * second;
    CHECK(srtf.key(one) < srtf.key(gang));
    CHECK(srtf.key(gang) == 16'000);                     // GPU-ms
    CHECK(srtf.own_traits().motion == KeyMotion::flows); // each as fast as its gang is large
    CHECK(ShortestRemainingFirst::from({}).own_traits().motion == KeyMotion::falls);
}

} // namespace bursar::shortest_remaining_test
