#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/backfill/gpu_forecast.hpp"

#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::gpu_forecast_test {
namespace {

constexpr std::int64_t num_ticks = 6'000;
constexpr std::int64_t num_gpus = 12;

/// Free GPUs, tick by tick.
struct PlainForecast {
    std::array<std::int64_t, num_ticks + 1> free{}; ///< the last one: from then on

    PlainForecast() { free.fill(num_gpus); }
    void take(std::int64_t begin, std::int64_t end, std::int64_t gpus) {
        for (std::int64_t tick = begin; tick < std::min(end, num_ticks + 1); ++tick)
            free[static_cast<std::size_t>(tick)] -= gpus;
    }
    [[nodiscard]] std::int64_t
    least_over(std::int64_t begin, std::int64_t end, std::int64_t least = num_gpus) const {
        for (std::int64_t tick = std::min(begin, num_ticks); tick < end && tick <= num_ticks;
             ++tick)
            least = std::min(least, free[static_cast<std::size_t>(tick)]);
        return least;
    }
    /// The first second tick of a round.
    [[nodiscard]] std::int64_t first_fit(std::int64_t from,
                                         std::int64_t gpus,
                                         std::int64_t ticks,
                                         std::int64_t quantum_ms) const {
        std::int64_t at = GpuForecast::first_tick_from(from, quantum_ms);
        while (least_over(at, at + ticks) < gpus) {
            if (at > num_ticks)
                return GpuForecast::never;
            at = GpuForecast::first_tick_from(at + 2, quantum_ms);
        }
        return at;
    }
};

struct Taken {
    std::int64_t begin{};
    std::int64_t end{};
    std::int64_t gpus{};
};

} // namespace

// Promises are packed in sequence, as in conservative backfilling, which leaves gaps of many sizes
// and lengths; some are dropped again.
TEST_CASE("a forecast finds the first gap that is wide and long enough") {
    CHECK(check_property([] {
        test::ArenaBlock<StepNodes> block{[](ArenaCarver& carver) {
            return StepNodes{carver, num_ticks, 1};
        }};
        StepNodes& nodes = block.content;
        nodes.clear();
        GpuForecast forecast{num_gpus};
        PlainForecast plain;
        std::uint32_t random = static_cast<std::uint32_t>(drawn::bits());
        const auto below = [&](std::int64_t n) {
            random = random * 1'664'525U + 1'013'904'223U;
            return static_cast<std::int64_t>(random >> 8U) % n;
        };
        const std::int64_t quantum_ms = below(3) == 0 ? 1 + below(20) : 0;
        const std::int64_t longest = 1 + below(200);
        const std::int64_t num_jobs = below(400);
        std::int64_t now = 1;
        std::vector<Taken> taken;
        for (std::int64_t job = 0; job < num_jobs; ++job) {
            now += 2 * below(5);
            forecast.advance(nodes, now);
            const std::int64_t gpus = 1 + below(num_gpus);
            const std::int64_t ticks = 2 * below(longest) + 1;
            const std::int64_t from = GpuForecast::first_tick_from(now + 2 * below(50), quantum_ms);
            const std::int64_t at = forecast.first_fit(nodes, from, gpus, ticks, quantum_ms);
            RC_ASSERT(at == plain.first_fit(from, gpus, ticks, quantum_ms));
            RC_ASSERT(forecast.least_over(nodes, from, from + ticks) ==
                      plain.least_over(from, from + ticks));
            const std::int64_t least = plain.least_over(now, num_ticks);
            const bool is_least =
                least > 0 ? forecast.least(nodes) == least : forecast.least(nodes) <= 0;
            RC_ASSERT(is_least);
            if (at + ticks <= num_ticks) {
                forecast.take(nodes, at, at + ticks, gpus);
                plain.take(at, at + ticks, gpus);
                taken.push_back({at, at + ticks, gpus});
            }
            if (!taken.empty() && below(4) == 0) {
                const auto which = taken.begin() + below(std::ssize(taken));
                forecast.take(nodes, which->begin, which->end, -which->gpus);
                plain.take(which->begin, which->end, -which->gpus);
                taken.erase(which);
            }
        }
    }));
}

} // namespace bursar::gpu_forecast_test
