#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "models/training/step/replica_traffic.hpp"

#include "tests/properties.hpp"

namespace bursar::replica_traffic_test {

namespace {

// The event model bucket by bucket: start_i = max(ready_i, end_{i-1}).
Seconds finish_one_by_one(const std::vector<BucketRun>& runs) {
    Seconds end{};
    for (const BucketRun& run : runs)
        for (int i = 0; i < static_cast<int>(run.count); ++i)
            end = std::max(end, run.first_ready + run.spacing * i) + run.each;
    return end;
}

Seconds any_time(int up_to) {
    return Seconds{drawn::in_range(0, up_to) * 1e-3};
}

} // namespace

TEST_CASE("buckets behind the backward pass: only the last one shows") {
    const std::vector<BucketRun> runs{{10, Seconds{1}, Seconds{1}, Seconds{0.5}}};
    CHECK(finish_buckets(runs) == Seconds{10.5});
}

TEST_CASE("buckets slower than the pass queue up") {
    const std::vector<BucketRun> runs{{10, Seconds{1}, Seconds{1}, Seconds{3}}};
    CHECK(finish_buckets(runs) == Seconds{31});
}

TEST_CASE("no bucket ends at once") {
    CHECK(finish_buckets({}) == Seconds{});
}

TEST_CASE("sequences of buckets") {
    CHECK(check_property("end when a bucket-by-bucket simulation ends", [] {
        std::vector<BucketRun> runs;
        for (int i = drawn::in_range(1, 4); i > 0; --i)
            runs.push_back({static_cast<double>(drawn::in_range(1, 50)),
                            any_time(5000),
                            any_time(200),
                            any_time(200)});
        const double exact = finish_one_by_one(runs).count();
        RC_ASSERT(std::abs(finish_buckets(runs).count() - exact) <= 1e-9 * (1 + exact));
    }));
}

} // namespace bursar::replica_traffic_test
