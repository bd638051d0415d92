#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/traces/row_needs.hpp"

#include "tests/contains.hpp"
#include "tests/scenarios/traces/read_text.hpp"

namespace bursar::row_needs_test {
namespace {

using test::complaint;
using test::read_text;
using Rows = std::vector<std::uint32_t>;

const std::string head = "job,submit,duration,gpus,after,think_time\n";

} // namespace

TEST_CASE("csv: the rows that a row waits for, by name, and its think time") {
    const Trace trace = read_text(head + "a,0,60,1,,\n"
                                         "b,5,60,1,a,\n"
                                         "b,6,60,1,,\n"
                                         "c,7,60,1,a|b,2.5\n"
                                         "d,8,60,1,c|c,-1\n");
    CHECK(trace.needs.begin == Rows{0, 0, 1, 1, 4, 5});
    CHECK(trace.needs.needed == Rows{0, 0, 1, 2, 3});
    CHECK(trace.think_ms == std::vector<std::int64_t>{0, 0, 0, 2'500, 0});
    const Trace alone = read_text(head + "a,0,60,1,,3\n");
    CHECK(alone.needs.empty());
    CHECK(alone.think_ms.empty());
}

TEST_CASE("csv: unknown names, a job that waits for itself, and circles have their place") {
    CHECK(
        complaint(head + "a,0,60,1,b|c,\n").starts_with("t:2:10: after: no job is named \"b\"\n"));
    CHECK(complaint(head + "a,0,60,1,a,\n")
              .starts_with("t:2:10: after: a job cannot wait for itself\n"));
    CHECK(complaint(head + "a,0,60,1,,x\n").starts_with("t:2:11: think_time: "));
    CHECK(complaint(head + "a,0,60,1,c,\nb,0,60,1,a,\nc,0,60,1,b,\nd,0,60,1,a,\n") ==
          "t:2:10: after: jobs wait for each other (\"a\" waits for \"c\" waits for \"b\" waits "
          "for \"a\")");
}

TEST_CASE("rows that were left out count as ended, and the trace says so") {
    TraceOptions options;
    options.select.gpus = CountRange{1, 1};
    const std::string text = head + "a,0,60,2,,\nb,5,60,1,a,\nc,6,60,1,b|a,\n";
    const Trace selected = read_text(text, options);
    CHECK(selected.needs.needed == Rows{0});
    REQUIRE(selected.assumed.size() == 1);
    CHECK(selected.assumed[0] == "2 needed jobs are not selected, or bad: the jobs that wait for "
                                 "them take them as ended");

    TraceOptions skip;
    skip.on_bad_row = OnBadRow::skip;
    const Trace skipped =
        read_text(head + "a,0,60,1,x,\nb,5,60,1,a,\nc,6,60,0,,\nd,6,60,1,b|c,\n", skip);
    CHECK(skipped.num_bad_rows == 2);
    CHECK(skipped.needs.begin == Rows{0, 0, 1}); // b and d: a is bad, as no job is named x
    CHECK(skipped.needs.needed == Rows{0});
    CHECK(skipped.assumed.size() == 1);

    TraceOptions first;
    first.select.first = 2;
    const Trace two = read_text(head + "a,9,60,1,,\nb,5,60,1,a,\nc,6,60,1,b,\n", first);
    CHECK(two.needs.begin == Rows{0, 0, 1});
    CHECK(two.needs.needed == Rows{0});
}

TEST_CASE("think times follow the scale of times") {
    TraceOptions options;
    options.scale.time = 3;
    options.scale.load = 2;
    const Trace trace = read_text(head + "a,0,60,1,,\nb,5,60,1,a,7\n", options);
    CHECK(trace.think_ms == std::vector<std::int64_t>{0, 21'000});
}

TEST_CASE("a circle is found behind rows that wait for it, and in front of those that it needs") {
    RowNeeds needs;
    for (const Rows& rows : std::vector<Rows>{{}, {0, 3}, {1}, {2, 0}, {3}})
        needs.add_row(rows);
    CHECK(circle_in(needs).size() == 3);
    RowNeeds without;
    for (const Rows& rows : std::vector<Rows>{{1, 2}, {2}, {}})
        without.add_row(rows);
    CHECK(circle_in(without).empty());
    CHECK(circle_in({}).empty());
}

} // namespace bursar::row_needs_test
