#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/reliability/checkpoint_cost.hpp"
#include "models/reliability/checkpoint_size.hpp"

namespace bursar::checkpoint_cost_test {

// BLOOM-176B: 14 B per parameter, 2.3 TB in 40 s from 384 writers (FORMULAS 6.1).
TEST_CASE("BLOOM's checkpoint has its published size and time") {
    const ByteVolume size = checkpoint_size(176e9, 14);
    CHECK(size.count() / bytes_per_gib == doctest::Approx(2295).epsilon(1e-3));
    CHECK(size.count() / 1e12 == doctest::Approx(2.3).epsilon(0.08)); // TB as TiB: 2.24
    const CheckpointWriters writers{384, ByteRate{0.15e9}, {}};
    CHECK(write_rate(writers).count() == doctest::Approx(57.6e9));
    const CheckpointCost cost = synchronous_checkpoint(ByteVolume{2.3e12}, write_rate(writers));
    CHECK(cost.blocking.count() == doctest::Approx(40).epsilon(0.01));
    CHECK(cost.background == Seconds{});
    // Every 3 h: about 0.37 % of the time.
    CHECK(cost.blocking / Seconds{3 * seconds_per_hour} == doctest::Approx(0.0037).epsilon(0.01));
}

TEST_CASE("the slower of writers and file system decides") {
    CHECK(write_rate({10, ByteRate{1e9}, ByteRate{5e9}}) == ByteRate{5e9});
    CHECK(write_rate({10, ByteRate{1e9}, ByteRate{50e9}}) == ByteRate{10e9});
    CHECK(write_rate({10, {}, ByteRate{50e9}}) == ByteRate{50e9});
    CHECK_THROWS_AS((void)write_rate({10, {}, {}}), ModelError);
    CHECK_THROWS_AS((void)write_rate({0, ByteRate{1e9}, {}}), ModelError);
    CHECK_THROWS_AS((void)write_rate({1, ByteRate{0}, {}}), ModelError);
    CHECK_THROWS_AS((void)write_rate({1, {}, ByteRate{-1}}), ModelError);
}

TEST_CASE("asynchronous saving blocks only for the copy to the host") {
    const CheckpointCost cost = asynchronous_checkpoint({.size = ByteVolume{800e9},
                                                         .shards = 8,
                                                         .copy_rate = ByteRate{20e9},
                                                         .write_rate = ByteRate{10e9},
                                                         .synchronise = Seconds{1},
                                                         .interference = 0.02});
    CHECK(cost.blocking == Seconds{6});
    CHECK(cost.background == Seconds{80});
    CHECK(cost.interference == 0.02);
    CHECK(lost_per_checkpoint(cost).count() == doctest::Approx(7.6));
    CHECK(synchronous_checkpoint(ByteVolume{800e9}, ByteRate{10e9}, Seconds{1}).blocking ==
          Seconds{81});
}

TEST_CASE("incremental checkpoints save less and load more") {
    const ByteVolume full{100e9};
    const IncrementalPlan plan{0.25, 5};
    CHECK(mean_saved(full, plan).count() == doctest::Approx(40e9));   // (1 + 4 · 0.25) / 5
    CHECK(mean_loaded(full, plan).count() == doctest::Approx(150e9)); // 1 + 0.25 · (0+1+2+3+4)/5
    CHECK(mean_saved(full, {0.25, 1}) == full);
    CHECK(mean_loaded(full, {1, 1}) == full);
    CHECK_THROWS_AS((void)mean_saved(full, {1.5, 2}), ModelError);
    CHECK_THROWS_AS((void)mean_loaded(full, {0.5, 0.5}), ModelError);
}

TEST_CASE("a restart is the sum of its terms") {
    const RestartTime restart{Seconds{60},
                              Seconds{120},
                              Seconds{30},
                              load_time(ByteVolume{2e12}, 2, ByteRate{100e9}),
                              Seconds{20},
                              Seconds{10}};
    CHECK(restart.load == Seconds{40});
    CHECK(restart.total() == Seconds{280});
    CHECK_THROWS_AS((void)load_time(ByteVolume{1}, 0, ByteRate{1}), ModelError);
}

TEST_CASE("sizes come by recipe, and must be above zero") {
    using enum CheckpointContents;
    CHECK(checkpoint_bytes_per_parameter(StateRecipe::mixed_adam, full) == 14);
    CHECK(checkpoint_bytes_per_parameter(StateRecipe::megatron_adam, full) == 14);
    CHECK(checkpoint_bytes_per_parameter(StateRecipe::mixed_adam, weights) == 2);
    CHECK(checkpoint_bytes_per_parameter(StateRecipe::fp32_adam, full) == 12);
    CHECK(checkpoint_bytes_per_parameter(StateRecipe::fp32_adam, weights) == 4);
    CHECK(checkpoint_bytes_per_parameter(StateRecipe::mixed_sgd, full) == 10);
    CHECK_THROWS_AS((void)checkpoint_size(0, 14), ModelError);
    CHECK_THROWS_AS((void)checkpoint_size(1e9, -2), ModelError);
    CHECK_THROWS_AS((void)synchronous_checkpoint(ByteVolume{0}, ByteRate{1}), ModelError);
    CHECK_THROWS_AS((void)synchronous_checkpoint(ByteVolume{1}, ByteRate{1}, Seconds{-1}),
                    ModelError);
    CHECK_THROWS_AS(
        (void)asynchronous_checkpoint({ByteVolume{1}, 1, ByteRate{1}, ByteRate{1}, {}, 2}),
        ModelError);
    CHECK_THROWS_AS(check(CheckpointCost{Seconds{1}, Seconds{-1}, 0}), ModelError);
}

} // namespace bursar::checkpoint_cost_test
