#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include "reports/registry.hpp"

#include "tests/reports/support/sample_result.hpp"

namespace bursar {
namespace {

std::string rendered(const Result& result, std::string_view output, const OutputOptions& options) {
    StringSink sink;
    find_output(output)->write(result, options, sink);
    return sink.text();
}

/// Compares `text` with tests/reports/golden/NAME, or writes that file under
/// BURSAR_UPDATE_GOLDEN=1.
void compare_with_golden(const std::string& text, const std::string& name) {
    const std::filesystem::path path =
        std::filesystem::path{BURSAR_SOURCE_DIR} / "tests/reports/golden" / name;
    if (std::getenv("BURSAR_UPDATE_GOLDEN") != nullptr) { // NOLINT(concurrency-mt-unsafe)
        std::ofstream{path, std::ios::binary} << text;
        MESSAGE("updated ", path.string());
    }
    std::ifstream file{path, std::ios::binary};
    const std::string expected{std::istreambuf_iterator<char>{file}, {}};
    CAPTURE(name);
    CHECK(text == expected);
}

} // namespace

TEST_CASE("every output of the sample run is as reviewed") {
    const Result result = test::sample_result();
    for (const Output& output : outputs())
        compare_with_golden(rendered(result, output.name, {}), std::string{output.file});
}

TEST_CASE("options change what is shown as reviewed") {
    const Result result = test::sample_result();
    OutputOptions options;

    options.all = true;
    compare_with_golden(rendered(result, "table", options), "bill_all.txt");
    options = {};
    options.width = 60;
    compare_with_golden(rendered(result, "table", options), "bill_narrow.txt");
    options = {};
    options.group_by = GroupBy::tenant;
    options.top = 2;
    compare_with_golden(rendered(result, "table", options), "bill_by_tenant_top2.txt");
    options = {};
    options.group_by = GroupBy::pool;
    options.sort = SortBy::name;
    options.colour = Colour::always;
    compare_with_golden(rendered(result, "table", options), "bill_by_pool_colour.txt");
    options = {};
    options.share_idle = ShareIdle::usage;
    compare_with_golden(rendered(result, "tenants", options), "tenants_usage.csv");
    options = {};
    options.bucket = hour;
    compare_with_golden(rendered(result, "timeline", options), "timeline_hourly.csv");
}

TEST_CASE("a relative trace shows seconds, and a run without anything shows no figures") {
    Result result = test::sample_result();
    result.zero_utc_ms.reset();
    compare_with_golden(rendered(result, "jobs", {}), "jobs_relative.csv");
    compare_with_golden(rendered(Result{}, "table", {}), "bill_empty.txt");
    compare_with_golden(rendered(Result{}, "json", {}), "summary_empty.json");
}

} // namespace bursar
