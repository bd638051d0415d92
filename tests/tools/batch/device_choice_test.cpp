#include <cstddef>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "tests/contains.hpp"
#include "tools/batch/device_choice.hpp"

namespace bursar::test::device_choice_test {

// A sample of 100 takes 1 s on the host, so that 1,000 take 10 s there.
TEST_CASE("GPUs make the rest of a batch if they are measured to be faster") {
    const DeviceChoice gpus = choose_device({100, 1.0, 2.0, 1'000}, 1'000);
    CHECK(gpus.takes_gpus); // one wave: 2 s
    CHECK(contains(gpus.why, "would take 2.00 s there, with 1000 at once, and 10 s here"));
    CHECK(contains(gpus.why, "pay from 200 such runs on"));
    const DeviceChoice few = choose_device({100, 1.0, 2.0, 1'000}, 150);
    CHECK_FALSE(few.takes_gpus); // the wave still takes 2 s, the host 1.5 s
    const DeviceChoice slow = choose_device({100, 1.0, 20.0, 1'000}, 100'000);
    CHECK_FALSE(slow.takes_gpus); // 100 waves of 20 s against 1,000 s
    CHECK(contains(slow.why, "pay at no number of such runs"));
    CHECK(choose_device({100, 1.0, 2.0, 1'000}, 1'001).takes_gpus); // two waves: 4 s
}

TEST_CASE("GPUs run as many at the same time as fit, and at least as many as in the sample") {
    CHECK_FALSE(choose_device({100, 1.0, 2.0, 1}, 1'000).takes_gpus); // ten waves of the sample
    CHECK(choose_device({100, 1.0, 0.5, 1}, 1'000).takes_gpus);
}

TEST_CASE("the host makes one run on each thread, even if the sample has fewer") {
    // 16 runs on 64 threads take as long as one: 640 take 10 s, and not 40 s.
    CHECK_FALSE(choose_device({16, 1.0, 12.0, 1'000, 64}, 640).takes_gpus);
    CHECK(choose_device({16, 1.0, 9.0, 1'000, 64}, 640).takes_gpus);
    CHECK(contains(choose_device({16, 1.0, 9.0, 1'000, 64}, 640).why, "pay from 576 such runs on"));
    // 9 on 8 threads are two waves, which have room for 16.
    CHECK_FALSE(choose_device({9, 2.0, 5.0, 1'000, 8}, 32).takes_gpus); // 4 s here
}

TEST_CASE("GPUs refuse the same share of the rest as of a sample, and the host makes it") {
    const DeviceChoice half = choose_device({100, 1.0, 2.0, 1'000, 1, 50}, 600);
    CHECK(half.takes_gpus); // one wave of 2 s and 300 runs here, 3 s, against 6 s
    CHECK(contains(half.why, "50 runs took 2.00 s on the GPUs and 100 1.00 s on the host"));
    CHECK(contains(half.why, "5.00 s there, with 1000 at once and 300 that they refuse here"));
    CHECK_FALSE(choose_device({100, 1.0, 2.0, 1'000, 1, 90}, 600).takes_gpus); // 2 s and 5.4 s
}

TEST_CASE("a sample is spread over the runs and has the longest one") {
    std::vector<std::size_t> runs(1'000);
    std::iota(runs.begin(), runs.end(), std::size_t{5});
    const std::vector<std::size_t> sample = sample_of(runs);
    CHECK(sample.size() == 125);
    CHECK(sample[0] == 5);
    CHECK(sample[1] == 13);
    CHECK(sample.back() == 5 + 124 * 8);
    CHECK(sample_of(std::vector<std::size_t>(10'000)).size() == 256);
    CHECK(sample_of(std::vector<std::size_t>(3)).size() == 1);
    CHECK(sample_of({}).empty());
}

} // namespace bursar::test::device_choice_test
