#include <algorithm>
#include <map>
#include <vector>

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
    /// Sums of the steps at or before `key`.
    [[nodiscard]] std::int64_t value_at(std::uint64_t wanted) const {
        std::int64_t value = 0;
        for (const auto& [key, step] : steps)
            value += key <= wanted ? step : 0;
        return value;
    }
    std::int64_t drop_through(std::uint64_t key) {
        const std::int64_t sum = value_at(key);
        steps.erase(steps.begin(), steps.upper_bound(key));
        return sum;
    }
    [[nodiscard]] std::int64_t least() const {
        std::int64_t value = 0;
        std::int64_t least = 0;
        for (const auto& [key, step] : steps)
            least = std::min(least, value += step);
        return least;
    }
};

/// Keeps what a walk shows, passing over stretches in which no value is `level` or more.
struct Shown {
    std::int64_t level{};
    std::size_t most{}; ///< so many steps
    std::int64_t before{};
    std::vector<StepProfile::Step> steps;

    void begin(std::int64_t value) { before = value; }
    [[nodiscard]] bool skips(std::int64_t low, std::int64_t high) const {
        RC_ASSERT(low <= high);
        return high < level;
    }
    bool visit(const StepProfile::Step& step) {
        if (step.value >= level)
            steps.push_back(step);
        return steps.size() == most;
    }
};

void check_equal(const StepProfile& profile, const StepNodes& nodes, const PlainSteps& plain) {
    const auto from = *rc::gen::inRange<std::uint64_t>(0, 1'000);
    Shown shown{
        *rc::gen::inRange<std::int64_t>(-30, 30), *rc::gen::inRange<std::size_t>(1, 50), 0, {}};
    profile.walk(nodes, from, shown);
    RC_ASSERT(shown.before == (from == 0 ? 0 : plain.value_at(from - 1)));
    std::size_t num = 0;
    for (auto at = plain.steps.lower_bound(from); at != plain.steps.end(); ++at) {
        const auto& [key, step] = *at;
        if (plain.value_at(key) < shown.level || num == shown.most)
            continue;
        RC_ASSERT(num < shown.steps.size());
        RC_ASSERT(shown.steps[num].key == key);
        RC_ASSERT(shown.steps[num].step == step);
        RC_ASSERT(shown.steps[num++].value == plain.value_at(key));
    }
    RC_ASSERT(num == shown.steps.size());
    RC_ASSERT(profile.least_value(nodes) == plain.least());
    RC_ASSERT(profile.empty() == plain.steps.empty());
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
            if (below(50) == 0) {
                RC_ASSERT(profile.drop_through(nodes, key / 4) == own.drop_through(key / 4));
            } else {
                own.add(key, step);
                profile.add(nodes, key, step);
            }
            num_steps += own.steps.size();
            if (change % 16 == 0)
                check_equal(profile, nodes, own);
        }
        for (std::size_t which = 0; which < num_profiles; ++which)
            check_equal(profiles[which], nodes, plain[which]);
    }));
}

} // namespace bursar::step_profile_test
