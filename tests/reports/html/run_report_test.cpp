#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/bill/bill_table.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/page.hpp"
#include "reports/html/page_style.hpp"
#include "reports/html/sha256.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/text/decimal.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/reports/support/random_result.hpp"
#include "tests/reports/support/run_files.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::run_report_test {
namespace {

std::string page_of(const Result& result, OutputOptions options = {}) {
    StringSink sink;
    options.static_charts = true;
    write_run_report(result, options, sink);
    return sink.text();
}

std::size_t count_of(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++count;
    return count;
}

} // namespace

TEST_CASE("a report is self-contained, and its policy forbids anything else") {
    const std::string page = page_of(test::sample_result());
    CHECK(page.starts_with("<!doctype html>\n"));
    CHECK(page.find("default-src 'none'; style-src '" + content_hash_source(page_style()) + "'") !=
          std::string::npos);
    CHECK(page.find("<style>" + std::string{page_style()} + "</style>") != std::string::npos);
    for (const std::string word :
         {"http:", "https:", "//", " src=", " href=", "url(", "<script", " style=", " onload="})
        CHECK_MESSAGE(page.find(word) == std::string::npos, word);
}

TEST_CASE("every chart has its title, its drawing and its figures") {
    const std::string page = page_of(test::sample_result());
    const std::size_t charts = count_of(page, "<figure ");
    CHECK(charts >= 12);
    CHECK(count_of(page, "<svg ") == charts);
    CHECK(count_of(page, "role=\"img\" aria-labelledby=") == charts);
    CHECK(count_of(page, "<details>") == charts);
    CHECK(count_of(page, "</svg>\n") == charts);
    for (const std::string id : {"waterfall", "flows", "gpus", "queue", "wait-by-gang", "jobs"})
        CHECK_MESSAGE(count_of(page, "<figure id=\"" + id + "\">") == 1, id);
}

TEST_CASE("a page with a script allows that one, and has the data of its charts") {
    StringSink sink;
    Document document;
    document.add(FigureSection{"section",
                               {{{"c", "?", "."}, {}, {}, "<svg></svg>", "{\"kind\":\"lines\"}"}}});
    render_html(document, sink, "draw()");
    const std::string& text = sink.text();
    CHECK(text.find("script-src '" + content_hash_source("draw()") + "'") != std::string::npos);
    CHECK(text.find("<script>draw()</script>") != std::string::npos);
    CHECK(count_of(text, "<script type=\"application/json\">{\"kind\":\"lines\"}</script>") == 1);
}

TEST_CASE("names of any bytes are only text in a report") {
    Result result = test::sample_result();
    for (const std::string& name : {std::string{"<script>alert(1)</script>"},
                                    std::string{"=cmd()|' /C calc'!A0"},
                                    std::string{"../../../../tmp/x"},
                                    std::string{"line\nbreak"},
                                    std::string{"\xE2\x80\xAEgnp.exe"},
                                    std::string{"\"><img onerror=x>"},
                                    std::string(10'000, 'x')}) {
        result.run.scenario_name = name;
        result.pools[0].name = name;
        result.pools[0].region = name;
        result.tenants[0] = name;
        result.run.warnings = {name};
        result.run.assumed = {name};
        const std::string page = page_of(result);
        CAPTURE(name.substr(0, 40));
        CHECK(page.find("<script") == std::string::npos);
        CHECK(page.find("<img") == std::string::npos);
        CHECK(page.find("\xE2\x80\xAE") == std::string::npos);
        CHECK(page.find("line\nbreak") == std::string::npos);
        CHECK(page.size() < 300'000);
    }
}

TEST_CASE("a report has the figures of the bill, for any run") {
    CHECK(check_property("totals are equal to the last digit", [] {
        Result result = test::random_result();
        result.repeats.reset(); // with several seeds the first figure is the mean over them
        const std::string page = page_of(result);
        const BillTable bill = bill_table(result, {});
        RC_ASSERT(page.find("<p class=\"headline\">" + grouped_text(bill.total_cents, 2) +
                            " USD") != std::string::npos);
        for (const BillRow& row : bill.rows)
            RC_ASSERT(page.find("<td class=\"w\">" + row.label + "</td><td>" +
                                grouped_text(row.hours_tenths, 1) + "</td><td>" +
                                grouped_text(row.hours_permille, 1) + "</td><td>" +
                                grouped_text(row.usd_cents, 2) + "</td>") != std::string::npos);
        StringSink table;
        find_output("table")->write(result, {}, table);
        RC_ASSERT(table.text().find(grouped_text(bill.total_cents, 2)) != std::string::npos);
    }));
}

TEST_CASE("an empty run and one without dates have a report") {
    CHECK(count_of(page_of(Result{}), "<figure ") == 0);
    Result result = test::sample_result();
    result.zero_utc_ms.reset();
    CHECK(page_of(result).find("hours since the start") != std::string::npos);
    OutputOptions options;
    options.reproducible = true;
    CHECK(page_of(result, options).find(" events, fingerprint") != std::string::npos);
}

TEST_CASE("jobs that started again are counted once") {
    Result result = test::sample_result();
    result.num_started = 9; // six jobs, three of them twice
    CHECK(page_of(result).find("The 6 jobs that cost most, of 6 that started.") !=
          std::string::npos);
}

TEST_CASE("if no job waited there is no chart of zeros") {
    const auto page_of_jobs = [](const std::vector<test::JobSpec>& jobs) {
        return page_of(
            test::result_of(test::plan_of(jobs, {test::pool_of(1, 1)}), {"fifo", {}, "count"}));
    };
    const std::string age = "<figure id=\"queue-age\">";
    CHECK(page_of_jobs({{0, 100}, {0, 100}}).find(age) != std::string::npos);
    CHECK(page_of_jobs({{0, 100}, {100, 100}}).find(age) == std::string::npos);
}

TEST_CASE("a report of a run without starts has answers, and lists charts that are not drawn") {
    Plan plan = test::plan_of({{3'600, 100}}, {test::pool_of(1, 1)});
    plan.until = hour;
    Result result = test::result_of(plan, {"fifo", {}, "count"});
    result.timeline = {};
    const std::string page = page_of(result);
    CHECK(page.find("<p>Nothing of 1.00 USD paid for GPU time went into work that was kept.") !=
          std::string::npos);
    CHECK(page.find("<p>None of it was productive.") != std::string::npos);
    CHECK(page.find("No job started, so no node worked. This result has no timeline: GPUs, the "
                    "queue and what an hour cost are not drawn.") != std::string::npos);
    CHECK(page.find("<p></p>") == std::string::npos);
}

TEST_CASE("one job that never waited has no distribution") {
    const std::string page = page_of(
        test::result_of(test::plan_of({{0, 100}}, {test::pool_of(1, 1)}), {"fifo", {}, "count"}));
    CHECK(page.find("<p>No job waited.") != std::string::npos);
    CHECK(page.find("At most 0 jobs") == std::string::npos);
}

TEST_CASE("no \"most\" is named for a single tenant, or if no job waited") {
    const auto page_of_jobs = [](const std::vector<test::JobSpec>& jobs) {
        return page_of(
            test::result_of(test::plan_of(jobs, {test::pool_of(1, 2)}), {"fifo", {}, "count"}));
    };
    const std::string waited = page_of_jobs({{0, 100, 2}, {0, 100, 2}});
    CHECK(waited.find("<p>50 s on average (median 50 s, p99 99 s).") != std::string::npos);
    CHECK(waited.find("The most on average") == std::string::npos); // and p90 is 90 s
    const std::string at_once = page_of_jobs({{0, 100, 2}, {200, 100, 1}});
    CHECK(at_once.find("<p>0 s for each of the jobs.") != std::string::npos);
    CHECK(at_once.find("The most on average: 1 GPU or less, 0 s") == std::string::npos);
}

TEST_CASE("a distribution has at most four curves, with the number of jobs of each") {
    std::vector<test::JobSpec> jobs;
    for (std::uint16_t tenant = 0; tenant < 6; ++tenant)
        for (std::uint16_t job = 0; job <= tenant; ++job)
            jobs.push_back({0, 100, 1U << tenant, 1, tenant});
    Plan plan = test::plan_of(jobs, {test::pool_of(8, 8)});
    plan.num_tenants = 6;
    const Result result = test::result_of(plan, {"fifo", {}, "count"});
    for (const Figure& figure : wait_charts(result)) {
        CAPTURE(figure.title.id);
        CHECK(count_of(figure.svg, ", n = ") == 8); // in the legend and under the pointer
        CHECK(figure.svg.find("n = 6") != std::string::npos);
        CHECK(figure.table.rows.size() == 4);
    }
}

TEST_CASE("gangs are shown in six sizes") {
    CHECK(gang_class_title(gang_class(0)) == "1 GPU or less");
    CHECK(gang_class_title(gang_class(1)) == "1 GPU or less");
    CHECK(gang_class_title(gang_class(2)) == "2 to 4 GPUs");
    CHECK(gang_class_title(gang_class(8)) == "5 to 8 GPUs");
    CHECK(gang_class_title(gang_class(64)) == "17 to 64 GPUs");
    CHECK(gang_class_title(gang_class(65)) == "65 GPUs or more");
}

} // namespace bursar::run_report_test
