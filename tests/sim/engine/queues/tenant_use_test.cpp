#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/queues/half_power.hpp"
#include "sim/engine/queues/tenant_use.hpp"

#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::tenant_use_test {
namespace {

constexpr double unit = 1.0 / (1U << TenantUse::average_bits); ///< of averages, in slots

test::ArenaBlock<TenantUses> uses_of(std::uint32_t tenants, const UseMemory& memory) {
    test::ArenaBlock<TenantUses> block{[=](ArenaCarver& carver) {
        return TenantUses{carver, tenants, memory};
    }};
    block.content.clear();
    return block;
}

constexpr TenantId first{0};
constexpr TenantId second{1};

double average_of(const TenantUses& uses, TenantId tenant) {
    return static_cast<double>(uses[tenant].average) * unit;
}

JobShape gang_of(std::uint32_t gpus) {
    JobShape shape{gpus, 1};
    shape.cpu_milli = 8'000 * gpus;
    shape.memory_mib = 64 * gpus;
    return shape;
}

} // namespace

TEST_CASE("HalfPower is 2^-x, off by less than 2^-58") {
    const HalfPower half_power;
    CHECK(half_power(std::uint64_t{1} << 32U) == std::uint64_t{1} << 63U); // 2^-1
    CHECK(half_power(std::uint64_t{2} << 32U) == std::uint64_t{1} << 62U);
    CHECK(half_power(std::uint64_t{64} << 32U) == 1);
    CHECK(half_power(std::uint64_t{65} << 32U) == 0);
    CHECK(half_power(~std::uint64_t{0}) == 0);
    CHECK(check_property([&] {
        const auto x = drawn::in_range<std::uint64_t>(1, std::uint64_t{70} << 32U);
        const long double exact = exp2l(64.0L - ldexpl(static_cast<long double>(x), -32));
        const auto got = static_cast<long double>(half_power(x));
        RC_ASSERT(std::abs(exact - got) < 64);
    }));
}

TEST_CASE("without a half-life, use is what is held now") {
    auto block = uses_of(2, {});
    TenantUses& uses = block.content;
    uses.add(second, gang_of(3));
    uses.add(second, gang_of(1));
    uses.remove(second, gang_of(3));
    CHECK(uses[second].slots == 1'000);
    CHECK(uses[second].cpu_milli == 8'000);
    CHECK(uses[second].memory_mib == 64);
    CHECK(average_of(uses, second) == 1'000);
    CHECK(average_of(uses, first) == 0);
}

// Half-life of one period: at each period's end the average moves half of the way to its mean.
TEST_CASE("averages go toward each period's mean by the decay of a period") {
    auto block = uses_of(1, {1'000, 1'000});
    TenantUses& uses = block.content;
    CHECK(!uses.advance(500));
    uses.add(first, gang_of(4));
    CHECK(!uses.advance(999));
    CHECK(average_of(uses, first) == 0); // not before the period ends
    CHECK(uses.advance(1'250));          // 4 GPUs for half of the period: mean 2,000 slots
    CHECK(average_of(uses, first) == 1'000);
    CHECK(uses.period_begin_ms() == 1'000);
    uses.remove(first, gang_of(4));
    CHECK(uses.advance(2'000)); // held for a quarter: mean 1,000
    CHECK(average_of(uses, first) == 1'000);
    CHECK(uses.advance(5'999)); // three periods without: three halves
    CHECK(average_of(uses, first) == 125);
    CHECK(uses.period_begin_ms() == 5'000);
}

// The recurrence in long double, from the same starts and ends.
TEST_CASE("averages stay within their bound of the exact recurrence") {
    CHECK(check_property([] {
        const std::int64_t period = drawn::in_range(1, 2'000);
        const std::int64_t half_life = drawn::in_range(100, 1'000'000);
        auto block = uses_of(1, {half_life, period});
        TenantUses& uses = block.content;
        const long double factor =
            exp2l(-static_cast<long double>(period) / static_cast<long double>(half_life));
        long double exact = 0;
        long double held_ms = 0; // slots times ms in this period
        std::int64_t now = 0;
        long double slots = 0;
        const int steps = drawn::in_range(1, 40);
        for (int step = 0; step < steps; ++step) {
            const std::int64_t next = now + drawn::in_range(0, 3'000);
            for (std::int64_t from = now; from < next;) {
                const std::int64_t end = std::min(next, (from / period + 1) * period);
                held_ms += slots * static_cast<long double>(end - from);
                if (end % period == 0) {
                    const long double mean = held_ms / static_cast<long double>(period);
                    exact = mean + (exact - mean) * factor;
                    held_ms = 0;
                }
                from = end;
            }
            uses.advance(now = next);
            const auto gpus = drawn::in_range(1U, 4'000U);
            if (slots == 0) {
                uses.add(first, gang_of(gpus));
                slots = 1000.0L * gpus;
            } else if (uses[first].slots > 0 && step % 2 == 0) {
                uses.remove(first, {static_cast<std::uint32_t>(slots / 1000), 1});
                slots = 0;
            }
            // One unit for each mean and each product of every period, decaying, and the effect of
            // the truncated fraction of a half-life (2^-32) on the largest average.
            const long double bound =
                unit * 2 / (1 - factor) + 4e6L * 0.7L * 0x1p-32L / (1 - factor);
            RC_ASSERT(std::abs(static_cast<long double>(average_of(uses, first)) - exact) <= bound);
        }
    }));
}

} // namespace bursar::tenant_use_test
