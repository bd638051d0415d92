#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "reports/outputs/registry.hpp"
#include "reports/text/display_width.hpp"

#include "tests/reports/support/golden.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::golden_test {
namespace {

std::string rendered(const Result& result, std::string_view output, const OutputOptions& options) {
    StringSink sink;
    find_output(output)->write(result, options, sink);
    return sink.text();
}

} // namespace

TEST_CASE("every output of the sample run is as reviewed") {
    const Result result = test::sample_result();
    OutputOptions options;
    options.static_charts = true; // with or without interactive charts in the build
    for (const Output& output : outputs())
        // optional in builds; .py tests read them
        if (output.name != "xlsx" && output.name != "perfetto")
            test::compare_with_golden(rendered(result, output.name, options),
                                      std::string{output.file});
}

TEST_CASE("options change what is shown as reviewed") {
    const Result result = test::sample_result();
    OutputOptions options;

    options.all = true;
    test::compare_with_golden(rendered(result, "table", options), "bill_all.txt");
    options = {};
    options.brief = true;
    test::compare_with_golden(rendered(result, "markdown", options), "bill_brief.md");
    options = {};
    options.width = 60;
    test::compare_with_golden(rendered(result, "table", options), "bill_narrow.txt");
    options = {};
    options.group_by = GroupBy::tenant;
    options.top = 2;
    test::compare_with_golden(rendered(result, "table", options), "bill_by_tenant_top2.txt");
    options = {};
    options.group_by = GroupBy::pool;
    options.sort = SortBy::name;
    options.colour = Colour::always;
    test::compare_with_golden(rendered(result, "table", options), "bill_by_pool_colour.txt");
    options = {};
    options.share_idle = ShareIdle::usage;
    test::compare_with_golden(rendered(result, "tenants", options), "tenants_usage.csv");
    options = {};
    options.bucket = hour;
    test::compare_with_golden(rendered(result, "timeline", options), "timeline_hourly.csv");
}

TEST_CASE("several seeds, a part of the run, huge sums and free pools are said as reviewed") {
    Result result = test::sample_result();
    result.window_begin = hour;
    result.pools[1].price = {};
    result.tenants[0] = "\u8A00\u8A9E";
    result.num_finished = 1;
    result.events = 1;
    for (ResultCell& cell : result.cells)
        cell.cost = Money{cell.cost.count() * 100'000'000};
    result.repeats = Repeats{3,
                             {{"cost.total", 3, 34.45, 33, 36, 1.5, 33.1, 35.8},
                              {"ratios.goodput", 3, 0.666, 0.6, 0.7, 0.02, 0.64, 0.681},
                              {"metrics.wait_s.mean", 2, 1350, 1000, 1700, 500.0, -60.0, 2760.0},
                              {"metrics.jct_s.mean", 1, 4972.5, 4972.5, 4972.5, {}, {}, {}},
                              {"metrics.makespan_s", 0, 0, 0, 0, {}, {}, {}}}};
    OutputOptions options;
    options.group_by = GroupBy::tenant;
    options.share_idle = ShareIdle::even;
    test::compare_with_golden(rendered(result, "table", options), "bill_repeated.txt");
    test::compare_with_golden(rendered(result, "markdown", options), "bill_repeated.md");
}

TEST_CASE("no line of the table is wider than the terminal") {
    Result result = test::sample_result();
    result.tenants[2] = "third"; // a single word that does not fit cannot be wrapped
    result.run.warnings = {"tenant third has one job"};
    for (std::size_t width = 40; width <= 130; ++width) {
        OutputOptions options;
        options.width = width;
        for (const GroupBy group_by : {GroupBy::group, GroupBy::leaf, GroupBy::tenant}) {
            options.group_by = group_by;
            std::istringstream table{rendered(result, "table", options)};
            for (std::string line; std::getline(table, line);) {
                CAPTURE(line);
                CHECK(display_width(line) <= width);
                CHECK(line.substr(0, line.find_first_not_of(' ') + 1).find('%') ==
                      std::string::npos); // a "%" stays with its figure
            }
        }
    }
}

TEST_CASE("a relative trace shows seconds, and an empty run shows no figures") {
    Result result = test::sample_result();
    result.zero_utc_ms.reset();
    test::compare_with_golden(rendered(result, "jobs", {}), "jobs_relative.csv");
    test::compare_with_golden(rendered(Result{}, "table", {}), "bill_empty.txt");
    test::compare_with_golden(rendered(Result{}, "json", {}), "summary_empty.json");
}

} // namespace bursar::golden_test
