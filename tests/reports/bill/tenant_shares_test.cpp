#include <set>
#include <string>

#include <doctest/doctest.h>

#include "reports/bill/tenant_shares.hpp"
#include "reports/outputs/registry.hpp"

#include "tests/reports/support/csv.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::tenant_shares_test {
namespace {

std::string rendered(const Result& result, std::string_view output, const OutputOptions& options) {
    StringSink sink;
    find_output(output)->write(result, options, sink);
    return sink.text();
}

std::set<std::string> column(const std::string& csv, std::size_t index) {
    std::set<std::string> out;
    const auto rows = test::parse_csv(csv);
    for (std::size_t row = 1; row < rows.size(); ++row)
        out.insert(rows[row][index]);
    return out;
}

} // namespace

TEST_CASE("no tenant of a trace takes the name of a special row, and no name is empty") {
    Result result = test::sample_result();
    result.tenants = {"__idle__", "", "__none__"};
    const std::set<std::string> tenants{"___idle__", "__none__", "___none__"};
    std::set<std::string> with_special = tenants;
    with_special.insert({"__idle__", "__platform__"});
    std::set<std::string> with_idle = tenants;
    with_idle.insert("");
    CHECK(column(rendered(result, "tenants", {}), 0) == with_special);
    CHECK(column(rendered(result, "jobs", {}), 1) == tenants);
    CHECK(column(rendered(result, "csv", {}), 4) == with_idle);
}

TEST_CASE("titles of tenants are unchanged except for reserved names") {
    CHECK(tenant_title("vision") == "vision");
    CHECK(tenant_title("_x") == "_x");
    CHECK(tenant_title("__x") == "___x");
    CHECK(tenant_title("___x") == "____x");
    CHECK(tenant_title("") == "__none__");
}

TEST_CASE("idle and platform rows are never part of the other tenants") {
    Result result = test::sample_result();
    OutputOptions options;
    options.group_by = GroupBy::tenant;
    options.top = 1;
    const std::string table = rendered(result, "table", options);
    CHECK(table.find("__idle__") != std::string::npos);
    CHECK(table.find("other (2)") != std::string::npos);
    CHECK(table.find("idle time") == std::string::npos);
    options.share_idle = ShareIdle::usage;
    CHECK(rendered(result, "table", options).find("idle time is charged") != std::string::npos);
    CHECK(rendered(result, "markdown", options).find("idle time is charged") != std::string::npos);
}

} // namespace bursar::tenant_shares_test
