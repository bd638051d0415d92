#include <string>

#include <doctest/doctest.h>

#include "reports/scalars/scalars.hpp"
#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_formats.hpp"

namespace bursar::sweep_report_test {
namespace {

/// A grid of three pool sizes and two queues: each node costs 100 USD, and `sjf` halves waiting.
SweepTable grid() {
    SweepTable table;
    table.version = "1.2.3";
    table.scenario_name = "Sweep of <b>";
    table.paths = {"fleet.p.nodes", "policy.queue"};
    table.axes = {{0}, {1}};
    table.num_planned = 6;
    const auto place = [](std::string_view name) {
        return static_cast<std::size_t>(find_metric(name) - scalar_table().data());
    };
    for (std::uint64_t i = 0; i < 6; ++i) {
        const int nodes = 10 * (1 + static_cast<int>(i) / 2);
        SweepRow row{.number = i, .scenario = i, .scenario_hash = i, .seed = 1};
        row.values = {std::to_string(nodes), i % 2 == 0 ? "fifo" : "<i>sjf"};
        row.ending.end = 10 * day;
        row.scalars.resize(scalar_table().size());
        row.scalars[place("cost.total")] = 100.0 * nodes;
        row.scalars[place("wait.p90")] = 72'000.0 / nodes / (i % 2 == 0 ? 1 : 2);
        table.rows.push_back(row);
    }
    return table;
}

std::string page_of(const SweepTable& table, const std::string& goal = {}) {
    SweepQuestion question = usual_question();
    ConditionMistake mistake;
    if (!goal.empty())
        question.goal = parse_goal(goal, mistake);
    StringSink sink;
    write_sweep_html(table, question, sweep_answer(table, question), sink);
    return sink.text();
}

} // namespace

TEST_CASE("a sweep's report has its front, its lines, its axes and its map") {
    const std::string page = page_of(grid());
    for (const std::string id : {"front", "parallel", "axes", "map"})
        CHECK_MESSAGE(page.find("<figure id=\"" + id + "\">") != std::string::npos, id);
    // With sjf each size costs the same and waits less.
    CHECK(page.find("Of 6 scenarios, 3 are beaten by no other in both.") != std::string::npos);
    CHECK(page.find("<p>nodes moves cost.total most, nodes moves wait.p90 most.</p>") !=
          std::string::npos);
    CHECK(page.find("Beside points: nodes, queue.") != std::string::npos);
    CHECK(page.find(">10, &lt;i&gt;sjf</text>") != std::string::npos);
    CHECK(page.find("columns: nodes; rows: queue") != std::string::npos);
    CHECK(page.find(">cost.total, USD</text>") != std::string::npos);
    CHECK(page.find("From 1,000.00 to 3,000.00; the stronger the colour, the more.") !=
          std::string::npos);
    CHECK(page.find("<i>") == std::string::npos);
    CHECK(page.find("<b>") == std::string::npos);
}

TEST_CASE("a goal is a line across the front, or has its own chart") {
    CHECK(page_of(grid()).find("class=\"goal\"") == std::string::npos);
    const std::string shown = page_of(grid(), "wait.p90 < 1 h");
    CHECK(shown.find(">goal: wait.p90 &lt; 1 h</text>") != std::string::npos);
    CHECK(shown.find("<figure id=\"goal\">") == std::string::npos);
    SweepTable table = grid();
    for (SweepRow& row : table.rows)
        row.scalars[static_cast<std::size_t>(find_metric("wait.p99") - scalar_table().data())] =
            *row.scalars[static_cast<std::size_t>(find_metric("wait.p90") - scalar_table().data())];
    const std::string own = page_of(table, "wait.p99 < 1 h");
    CHECK(own.find("<figure id=\"goal\">") != std::string::npos);
    CHECK(own.find(">goal: wait.p99 &lt; 1 h</text>") != std::string::npos);
}

TEST_CASE("a single unbeaten scenario is named") {
    SweepTable table = grid();
    table.rows.resize(2); // one of them waits half as long
    CHECK(page_of(table).find("Of 2 scenarios, 1 is beaten by no other in both: nodes 10, queue "
                              "&lt;i&gt;sjf.") != std::string::npos);
}

TEST_CASE("a sweep of one scenario, or without a result, has only its tables") {
    SweepTable table = grid();
    table.rows.resize(1);
    CHECK(page_of(table).find("<figure ") == std::string::npos);
    table.rows[0].failure = "no room";
    table.rows[0].scalars.clear();
    CHECK(page_of(table).find("no run has a result") != std::string::npos);
}

} // namespace bursar::sweep_report_test
