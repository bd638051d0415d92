#include <doctest/doctest.h>

#include "scenarios/compile/listed_jobs.hpp"

namespace bursar {

TEST_CASE("every row of a list knows its entry, and whether it is the first of it") {
    JobList list;
    for (const std::int64_t count : {1, 3, 1}) {
        list.jobs.emplace_back();
        list.jobs.back().gpus = 1;
        list.jobs.back().count = count;
        list.jobs.back().every = hour;
    }
    const ListedRows rows{list};
    const std::vector<std::size_t> entries{0, 1, 1, 1, 2};
    const std::vector<bool> first{true, true, false, false, true};
    REQUIRE(listed_trace(list).size() == entries.size());
    for (std::size_t row = 0; row < entries.size(); ++row) {
        CAPTURE(row);
        CHECK(rows.entry(row) == entries[row]);
        CHECK(rows.is_first(row) == first[row]);
    }
}

} // namespace bursar
