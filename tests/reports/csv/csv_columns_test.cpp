// Columns of CSV files as databases and spreadsheets take them: names, units and types.

#include <array>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "reports/compare/compare_formats.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/sweep/sweep_formats.hpp"

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

/// Also texts that look like none, and times: a date, or seconds where the run has none.
bool is_text(const std::string& name) {
    static const std::regex others{
        "purchase|leaf|cause|level|end_cause|final_state|allocated|share_idle|status|message|"
        "scenario_hash|fingerprint|policy[.]queue|"
        "t|submit|eligible|start|stop|first_start|finish|slo_deadline|period_start|period_end"};
    return texts.contains(name) || std::regex_match(name, others);
}

/// Counts, ratios, numbers that name something, and yes or no.
bool is_dimensionless(const std::string& name) {
    static const std::regex columns{
        "number|seed|attempt|gpus|attempts|preemptions|failures|jobs|jobs_measured|jobs_finished|"
        "free|"
        "down|queue_jobs|queue_gpus|(slowdown|rho)(_.*)?|run_time_error|jain_x|slo_met|measured"};
    static const std::regex scalars{
        "(ratios|events)[.].*|metrics[.](jobs_.*|preemptions|migrations|resizes|restarts|"
        "preempted_without_progress|staging[.](used|for_nothing)|(queue_jobs|queue_gpus|deadlines)["
        ".].*|"
        "(slowdown|bounded_slowdown|rho|attempts)[.].*|.*[.]count)"};
    return std::regex_match(name, columns) || std::regex_match(name, scalars);
}

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

TEST_CASE("csv: every column of numbers that compare and sweep write has a unit or needs none") {
    // Files of the variants, which `compare --out` writes.
    std::set<std::string> names;
    for (const char* file : files)
        for (const auto rows = rows_of(sample_result(), file); const std::string& name : rows[0])
            names.insert(name);
    SweepTable swept;
    swept.paths = {"policy.queue"};
    StringSink sweep;
    write_sweep_csv(swept, sweep);
    const auto swept_rows = parse_csv(sweep.text());
    for (const std::string& name : swept_rows.front())
        names.insert(name);
    const std::regex unit{
        "(.*[_.])?(usd|s|gpu_hours|job_hours|kwh|kw|kg)([_.].*)?|cost_in_currency"};
    for (const std::string& name : names) {
        CAPTURE(name);
        CHECK((is_text(name) || is_dimensionless(name) || std::regex_match(name, unit)));
    }
    CHECK(names.contains("cost.total_usd"));
    CHECK(names.contains("cost.by_leaf.idle.gang_usd"));
    CHECK(names.contains("cost.usd_per_productive_gpu_hour"));
    CHECK(names.contains("cost.to_common_end_usd"));

    // A row of compare.csv is a metric, and has its unit.
    Comparison comparison;
    comparison.variants.resize(2);
    for (ComparedVariant& variant : comparison.variants) {
        std::vector<Scalar>& scalars = variant.runs.emplace_back();
        for (const ScalarRow& row : scalar_table())
            scalars.push_back({row.name, 1.0});
        variant.endings.emplace_back();
        variant.fingerprints.emplace_back();
    }
    work_out(comparison);
    StringSink sink;
    write_compare_csv(comparison, {}, 100, sink);
    const auto rows = parse_csv(sink.text());
    REQUIRE(rows.front()[2] == "unit");
    REQUIRE(rows.size() == 1 + 2 * scalar_table().size());
    for (std::size_t i = 1; i < rows.size(); ++i) {
        CAPTURE(rows[i][1]);
        CHECK(rows[i][2].empty() == is_dimensionless(rows[i][1]));
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
