#include <sstream>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/compare/compare_formats.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/display_width.hpp"

#include "tests/reports/support/golden.hpp"

namespace bursar::compare_formats_test {
namespace {

struct Row {
    std::vector<std::optional<double>> jct_s;
    std::vector<std::optional<double>> goodput;
    double preemptions{};
};

ComparedVariant variant_of(std::string label, const Row& row) {
    ComparedVariant variant;
    variant.label = label;
    variant.settings = {{"policy.queue", std::move(label)}};
    variant.scenario_hash = 0x1234;
    for (std::size_t run = 0; run < row.jct_s.size(); ++run) {
        variant.fingerprints.push_back(0xabc0 + run);
        variant.endings.push_back({90 * day, true, {}, {}});
        variant.runs.push_back({{"cost.total", 1234.5},
                                {"ratios.goodput", row.goodput[run]},
                                {"metrics.jct_s.mean", row.jct_s[run]},
                                {"metrics.preemptions", row.preemptions}});
    }
    return variant;
}

/// Five seeds: one variant is better; one (with a hostile name) has no clear difference, and a run
/// without a value.
Comparison sample() {
    Comparison comparison;
    comparison.version = "1.2.3";
    comparison.scenario_name = "A | B, <b>";
    comparison.first_seed = 7;
    comparison.random = true;
    comparison.variants = {
        variant_of("fifo", {{3600, 7200, 5400, 3600, 7200}, {0.5, 0.55, 0.6, 0.5, 0.52}, 0}),
        variant_of("las, by: time",
                   {{1800, 3500, 2700, 1900, 3600}, {0.52, 0.57, 0.63, 0.51, 0.55}, 12}),
        variant_of("a|b\n\x1b[1m,\"c",
                   {{3500, 7300, std::nullopt, 3700, 7100}, {0.5, 0.55, 0.6, 0.5, 0.52}, 0})};
    for (ComparedVariant& variant : comparison.variants)
        variant.caveats.warnings = {"3 rows left out"};
    comparison.variants[1].caveats.assumed = {"no startup time declared"};
    comparison.variants[2].caveats.decisive = {"run times are those of the trace on any GPU"};
    comparison.variants[1].caveats.uncertain = {"gpt on 8 GPUs of pool p: 1.5 d +- 15 %"};
    comparison.variants[1].caveats.unmodelled = {"energy"};
    comparison.variants[2].caveats.unmodelled = {"energy"};
    work_out(comparison);
    return comparison;
}

/// Variants whose labels begin alike, with as many metrics as a table can have.
Comparison wide_sample() {
    Comparison comparison;
    comparison.scenario_name = "Many columns";
    comparison.random = true;
    comparison.end = 90 * day;
    const std::vector<std::string> labels{"queue: fifo",
                                          "queue: fifo, head: skip, placement: consolidated",
                                          "queue: fifo, head: skip, placement: topology",
                                          "queue: gittins",
                                          "queue: gittins"};
    for (std::size_t i = 0; i < labels.size(); ++i) {
        ComparedVariant& variant = comparison.variants.emplace_back();
        variant.label = labels[i];
        for (std::size_t run = 0; run < 5; ++run) {
            const auto x = static_cast<double>(i * (run + 2) + 1);
            variant.runs.push_back({{"cost.total", 1234567.5 + 98765.4 * x},
                                    {"cost.per_productive_gpu_hour", 1 + x / 10},
                                    {"ratios.goodput", 0.9 - x / 100},
                                    {"metrics.jct_s.mean", 3600 * x},
                                    {"metrics.jct_s.p99", 36000 * x},
                                    {"metrics.wait_s.mean", 1800 * x},
                                    {"metrics.wait_s.p99", 18000 * x},
                                    {"metrics.queued_total_s.mean", 2000 * x},
                                    {"metrics.makespan_s", 360000 * x},
                                    {"metrics.preemptions", 1000 * x},
                                    {"metrics.priority_wait_s.mean",
                                     i == 0 ? std::optional<double>{} : std::optional{60 * x}},
                                    {"metrics.placement.wait_gpu_hours", 12000 * x},
                                    {"metrics.placement.gained_gpu_hours", std::nullopt}});
        }
    }
    work_out(comparison);
    return comparison;
}

std::string table_of(const Comparison& comparison, std::size_t width) {
    StringSink sink;
    write_compare_table(comparison, {}, width, sink);
    return sink.text();
}

std::string rendered(const Comparison& comparison, std::string_view format) {
    for (const CompareOutput& output : compare_outputs()) {
        if (output.name != format)
            continue;
        StringSink sink;
        output.write(comparison, {}, 100, sink);
        return sink.text();
    }
    return {};
}

} // namespace

TEST_CASE("a comparison names the variants whose verdicts are withheld") {
    Comparison comparison = sample();
    for (ComparedVariant& variant : comparison.variants) {
        variant.finished = {{.finished = 1, .unfinished = 1, .hash = 5}};
        for (std::vector<Scalar>& run : variant.runs)
            for (const auto& [name, value] : {std::pair{"metrics.jobs_censored", 1.0},
                                              std::pair{"metrics.jct_at_least_s.mean", 7200.0}})
                run.push_back({name, value + (&variant == &comparison.variants[1] ? 3600 : 0)});
    }
    work_out(comparison);
    CHECK(table_of(comparison, 100).find("withheld") == std::string::npos);
    comparison.variants[1].finished[0].hash = 6;
    work_out(comparison);
    const std::string table = table_of(comparison, 200);
    CHECK(table.find("are withheld (?) for las, by: time: other jobs finished") !=
          std::string::npos);
    CHECK(table.find("45 min ?") != std::string::npos);
    CHECK(table.find("? withheld; base: fifo") != std::string::npos);
    CHECK(table.find("at least") != std::string::npos);
    CHECK(rendered(comparison, "csv").find(",withheld\n") != std::string::npos);
    CHECK(rendered(comparison, "json").find("\"verdict\": \"withheld\"") != std::string::npos);
    CHECK(rendered(comparison, "json").find("\"same_jobs_finished\": false") != std::string::npos);
    CHECK(rendered(comparison, "markdown").find("withheld |") != std::string::npos);
}

TEST_CASE("rare events have a column if some variant has any") {
    Comparison comparison = sample();
    const auto give = [&](const char* name, double to_base, double to_others) {
        for (ComparedVariant& variant : comparison.variants)
            for (std::vector<Scalar>& run : variant.runs)
                run.push_back({name, &variant == comparison.variants.data() ? to_base : to_others});
        work_out(comparison);
    };
    const auto says = [&](const char* title) {
        return rendered(comparison, "markdown").find(title) != std::string::npos;
    };
    give("events.reclaims", 0, 0);
    give("gpu_hours.lost_work", 0, 0);
    CHECK(!says("nodes taken back"));
    CHECK(!says("lost work"));
    give("events.node_failures", 3, 3);
    CHECK(says("failures of nodes: 3"));
    give("events.budget_stops", 0, 1);
    CHECK(says("| stops by budgets |"));
    give("metrics.deadlines.missed", 1, 0); // an equal number, but of another thing
    CHECK(says("| missed deadlines |"));
}

TEST_CASE("a comparison says until when capacity is paid for") {
    Comparison comparison = sample();
    CHECK(table_of(comparison, 200)
              .find("all runs end at 90 d, when their last job ends; capacity is paid for until "
                    "then") != std::string::npos);
    comparison.one_end = false;
    CHECK(table_of(comparison, 200)
              .find("each run ends with its last job, the last one at 90 d, and is paid for until "
                    "then, as in `bursar run`") != std::string::npos);
    comparison.ends_by_scenario = true;
    comparison.all_end_by_scenario = true;
    CHECK(table_of(comparison, 200)
              .find("all runs of a seed end at one time, the last at 90 d, `until` of the "
                    "scenario; capacity is paid for until then") != std::string::npos);
    comparison.one_end_a_seed = false;
    CHECK(table_of(comparison, 200).find("runs end at their own `until`, the last at 90 d") !=
          std::string::npos);
    comparison.variants[1].endings[0].by_itself = false; // as one variant's scenario says alone
    comparison.variants[1].endings[0].end = 80 * day;
    work_out(comparison);
    CHECK(table_of(comparison, 200)
              .find("some runs end at their own `until`, others with their last job, the last at "
                    "90 d") != std::string::npos);
}

TEST_CASE("the cost to a common end stands beside the total, and says if it ranks differently") {
    Comparison comparison = sample();
    for (ComparedVariant& variant : comparison.variants)
        for (RunEnding& ending : variant.endings) // 48 USD a day
            ending.kept = {{Purchase::owned, 1, MoneyRate{2 * nano_usd_per_usd}, Duration{1}}};
    work_out(comparison);
    CHECK(table_of(comparison, 200).find("common end") == std::string::npos); // all end at once
    ComparedVariant& early = comparison.variants[1];
    for (std::size_t run = 0; run < early.runs.size(); ++run) {
        early.endings[run].end = 80 * day;
        early.runs[run][0].value = 1000;
    }
    work_out(comparison);
    const std::string table = table_of(comparison, 200);
    CAPTURE(table);
    CHECK(table.find("USD to the") != std::string::npos);
    CHECK(table.find("1,480.00") != std::string::npos);
    const std::size_t note =
        table.find("\n  the cost to the common end ranks differently: \"fifo\" has 1,234.50 "
                   "USD, \"las, by: time\" 1,480.00 USD; --common-end ranks by it\n");
    REQUIRE(note != std::string::npos);
    const std::string before = table.substr(0, note); // the first line under the table
    CHECK(before.find("1,234.50", before.rfind('\n')) != std::string::npos);
    const std::string csv = rendered(comparison, "csv");
    CAPTURE(csv);
    CHECK(
        csv.find("cost.to_common_end,USD,5,1480,0,1480,1480,,,245.5,,,0,0.19886593762656946,\n") !=
        std::string::npos); // no interval, no verdict
    StringSink sink;
    write_compare_table(comparison, {.common_end = true}, 200, sink);
    CHECK(sink.text().find("the total cost ranks differently: \"las, by: time\" has "
                           "1,000.00 USD, \"fifo\" 1,234.50 USD\n") != std::string::npos);
    StringSink of_waits; // no cost is shown that ranks differently
    write_compare_table(comparison, {.metrics = {find_metric("jct.mean")}}, 200, of_waits);
    CHECK(of_waits.text().find("ranks differently") == std::string::npos);
}

TEST_CASE("variants ranked by the cost to the common end have their rows in its order") {
    Comparison comparison = sample();
    const std::vector<std::string> labels{"base", "late", "cheap"};
    for (std::size_t i = 0; i < labels.size(); ++i) {
        ComparedVariant& variant = comparison.variants[i];
        variant.label = labels[i];
        for (std::size_t run = 0; run < variant.runs.size(); ++run) { // 48 USD a day
            variant.endings[run].kept = {
                {Purchase::owned, 1, MoneyRate{2 * nano_usd_per_usd}, Duration{1}}};
            variant.endings[run].end = (i == 1 ? 80 : 90) * day;
            variant.runs[run][0].value = i == 1 ? 900 : 1000;
        }
    }
    work_out(comparison);
    const auto in_order = [&](const CompareQuestion& question) {
        StringSink sink;
        write_compare_table(comparison, question, 200, sink);
        const std::string& table = sink.text();
        return table.find("\n  late ") < table.find("\n  cheap ") &&
               table.find("late (base: base)") < table.find("cheap (base: base)");
    };
    CHECK(in_order({}));
    CHECK_FALSE(in_order({.common_end = true})); // 1,380 against 1,000 USD
    CHECK(rows_of(comparison, {.common_end = true}) == std::vector<std::size_t>{0, 2, 1});
}

TEST_CASE("verdicts that a table shows are corrected for their number") {
    // Ten seeds; differences m +- 1 in turns: t = 3 m with 9 degrees. |t| > 2.26 is clear by
    // itself.
    const auto with_means = [](const std::vector<double>& means) {
        Comparison comparison;
        comparison.random = true;
        comparison.variants.resize(1 + means.size());
        for (std::size_t i = 0; i <= means.size(); ++i) {
            ComparedVariant& variant = comparison.variants[i];
            variant.label = std::string(1, static_cast<char>('a' + i));
            for (int run = 0; run < 10; ++run) {
                const double difference = i == 0 ? 0 : means[i - 1] + (run % 2 == 0 ? 1 : -1);
                variant.runs.push_back({{"metrics.jct_s.mean", 1000 + 60 * difference}});
            }
        }
        work_out(comparison);
        return comparison;
    };
    const auto shown = [](const Comparison& comparison, std::size_t variant) {
        const CompareColumns columns = columns_of(comparison, {});
        REQUIRE(columns.shown.size() == 1);
        CHECK(columns.verdicts == comparison.variants.size() - 1);
        return shown_verdict(comparison, comparison.variants[variant], columns.shown[0]);
    };
    CHECK(shown(with_means({-0.9}), 1) == Verdict::better); // p = 0.025
    const Comparison five = with_means({-0.9, 0.9, -0.9, 0.9, -5});
    CHECK(five.variants[1].differences[0].verdict == Verdict::better);
    CHECK(shown(five, 1) == Verdict::no_clear_difference); // 0.05 / 4 is less
    CHECK(shown(five, 2) == Verdict::no_clear_difference);
    CHECK(shown(five, 5) == Verdict::better);
    CHECK(table_of(five, 200).find("where clear with 95 % for all 5 verdicts together (Holm's "
                                   "correction)") != std::string::npos);
}

TEST_CASE("below ten seeds every interval is marked") {
    Comparison comparison = sample();
    const auto says = [&](const std::string& words) {
        return table_of(comparison, 200).find(words) != std::string::npos;
    };
    CHECK(says("(few seeds)"));
    CHECK(says("intervals of 5 seeds are often too narrow; --seeds 10 or more"));
    for (ComparedVariant& variant : comparison.variants) {
        const auto runs = variant.runs;
        const auto endings = variant.endings;
        variant.runs.insert(variant.runs.end(), runs.begin(), runs.end());
        variant.endings.insert(variant.endings.end(), endings.begin(), endings.end());
    }
    work_out(comparison);
    CHECK(says("10 seeds (7 to 16)"));
    CHECK_FALSE(says("few seeds"));
    CHECK_FALSE(says("too narrow"));
}

TEST_CASE("an interval that few seeds decide is marked") {
    const auto with = [](const char* scalar, int seeds_that_differ) {
        Comparison comparison;
        comparison.random = true;
        comparison.variants.resize(2);
        for (std::size_t i = 0; i < 2; ++i) {
            ComparedVariant& variant = comparison.variants[i];
            variant.label = i == 0 ? "a" : "b";
            for (int run = 0; run < 10; ++run)
                variant.runs.push_back({{scalar, 9.0 + (i == 1 && run < seeds_that_differ)}});
        }
        work_out(comparison);
        return table_of(comparison, 200);
    };
    const auto says = [](const std::string& table, const char* words) {
        return table.find(words) != std::string::npos;
    };
    // 2 of 10 seeds differ by 1: 0.2 +- (t(0.975, 9) = 2.262 + 4.2 x 3.16 / 10) x sqrt(1.6 / 90)
    const std::string two = with("gpu_hours.lost_work", 2);
    CHECK(says(two, "-0.3 .. +0.7 (2 seeds)"));
    CHECK(says(two, "intervals marked (N seeds): only N seeds differ from the others"));
    CHECK(says(with("gpu_hours.lost_work", 1), "(1 seed)"));
    CHECK_FALSE(says(with("gpu_hours.lost_work", 5), "seeds)"));
    // Numbers of events have a wider interval instead: sqrt(3.6 / 90) in place of sqrt(1.6 / 90).
    const std::string events = with("events.node_failures", 2);
    CHECK(says(events, "-0.5 .. +0.9"));
    CHECK_FALSE(says(events, "seeds)"));
}

TEST_CASE("every format of the sample comparison is as reviewed") {
    const Comparison comparison = sample();
    for (const CompareOutput& output : compare_outputs())
        test::compare_with_golden(rendered(comparison, output.name), std::string{output.file});
}

TEST_CASE("the table fits a page and marks differences that may be chance") {
    Comparison comparison = sample();
    std::istringstream lines{rendered(comparison, "table")};
    for (std::string line; std::getline(lines, line);)
        CHECK(display_width(line) <= 100);
    const auto says = [&](const std::string& words) {
        return rendered(comparison, "table").find(words) != std::string::npos;
    };
    CHECK(says("5 seeds (7 to 11)"));
    CHECK(says("not clear"));
    comparison.random = false;
    CHECK(says("nothing is random"));
    comparison.random = true;
    for (ComparedVariant& variant : comparison.variants)
        variant.runs.resize(1);
    work_out(comparison);
    CHECK(says("1 seed (7): no intervals"));
    CHECK_FALSE(says("better"));
    CHECK_FALSE(says("95 %"));
}

TEST_CASE("no line of the table is wider than the terminal, and no variant is lost") {
    const Comparison comparison = wide_sample();
    for (const std::size_t width : {40U, 60U, 80U, 100U, 120U, 200U}) {
        CAPTURE(width);
        std::istringstream lines{table_of(comparison, width)};
        std::size_t rows = 0;
        for (std::string line; std::getline(lines, line);) {
            CAPTURE(line);
            CHECK(display_width(line) <= width);
            rows += line.starts_with("  5  ") ? 1 : 0;
        }
        CHECK(rows >= 2); // in the legend, and in every part of the overview
    }
}

TEST_CASE("variants whose labels do not fit, or are equal, have numbers") {
    const std::string table = table_of(wide_sample(), 80);
    for (const char* line : {"\n  1  queue: fifo\n",
                             "\n  3  queue: fifo, head: skip, placement: topology\n",
                             "\n  2  fifo, head: skip…",
                             "\n  3  fifo, head: skip…",
                             "\n2 queue: fifo, head: skip, placement: consolidated"})
        CHECK_MESSAGE(table.find(line) != std::string::npos, line, table);
    CHECK(table.find("omitted (too narrow): base, variant") != std::string::npos);
    const std::string short_labels = table_of(sample(), 100);
    CHECK(short_labels.find("\n  1  ") == std::string::npos);
}

TEST_CASE("a metric that only one variant has is shown, and one that none has is not") {
    const std::string table = table_of(wide_sample(), 200);
    CHECK(table.find("mean wait of high-priority jobs") != std::string::npos);
    CHECK(table.find("GPU-hours waiting for placement") != std::string::npos);
    CHECK(table.find("GPU-hours gained") == std::string::npos);
}

TEST_CASE("means that are equal in every shown figure are called equal") {
    Comparison comparison;
    comparison.variants.resize(3);
    comparison.variants[0].label = "a";
    comparison.variants[1].label = "b";
    comparison.variants[2].label = "c";
    for (std::size_t i = 0; i < 3; ++i)
        comparison.variants[i].runs = {
            {{"cost.per_productive_gpu_hour", 2.05512 - 0.00001 * static_cast<double>(i)},
             {"metrics.jct_s.mean", i == 2 ? 100.0 : 7200.0}}};
    work_out(comparison);
    const std::string table = table_of(comparison, 80);
    CHECK(comparison.variants[1].differences[0].verdict == Verdict::better);
    CHECK(table.find("equal for all: USD per productive GPU-hour: 2.055") != std::string::npos);
    CHECK(table.find("-0.0 %") == std::string::npos);
    CHECK(table.find("  b          2 h\n") != std::string::npos);
    CHECK(table.find("  c        100 s +\n") != std::string::npos);
}

TEST_CASE("JSON and CSV hold every scalar of every variant") {
    const Comparison comparison = sample();
    const auto json = nlohmann::json::parse(rendered(comparison, "json"));
    CHECK(json["base"] == "fifo");
    CHECK(json["run"]["seeds"] == 5);
    CHECK(json["variants"][0]["metrics"]["cost.total"]["difference"].is_null());
    const auto& jct = json["variants"][2]["metrics"]["metrics.jct_s.mean"];
    CHECK(jct["n"] == 4);
    CHECK(jct["difference"]["n"] == 4);
    CHECK(jct["difference"]["mean"] == 0.0); // -100 + 100 + 100 - 100
    CHECK(jct["difference"]["verdict"] == "no clear difference");
    CHECK(json["variants"][1]["metrics"]["metrics.preemptions"]["difference"]["verdict"] ==
          "higher");
    std::istringstream lines{rendered(comparison, "csv")};
    std::size_t rows = 0;
    for (std::string line; std::getline(lines, line);)
        ++rows;
    CHECK(rows == 1 + 3 * 4 + 4); // a label of two lines
}

TEST_CASE("a page of a comparison has the waits of each tenant") {
    Comparison comparison = sample();
    for (ComparedVariant& variant : comparison.variants)
        variant.tenants = {{"a", 3, 2 * hour}, {"b", 9, minute}};
    comparison.variants[1].tenants[0].mean = 3 * hour;
    StringSink sink;
    write_compare_html(comparison, {}, 0, sink);
    CHECK(sink.text().find("<figure id=\"tenant-waits\">") != std::string::npos);
    CHECK(sink.text().find("Longest: a in las, by: time, 3 h.") != std::string::npos);
    CHECK(sink.text().find(">mean wait, h</text>") != std::string::npos);
    for (ComparedVariant& variant : comparison.variants)
        variant.tenants = {{"a", 3, 20 * second}, {"b", 9, second}};
    StringSink short_waits;
    write_compare_html(comparison, {}, 0, short_waits);
    CHECK(short_waits.text().find(">mean wait, s</text>") != std::string::npos);
}

TEST_CASE("a page of a comparison has charts of what differs, and the goal as a line") {
    Comparison comparison;
    comparison.random = true;
    Row base;
    Row faster;
    for (int seed = 0; seed < 12; ++seed) { // half the JCT, and a goodput that only scatters
        base.jct_s.emplace_back(5400 + 10 * seed);
        faster.jct_s.emplace_back(2700 + 7 * seed);
        base.goodput.emplace_back(0.5 + 0.01 * (seed % 3));
        faster.goodput.emplace_back(0.502 + 0.01 * ((seed + 1) % 3));
    }
    comparison.variants = {variant_of("a", base), variant_of("b", faster)};
    work_out(comparison);
    CompareQuestion question;
    ConditionMistake mistake;
    question.goal = parse_goal("jct.mean < 1 h", mistake);
    REQUIRE(question.goal.has_value());
    StringSink sink;
    write_compare_html(comparison, question, 0, sink);
    const std::string& page = sink.text();
    CHECK(page.find("Change of mean JCT") != std::string::npos);
    CHECK(page.find("Change of goodput") == std::string::npos);
    CHECK(page.find("<p class=\"lead\">No clear difference: goodput.</p>") != std::string::npos);
    CHECK(page.find("class=\"goal\"") != std::string::npos);
    CHECK(page.find(">goal: jct.mean &lt; 1 h</text>") != std::string::npos);
}

TEST_CASE(
    "a page of a comparison shows each metric with its interval, and runs nothing from a name") {
    StringSink sink;
    write_compare_html(sample(), {}, 0, sink);
    const std::string& page = sink.text();
    CHECK(page.find("<figure id=\"trade\">") != std::string::npos);
    CHECK(page.find("Change of mean JCT") != std::string::npos);
    CHECK(page.find("2 other variants: 1 clearly better, 1 no clear difference.") !=
          std::string::npos);
    // Preemptions have no better side: what differs clearly is not called no difference.
    CHECK(page.find("2 other variants: 1 clearly higher, 1 equal.") != std::string::npos);
    // Small multiples, in the style sheet and once for all metrics.
    const std::size_t small = page.find("<div class=\"charts small\">");
    REQUIRE(small != std::string::npos);
    CHECK(page.find("Change of mean JCT") > small);
    CHECK(page.find("class=\"goal\"") == std::string::npos);
    CHECK(page.find("<b>") == std::string::npos);
    CHECK(page.find('\x1b') == std::string::npos);
    CHECK(page.find("default-src 'none'") != std::string::npos);
}

TEST_CASE("changes of jobs are listed for a variant, and drawn on its page") {
    Comparison comparison = sample();
    const auto gained = [](std::uint64_t jobs) {
        JobTimes base;
        JobTimes variant;
        for (std::uint64_t i = 0; i < jobs; ++i) {
            for (JobTimes* times : {&base, &variant}) {
                times->ids.push_back(i);
                times->is_finished.push_back(true);
            }
            base.jct_ms.push_back(static_cast<std::int64_t>(60'000 + i * i));
            variant.jct_ms.push_back(i == 0 ? 90'000'000 : 30'000);
        }
        return job_changes(base, variant);
    };
    comparison.variants[1].jobs = gained(5);
    comparison.variants[2].jobs = gained(3000);
    const std::string sentence = "seed 7: of 5 jobs that finished in both, 4 gained (a shorter JCT "
                                 "than in fifo), 1 lost, 0 took as long; in the median who gained "
                                 "took 0.5 times as long, who lost 1,500 times";
    CHECK(table_of(comparison, 300).find("  " + sentence + "\n") != std::string::npos);
    CHECK(rendered(comparison, "markdown").find("- " + sentence) != std::string::npos);
    const auto json = nlohmann::json::parse(rendered(comparison, "json"));
    CHECK(json["variants"][0].count("jobs") == 0);
    CHECK(json["variants"][1]["jobs"]["gained"] == 4);
    CHECK(json["variants"][2]["jobs"]["lost"] == 1);
    const std::string page = rendered(comparison, "html");
    CHECK(page.find("Which jobs gained and which lost in las, by: time?") != std::string::npos);
    CHECK(page.find("O" + sentence.substr(sentence.find("f 5 jobs")) + ".") != std::string::npos);
    CHECK(page.find("<figure id=\"jobs-2\">") != std::string::npos);
    CHECK(page.find("Small dots are single jobs") != std::string::npos);
    CHECK(page.find("class=\"dots better d1\"") != std::string::npos);
    CHECK(page.find("class=\"dots worse d1\"") != std::string::npos);
    CHECK(page.find("Strokes ") == std::string::npos);
    comparison.variants[1].jobs->variant_only = 12;
    comparison.variants[1].jobs->variant_only_ms = {60'000, 70'000};
    const std::string with_strokes = rendered(comparison, "html");
    CHECK(with_strokes.find(
              "Strokes on the right are jobs that finished in las, by: time alone: 12.") !=
          std::string::npos);
    CHECK(with_strokes.find("\" class=\"stroke better\"") != std::string::npos);
    CHECK(page.find("<td>2,999</td>") != std::string::npos);
    CHECK(page.find('\x1b') == std::string::npos);
}

} // namespace bursar::compare_formats_test
