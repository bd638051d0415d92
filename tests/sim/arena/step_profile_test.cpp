#include <algorithm>
#include <map>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/arena/step_profile.hpp"

#include "tests/sim/arena_block.hpp"

namespace bursar::step_profile_test {
namespace {

/// The same function as an ordered map, asked by walking all of it.
struct PlainSteps {
    std::map<std::uint64_t, std::int64_t> steps;

    void add(std::uint64_t key, std::int64_t step) {
        if ((steps[key] += step) == 0)
            steps.erase(key);
    }
    template <class Wanted>
    [[nodiscard]] std::uint64_t first(std::uint64_t from, Wanted wanted) const {
        std::int64_t value = 0;
        for (const auto& [key, step] : steps) {
            value += step;
            if (key >= from && wanted(value))
                return key;
        }
        return StepProfile::no_key;
    }
    [[nodiscard]] std::int64_t value_at(std::uint64_t wanted) const {
        std::int64_t value = 0;
        for (const auto& [key, step] : steps)
            value += key <= wanted ? step : 0;
        return value;
    }
    [[nodiscard]] std::int64_t least() const {
        std::int64_t value = 0;
        std::int64_t least = 0;
        for (const auto& [key, step] : steps)
            least = std::min(least, value += step);
        return least;
    }
};

void check_equal(const StepProfile& profile, const StepNodes& nodes, const PlainSteps& plain) {
    const auto from = *rc::gen::inRange<std::uint64_t>(0, 1'000);
    const auto level = *rc::gen::inRange<std::int64_t>(-30, 30);
    RC_ASSERT(profile.first_at_least(nodes, from, level).key ==
              plain.first(from, [&](std::int64_t value) { return value >= level; }));
    const StepProfile::Step next = profile.first_at_or_after(nodes, from);
    RC_ASSERT(next.key == plain.first(from, [](std::int64_t) { return true; }));
    if (next.key != StepProfile::no_key) {
        RC_ASSERT(next.step == plain.steps.at(next.key));
        RC_ASSERT(next.value == plain.value_at(next.key));
    }
    RC_ASSERT(profile.value_at(nodes, from) == plain.value_at(from));
    RC_ASSERT(profile.least_value(nodes) == plain.least());
}

} // namespace

// The store is exactly as large as its promise: a step too many nodes would assert.
TEST_CASE("profiles that share their nodes answer as ordered maps do") {
    CHECK(rc::check([] {
        constexpr std::size_t num_profiles = 3;
        const auto max_steps = *rc::gen::inRange<std::size_t>(1, 2'000);
        test::ArenaBlock<StepNodes> block{[&](ArenaCarver& carver) {
            return StepNodes{carver, max_steps, num_profiles};
        }};
        StepNodes& nodes = block.content;
        nodes.clear();
        StepProfile profiles[num_profiles];
        PlainSteps plain[num_profiles];
        std::size_t num_steps = 0;
        bool growing = true;
        const int changes = *rc::gen::inRange(1, 3'000);
        std::uint32_t random = *rc::gen::arbitrary<std::uint32_t>();
        const auto below = [&](std::uint32_t n) {
            random = random * 1'664'525U + 1'013'904'223U;
            return (random >> 8U) % n;
        };
        for (int change = 0; change < changes; ++change) {
            const std::size_t which = below(num_profiles);
            StepProfile& profile = profiles[which];
            PlainSteps& own = plain[which];
            num_steps -= own.steps.size();
            growing = num_steps + 1 >= max_steps ? false : below(500) == 0 || growing;
            std::uint64_t key = below(1'000);
            auto step = static_cast<std::int64_t>(below(9)) - 4;
            if (!growing || below(3) == 0) { // takes a step out
                const auto at = own.steps.lower_bound(key);
                if (at != own.steps.end()) {
                    key = at->first;
                    step = -at->second;
                } else {
                    step = 0;
                }
                growing = growing || num_steps < max_steps / 4;
            }
            own.add(key, step);
            profile.add(nodes, key, step);
            num_steps += own.steps.size();
            if (change % 16 == 0)
                check_equal(profile, nodes, own);
        }
        for (std::size_t which = 0; which < num_profiles; ++which)
            check_equal(profiles[which], nodes, plain[which]);
    }));
}

} // namespace bursar::step_profile_test
