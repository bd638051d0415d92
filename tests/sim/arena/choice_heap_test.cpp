#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/arena/choice_heap.hpp"

namespace bursar::choice_heap_test {

TEST_CASE("entries come out in order") {
    CHECK(rc::check([](std::vector<int> entries) {
        std::vector<int> sorted = entries;
        std::sort(sorted.begin(), sorted.end());
        ChoiceHeap<int> heap{entries.data(), static_cast<std::uint32_t>(entries.size())};
        for (const int expected : sorted)
            RC_ASSERT(heap.take_first() == expected);
        RC_ASSERT(heap.empty());
    }));
}

} // namespace bursar::choice_heap_test
