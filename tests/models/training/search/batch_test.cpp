#include <bit>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/training/search/batch.hpp"

#include "tests/models/training/memory/memory_fixture.hpp"
#include "tests/properties.hpp"

namespace bursar::batch_test {
namespace {

using test::gpt;
using test::megatron;

ByteVolume memory_with(TrainingJob job, std::int64_t batch, const MemoryOverheads& overheads) {
    job.layout.micro_batch = batch;
    return memory_use(job, overheads).total();
}

} // namespace

TEST_CASE("the largest batch fits and one more does not") {
    CHECK(check_property([] {
        TrainingJob job = megatron(gpt(8, 1024, 16), {});
        job.layout.pipeline = drawn::one_of(1, 2, 4);
        job.layout.micro_batches = 8;
        job.layout.recompute =
            drawn::one_of(Recompute::none, Recompute::selective, Recompute::full);
        MemoryOverheads overheads;
        // Not affine: part of the loss is constant in the batch.
        overheads.chunked_loss = drawn::boolean();
        const ByteVolume capacity{1e9 * drawn::in_range(1, 200)};
        const LargestBatch found =
            largest_micro_batch(job, capacity, BatchRounding::none, overheads);
        RC_ASSERT(memory_with(job, found.exact + 1, overheads) > capacity);
        if (found.exact > 0) {
            RC_ASSERT(memory_with(job, found.exact, overheads) <= capacity);
            RC_ASSERT(found.headroom() >= ByteVolume{});
        }
    }));
}

TEST_CASE("batches are rounded down, never to zero") {
    CHECK(rounded_batch(0, BatchRounding::multiple_of_8) == 0);
    CHECK(rounded_batch(7, BatchRounding::multiple_of_8) == 7);
    CHECK(rounded_batch(31, BatchRounding::multiple_of_8) == 24);
    CHECK(rounded_batch(31, BatchRounding::power_of_two) == 16);
    CHECK(rounded_batch(1, BatchRounding::power_of_two) == 1);
    CHECK(rounded_batch(0, BatchRounding::power_of_two) == 0);
    CHECK(rounded_batch(31, BatchRounding::none) == 31);
}

TEST_CASE("a batch that was rounded leaves headroom") {
    const TrainingJob job = megatron(gpt(24, 2048, 32), {});
    const ByteVolume capacity{78.4e9};
    const LargestBatch exact = largest_micro_batch(job, capacity);
    const LargestBatch rounded = largest_micro_batch(job, capacity, BatchRounding::power_of_two);
    CHECK(std::has_single_bit(static_cast<std::uint64_t>(rounded.batch)));
    CHECK(rounded.exact == exact.batch);
    CHECK(rounded.headroom() >= exact.headroom());
    CHECK(exact.headroom() < exact.per_unit);
    CHECK((exact.fixed + exact.per_unit * static_cast<double>(exact.batch)).count() ==
          doctest::Approx(exact.use.total().count()));
}

TEST_CASE("if not one sequence fits, the result is none with the memory of one") {
    const LargestBatch found =
        largest_micro_batch(megatron(gpt(24, 2048, 32), {}), ByteVolume{1e9});
    CHECK(found.batch == 0);
    CHECK(found.headroom() < ByteVolume{});
}

TEST_CASE("a generic network also has a largest batch") {
    GenericNetwork network;
    network.parameters = 25.6e6;
    network.activations_per_sample = ByteVolume{100e6};
    const LargestBatch found = largest_batch(
        network, StateRecipe::mixed_sgd, Precision::fp16, Sharding::none, 8, ByteVolume{15.68e9});
    CHECK(found.batch > 0);
    const auto total = [&](std::int64_t batch) {
        return memory_use(
                   network, StateRecipe::mixed_sgd, Precision::fp16, Sharding::none, 8, batch)
            .total();
    };
    network.activations_per_sample = {};
    CHECK_THROWS_AS((void)largest_batch(network,
                                        StateRecipe::mixed_sgd,
                                        Precision::fp16,
                                        Sharding::none,
                                        8,
                                        ByteVolume{15.68e9}),
                    ModelError);
    network.activations_per_sample = ByteVolume{100e6};
    CHECK(total(found.batch) <= ByteVolume{15.68e9});
    CHECK(total(found.batch + 1) > ByteVolume{15.68e9});
}

} // namespace bursar::batch_test
