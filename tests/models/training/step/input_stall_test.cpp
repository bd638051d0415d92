#include <doctest/doctest.h>

#include "models/training/step/input_stall.hpp"
#include "models/training/step/step_parts.hpp"

#include "tests/properties.hpp"

namespace bursar::input_stall_test {
using doctest::Approx;

namespace {

InputPipeline images() {
    return {.bytes_per_sample = ByteVolume{100e3},
            .cpu_per_sample = Seconds{10e-3},
            .workers = 10,
            .prefetch = 2,
            .storage = ByteRate{50e6},
            .cache = ByteRate{5e9},
            .cache_hit = 0,
            .pinned_memory = true};
}

constexpr ByteRate pcie{25e9};
constexpr StepSamples on_node{1000, 125}; // of 8 GPUs

} // namespace

TEST_CASE("loading takes the slower of storage and workers") {
    InputPipeline input = images();
    CHECK(loading_time(input, 1000).count() == Approx(2)); // 100 MB at 50 MB/s against 1 s
    input.cache_hit = 1;
    CHECK(loading_time(input, 1000).count() == Approx(1)); // later epochs: the workers
    input.cache_hit = 0.5;
    CHECK(loading_time(input, 1000).count() == Approx(50e6 / 50e6 + 50e6 / 5e9));
    input.workers = 0; // the training process itself
    input.cache_hit = 1;
    CHECK(loading_time(input, 1000).count() == Approx(10));
}

TEST_CASE("prefetching hides loading behind the step, no workers hide nothing") {
    InputPipeline input = images();
    CHECK(input_stall(input, on_node, Seconds{3}, pcie) == Seconds{});
    CHECK(input_stall(input, on_node, Seconds{1.5}, pcie).count() == Approx(0.5));
    input.prefetch = 1;
    CHECK(input_stall(input, on_node, Seconds{3}, pcie).count() == Approx(2));
    input.prefetch = 2;
    input.pinned_memory = false;
    CHECK(input_stall(input, on_node, Seconds{3}, pcie).count() ==
          Approx(12.5e6 / 25e9)); // its own link
}

TEST_CASE("a packed format waits for fewer files") {
    InputPipeline input = images();
    input.storage = ByteRate{1e9};
    CHECK(loading_time(input, 1000).count() == Approx(1));
    input.file_open = Seconds{20e-3};
    CHECK(loading_time(input, 1000).count() == Approx(1 + 2)); // 1,000 files, 10 at a time
    input.samples_per_file = 1000;
    CHECK(loading_time(input, 1000).count() == Approx(1.002));
    input.samples_per_file = 1;
    input.cache_hit = 0.75;
    CHECK(loading_time(input, 1000).count() == Approx(1 + 0.5));
}

TEST_CASE("stalls") {
    CHECK(check_property("shrink with workers and never below zero", [] {
        InputPipeline input = images();
        input.cache_hit = 1;
        input.workers = drawn::in_range<std::int64_t>(0, 64);
        const Seconds step{drawn::in_range(0, 4000) * 1e-3};
        const Seconds stall = input_stall(input, {500, 500}, step, pcie);
        RC_ASSERT(stall >= Seconds{});
        ++input.workers;
        RC_ASSERT(input_stall(input, {500, 500}, step, pcie) <= stall);
    }));
}

TEST_CASE("waiting for the slowest rank") {
    CHECK(straggler_wait(Seconds{10}, 0.01, 1) == Seconds{});
    CHECK(straggler_wait(Seconds{10}, 0, 1024) == Seconds{});
    CHECK(straggler_wait(Seconds{10}, 0.01, 1024).count() == Approx(0.1 * 3.7233)); // sqrt(2 ln G)
}

} // namespace bursar::input_stall_test
