#include "models/training/search/batch.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "models/errors/model_error.hpp"

namespace bursar { inline namespace models {
namespace {

constexpr std::int64_t largest_considered = std::int64_t{1} << 24;

/// The last batch that fits in [1, above); 1 does, `above` does not.
template <class Fits>
std::int64_t last_that_fits(Fits fits, std::int64_t above) {
    std::int64_t low = 1;
    while (above - low > 1) {
        const std::int64_t middle = low + (above - low) / 2;
        (fits(middle) ? low : above) = middle;
    }
    return low;
}

/// memory: batch -> MemoryUse, increasing.
template <class Memory>
LargestBatch largest(Memory memory, ByteVolume capacity, BatchRounding rounding) {
    LargestBatch found;
    found.capacity = capacity;
    const ByteVolume one = memory(1).total();
    const ByteVolume two = memory(2).total();
    found.per_unit = two - one;
    found.fixed = one - found.per_unit;
    const auto fits = [&](std::int64_t batch) { return memory(batch).total() <= capacity; };
    if (fits(1)) {
        // Memory is affine up to the larger of two temporaries, so it is convex: the line through
        // its first two points never overestimates it, so no batch above `guess` fits.
        const double affine = std::floor((capacity - found.fixed) / found.per_unit + 1e-9);
        const auto guess = static_cast<std::int64_t>(
            std::clamp(affine, 1.0, static_cast<double>(largest_considered)));
        found.exact = fits(guess) ? guess : last_that_fits(fits, guess);
    }
    found.batch = rounded_batch(found.exact, rounding);
    found.use = memory(std::max<std::int64_t>(found.batch, 1));
    return found;
}

} // namespace

std::int64_t rounded_batch(std::int64_t batch, BatchRounding rounding) {
    assert(batch >= 0);
    if (rounding == BatchRounding::multiple_of_8 && batch >= 8)
        return batch / 8 * 8;
    if (rounding == BatchRounding::power_of_two && batch >= 1)
        return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(batch)));
    // Below 8 a multiple of 8 would be 0.
    return batch;
}

LargestBatch largest_micro_batch(const TrainingJob& job,
                                 ByteVolume capacity,
                                 BatchRounding rounding,
                                 const MemoryOverheads& overheads) {
    const auto memory = [&](std::int64_t batch) {
        TrainingJob sized = job;
        sized.layout.micro_batch = batch;
        return memory_use(sized, overheads);
    };
    return largest(memory, capacity, rounding);
}

LargestBatch largest_batch(const GenericNetwork& network,
                           StateRecipe recipe,
                           Precision precision,
                           Sharding sharding,
                           std::int64_t data,
                           ByteVolume capacity,
                           BatchRounding rounding,
                           const MemoryOverheads& overheads) {
    if (!(network.activations_per_sample > ByteVolume{}))
        throw ModelError{"activations_per_sample",
                         "not known of " + network.name,
                         "give it in an --architectures file"};
    const auto memory = [&](std::int64_t batch) {
        return memory_use(network, recipe, precision, sharding, data, batch, overheads);
    };
    return largest(memory, capacity, rounding);
}

}} // namespace bursar::models
