#include <algorithm>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/queues/tournament.hpp"

#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::tournament_test {
namespace {

using Entry = Tournament::Entry;

Entry draw_entry() {
    if (drawn::in_range(0, 3) == 0)
        return {};
    return {drawn::in_range(0U, 3U),
            drawn::in_range<std::uint64_t>(0, 3),
            JobId{drawn::in_range(0U, 1'000U)}};
}

struct Row {
    explicit Row(std::uint32_t size)
        : entries(size), block{[=](ArenaCarver& carver) {
              return Tournament{carver, size};
          }} {
        block.content.clear();
    }
    std::vector<Entry> entries;
    test::ArenaBlock<Tournament> block;
};

} // namespace

TEST_CASE("entries are ordered by level, rank and job; none comes last") {
    CHECK(check_property([] {
        const auto draw = [] {
            const auto number = [] {
                return drawn::one_of<std::uint64_t>(0, 1, 2, ~std::uint64_t{0} >> 1U);
            };
            return std::tuple{static_cast<std::uint32_t>(number()),
                              number(),
                              static_cast<std::uint32_t>(number() >> 34U)};
        };
        const auto a = draw();
        const auto b = draw();
        const auto entry = [](const auto& of) {
            return Entry{std::get<0>(of), std::get<1>(of), JobId{std::get<2>(of)}};
        };
        RC_ASSERT((entry(a) < entry(b)) == (a < b));
        RC_ASSERT((entry(a) == entry(b)) == (a == b));
        RC_ASSERT(entry(a) < Entry{});
        RC_ASSERT(entry(a).job() == std::get<2>(a));
        RC_ASSERT(!entry(a).is_none());
    }));
    CHECK(Entry{}.is_none());
}

TEST_CASE("first is the least entry after changes of one place and of many, for any size") {
    CHECK(check_property([] {
        Row row{drawn::in_range(1U, 40U)};
        const auto size = static_cast<std::uint32_t>(row.entries.size());
        Tournament& tournament = row.block.content;
        for (int change = 0; change < 40; ++change) {
            const auto begin = drawn::in_range(0U, size);
            if (drawn::boolean()) {
                row.entries[begin] = draw_entry();
                tournament.set(begin, row.entries[begin]);
            } else {
                const auto end = drawn::in_range(begin, size + 1);
                for (std::uint32_t place = begin; place < end; ++place) {
                    row.entries[place] = draw_entry();
                    tournament.put(place, row.entries[place]);
                }
                tournament.renew(begin, end);
            }
            RC_ASSERT(tournament.first() ==
                      *std::min_element(row.entries.begin(), row.entries.end()));
            for (std::uint32_t place = 0; place < size; ++place)
                RC_ASSERT(tournament[place] == row.entries[place]);
        }
    }));
}

TEST_CASE("look_before visits entries before a bound, which may fall meanwhile") {
    CHECK(check_property([] {
        Row row{drawn::in_range(1U, 40U)};
        for (std::uint32_t place = 0; place < row.entries.size(); ++place) {
            row.entries[place] = draw_entry();
            row.block.content.set(place, row.entries[place]);
        }
        const Entry bound = draw_entry();
        std::vector<std::uint32_t> visited;
        row.block.content.look_before([&] { return bound; },
                                      [&](std::uint32_t place, const Entry& entry) {
                                          RC_ASSERT(entry == row.entries[place]);
                                          visited.push_back(place);
                                      });
        std::ranges::sort(visited);
        std::vector<std::uint32_t> expected;
        for (std::uint32_t place = 0; place < row.entries.size(); ++place)
            if (row.entries[place] < bound)
                expected.push_back(place);
        RC_ASSERT(visited == expected);

        // Best first: if the bound falls to the best entry seen, only the first in order and
        // entries on the way to it are visited.
        Entry best = bound;
        row.block.content.look_before([&] { return best; },
                                      [&](std::uint32_t, const Entry& entry) { best = entry; });
        const Entry least = *std::min_element(row.entries.begin(), row.entries.end());
        RC_ASSERT(best == (least < bound ? least : bound));
    }));
}

} // namespace bursar::tournament_test
