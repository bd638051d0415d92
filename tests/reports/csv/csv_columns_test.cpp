// Columns of CSV files as databases and spreadsheets take them: names, units and types.

#include <array>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "reports/outputs/registry.hpp"

#include "tests/properties.hpp"
#include "tests/reports/support/csv.hpp"
#include "tests/reports/support/random_result.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::test::csv_columns_test {
namespace {

constexpr std::array files{"csv", "jobs", "attempts", "timeline", "periods", "tenants"};

/// Columns whose values may look like numbers and are texts.
const std::set<std::string> texts{
    "job_id", "tenant", "pool", "gpu_type", "region", "nodes", "currency", "class"};

std::string type_of(const std::string& value) {
    static const std::array types{
        std::pair{"instant", std::regex{"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z"}},
        std::pair{"integer", std::regex{"-?\\d+"}},
        std::pair{"decimal", std::regex{"-?\\d+\\.\\d+"}},
    };
    for (const auto& [name, form] : types)
        if (std::regex_match(value, form))
            return name;
    return "text";
}

std::vector<std::vector<std::string>> rows_of(const Result& result, const char* format) {
    StringSink sink;
    find_output(format)->write(result, {}, sink);
    return parse_csv(sink.text());
}

} // namespace

TEST_CASE("csv: no column has a name that SQL reserves, and money has its unit") {
    const Result result = sample_result();
    for (const char* file : files) {
        const auto rows = rows_of(result, file);
        for (const std::string& name : rows.front()) {
            CAPTURE(name);
            CHECK_FALSE(std::set<std::string>{"from", "to", "end"}.contains(name));
            if (std::regex_search(name, std::regex{"cost|burn|believed"}))
                CHECK(std::regex_search(name, std::regex{"(^|_)usd(_|$)"}));
        }
    }
}

TEST_CASE("csv: all values of a column have one type, and times three digits of a second") {
    CHECK(check_property([] {
        const Result result = random_result();
        for (const char* file : files) {
            const auto rows = rows_of(result, file);
            std::map<std::string, std::string> types;
            for (std::size_t row = 1; row < rows.size(); ++row) {
                for (std::size_t i = 0; i < rows[row].size(); ++i) {
                    const std::string& name = rows[0][i];
                    if (rows[row][i].empty() || texts.contains(name))
                        continue;
                    const std::string type = type_of(rows[row][i]);
                    RC_ASSERT(types.try_emplace(name, type).first->second == type);
                }
            }
            for (const char* name : {"submit", "start", "stop", "t", "period_start"})
                if (types.contains(name))
                    RC_ASSERT(types[name] == (result.zero_utc_ms ? "instant" : "decimal"));
        }
    }));
}

} // namespace bursar::test::csv_columns_test
