#include <algorithm>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "sim/arena/step_profile.hpp"

#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::step_profile_test {
namespace {

/// The same function as an ordered map; queries walk all of it.
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
    /// Sums of the steps from `first` to `end`, relative to the value before.
    [[nodiscard]] StepSums sums(std::uint64_t first, std::uint64_t end) const {
        const std::int64_t before = first == 0 ? 0 : value_at(first - 1);
        StepSums sums{StepSums::any, -StepSums::any, first, end};
        for (auto at = steps.lower_bound(first); at != steps.upper_bound(end); ++at) {
            const std::int64_t value = value_at(at->first) - before;
            sums.high = std::max(sums.high, value);
            sums.first_low = value < sums.low ? at->first : sums.first_low;
            sums.low = std::min(sums.low, value);
        }
        for (auto at = steps.lower_bound(first); at != steps.upper_bound(end); ++at) {
            const bool is_low = value_at(at->first) - before == sums.low;
            if (sums.last != StepSums::no_key)
                sums.longest = std::max(sums.longest, at->first - sums.last);
            if (is_low)
                sums.last = StepSums::no_key;
            else if (sums.last == StepSums::no_key)
                sums.last = at->first;
        }
        return sums;
    }
};

/// Records a walk that skips stretches in which no value is `level` or more.
struct Shown {
    const PlainSteps& plain;
    std::int64_t level{};
    std::size_t most{};    ///< steps at most
    std::uint64_t until{}; ///< and none from this key on
    std::int64_t before{};
    std::vector<StepProfile::Step> steps;
    std::int64_t low{};
    std::int64_t high{};

    void begin(std::int64_t value) { before = value; }
    [[nodiscard]] bool ends_by(std::uint64_t key) const { return key >= until; }
    [[nodiscard]] bool passes(const StepStretch& on) {
        low = on.sums.low;
        high = on.sums.high;
        return on.before + on.sums.high < level;
    }
    [[nodiscard]] StepLook look(const StepStretch& on) {
        const StepSums& sums = on.sums;
        const StepSums own = plain.sums(sums.first, sums.end);
        RC_ASSERT(low <= own.low); // passes() gets bounds
        RC_ASSERT(high >= own.high);
        RC_ASSERT(sums.low == own.low);
        RC_ASSERT(sums.high == own.high);
        RC_ASSERT(sums.first_low == own.first_low);
        RC_ASSERT(sums.longest == own.longest);
        RC_ASSERT(sums.last == own.last);
        RC_ASSERT(on.before == (sums.first == 0 ? 0 : plain.value_at(sums.first - 1)));
        RC_ASSERT(on.after == plain.value_at(sums.end));
        return passes(on) ? StepLook::past : StepLook::into;
    }
    bool visit(const StepProfile::Step& step) {
        if (ends_by(step.key))
            return true;
        if (step.value >= level)
            steps.push_back(step);
        return steps.size() == most;
    }
};

void check_equal(const StepProfile& profile, StepNodes& nodes, const PlainSteps& plain) {
    const auto from = drawn::in_range<std::uint64_t>(0, 1'000);
    Shown shown{plain,
                drawn::in_range<std::int64_t>(-100, 1'000),
                drawn::in_range<std::size_t>(1, 50),
                drawn::in_range<std::uint64_t>(0, 2'000),
                0,
                {}};
    profile.walk(nodes, from, shown);
    RC_ASSERT(shown.before == (from == 0 ? 0 : plain.value_at(from - 1)));
    std::size_t num = 0;
    for (auto at = plain.steps.lower_bound(from); at != plain.steps.end(); ++at) {
        const auto& [key, step] = *at;
        if (plain.value_at(key) < shown.level || num == shown.most || key >= shown.until)
            continue;
        RC_ASSERT(num < shown.steps.size());
        RC_ASSERT(shown.steps[num].key == key);
        RC_ASSERT(shown.steps[num].step == step);
        RC_ASSERT(shown.steps[num++].value == plain.value_at(key));
    }
    RC_ASSERT(num == shown.steps.size());
    RC_ASSERT(profile.empty() == plain.steps.empty());
}

} // namespace

// The store has exactly the documented size: one more node would assert.
TEST_CASE("profiles that share nodes agree with ordered maps") {
    CHECK(check_property([] {
        constexpr std::size_t num_profiles = 3;
        const auto max_steps = drawn::in_range<std::size_t>(1, 2'000);
        test::ArenaBlock<StepNodes> block{[&](ArenaCarver& carver) {
            return StepNodes{carver, max_steps, num_profiles};
        }};
        StepNodes& nodes = block.content;
        nodes.clear();
        StepProfile profiles[num_profiles];
        PlainSteps plain[num_profiles];
        std::size_t num_steps = 0;
        bool growing = true;
        const int changes = drawn::in_range(1, 3'000);
        std::uint32_t random = static_cast<std::uint32_t>(drawn::bits());
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
            // Values rise and fall in turn, so that most stretches lie above or below their begin.
            auto step = static_cast<std::int64_t>(below(9)) - (key / 100 % 2 == 0 ? 1 : 7);
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
            if (change % 8 == 0)
                check_equal(profile, nodes, own);
        }
        for (std::size_t which = 0; which < num_profiles; ++which)
            check_equal(profiles[which], nodes, plain[which]);
    }));
}

} // namespace bursar::step_profile_test
