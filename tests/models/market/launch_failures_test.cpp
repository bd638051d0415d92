#include <doctest/doctest.h>

#include "models/market/launch_failures.hpp"

namespace bursar::launch_failures_test {

static_assert(!LaunchFailures{0}.fails(0, 0, 1));
static_assert(LaunchFailures{1}.fails(0, 0, 1));

TEST_CASE("launch failures are drawn per time bucket, with the given share of buckets") {
    const LaunchFailures failures{0.3, 10 * minute};
    int num_failing = 0;
    bool alike = true;
    constexpr int num_buckets = 20'000;
    for (int bucket = 0; bucket < num_buckets; ++bucket) {
        const std::int64_t begin = bucket * failures.bucket.count();
        const bool fails = failures.fails(begin, 2, 7);
        alike = alike && failures.fails(begin + failures.bucket.count() - 1, 2, 7) == fails;
        num_failing += fails ? 1 : 0;
    }
    CHECK(alike);
    CHECK(num_failing == doctest::Approx(0.3 * num_buckets).epsilon(0.03));
}

TEST_CASE("pools and seeds have separate buckets; a bucket ends where the next begins") {
    const LaunchFailures failures{0.5, hour};
    int same_pool = 0;
    int same_seed = 0;
    constexpr int num_buckets = 2000;
    for (int bucket = 0; bucket < num_buckets; ++bucket) {
        const std::int64_t at = bucket * hour.count();
        same_pool += failures.fails(at, 0, 1) == failures.fails(at, 1, 1) ? 1 : 0;
        same_seed += failures.fails(at, 0, 1) == failures.fails(at, 0, 2) ? 1 : 0;
    }
    CHECK(same_pool == doctest::Approx(num_buckets / 2.0).epsilon(0.1));
    CHECK(same_seed == doctest::Approx(num_buckets / 2.0).epsilon(0.1));
    CHECK(failures.bucket_end(0) == hour.count());
    CHECK(failures.bucket_end(hour.count() - 1) == hour.count());
    CHECK(failures.bucket_end(hour.count()) == 2 * hour.count());
}

} // namespace bursar::launch_failures_test
