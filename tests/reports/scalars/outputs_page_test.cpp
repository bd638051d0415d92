#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "reports/compare/compare_formats.hpp"
#include "reports/metrics/metric_table.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/scalars/scalars.hpp"

#include "tests/places.hpp"

namespace bursar::outputs_page_test {
namespace {

constexpr std::string_view begin_mark = "<!-- begin: from reports/scalars -->\n";
constexpr std::string_view end_mark = "<!-- end: from reports/scalars -->\n";

std::string_view side_of(Better better) {
    return better == Better::lower ? "lower" : better == Better::higher ? "higher" : "-";
}

std::string figure_names() {
    std::string names = "`count`";
    for (const DistributionFigure& figure :
         figures(std::get<DistributionRow>(*std::ranges::find_if(
                     metric_table(),
                     [](const MetricEntry& entry) {
                         return std::holds_alternative<DistributionRow>(entry);
                     })),
                 Metrics{}))
        names += fmt::format(", `{}`", figure.name);
    return names;
}

/// The page's text about every scalar: a line per family, with the unit and side of its last one.
std::string described() {
    std::string text = "| scalar | unit | better | meaning |\n|---|---|---|---|\n";
    const std::span<const ScalarRow> table = scalar_table();
    for (std::size_t i = 0; i < table.size(); ++i) {
        const ScalarRow& row = table[i];
        if (i + 1 < table.size() && table[i + 1].family == row.family)
            continue;
        text += fmt::format("| `{}` | {} | {} | {} |\n",
                            row.family,
                            unit_of(row.kind),
                            side_of(row.better),
                            row.meaning);
    }
    return text + fmt::format("\nFIGURE is one of {}; the count has no unit and no better side.\n",
                              figure_names());
}

/// Columns of waits in tenants.csv, after their mean.
std::string wait_columns() {
    std::string names;
    for (const Percentile& percentile : percentiles)
        names += fmt::format(", `wait_{}_s`", percentile.name);
    return names + ", `wait_max_s`";
}

/// A part of the page that is generated from tables, between two other parts.
struct GeneratedPart {
    std::string_view begin, end;
    std::string text;
};

} // namespace

TEST_CASE("OUTPUTS.md describes all scalars and percentiles") {
    const std::filesystem::path path = source_file("reports/OUTPUTS.md");
    std::ifstream file{path, std::ios::binary};
    std::string page{std::istreambuf_iterator<char>{file}, {}};
    for (const GeneratedPart& part :
         {GeneratedPart{begin_mark, end_mark, described()},
          GeneratedPart{"| `wait_mean_s`", " | first", wait_columns()}}) {
        const std::size_t begin = page.find(part.begin);
        REQUIRE(begin != std::string::npos);
        const std::size_t from = begin + part.begin.size();
        const std::size_t end = page.find(part.end, from);
        REQUIRE(end != std::string::npos);
        if (std::getenv("BURSAR_UPDATE_GOLDEN") != nullptr) { // NOLINT(concurrency-mt-unsafe)
            page.replace(from, end - from, part.text);
            std::ofstream{path, std::ios::binary} << page;
            MESSAGE("updated ", path.string());
        } else {
            CHECK(page.substr(from, end - from) == part.text);
        }
    }
}

TEST_CASE("OUTPUTS.md describes every file") {
    std::ifstream file{source_file("reports/OUTPUTS.md"), std::ios::binary};
    const std::string page{std::istreambuf_iterator<char>{file}, {}};
    std::vector<std::string_view> files;
    for (const Output& output : outputs())
        files.push_back(output.file);
    for (const CompareOutput& output : compare_outputs())
        files.push_back(output.file);
    for (const std::string_view name : files) {
        CAPTURE(name);
        CHECK(page.find(fmt::format("`{}`", name)) != std::string::npos);
    }
}

TEST_CASE("no scalar is listed twice, and each says what it means") {
    const std::span<const ScalarRow> table = scalar_table();
    for (const ScalarRow& row : table) {
        CAPTURE(row.name);
        CHECK(find_scalar(row.name) == &row);
        CHECK_FALSE(row.meaning.empty());
    }
    CHECK(find_scalar("metrics.nothing") == nullptr);
}

} // namespace bursar::outputs_page_test
