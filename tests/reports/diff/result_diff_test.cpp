// Differences of two results: every dollar of the change, and the differences of the scenarios.

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "reports/bill/printed_bill.hpp"
#include "reports/diff/diff_formats.hpp"
#include "reports/rounding/printed_units.hpp"

#include "tests/contains.hpp"
#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/reports/support/golden.hpp"
#include "tests/reports/support/random_result.hpp"
#include "tests/reports/support/run_files.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::test::result_diff_test {
namespace {

std::string written(const ResultDiff& diff, std::string_view format, const DiffQuestion& question) {
    StringSink sink;
    std::ranges::find(diff_outputs(), format, &DiffOutput::name)->write(diff, question, 100, sink);
    return sink.text();
}

/// The sample with dearer owned nodes, another queue and a charge for storage.
Result changed_sample() {
    Result result = sample_result();
    const MoneyRate dearer{1'100'000'000};
    result.pools[0].price = PoolPrice{dearer};
    for (ResultCell& cell : result.cells)
        if (cell.pool == 0)
            cell.cost = dearer * cell.held;
    result.run.policy.queue = "sjf";
    result.run.scenario_hash = 0x5678;
    result.run.other_costs.push_back({"egress", Money{money_per_micro_usd * 1'250'000}});
    result.run.assumed.emplace_back("links are never full");
    return result;
}

int128 sum_of_deltas(const std::vector<DiffRow>& rows, bool leaves) {
    int128 sum = 0;
    for (const DiffRow& row : rows)
        if (row.is_leaf == leaves)
            sum += *row.usd.delta();
    return sum;
}

std::vector<FailIf> conditions(const std::vector<std::string>& texts) {
    std::vector<FailIf> out;
    for (const std::string& text : texts) {
        ConditionMistake mistake;
        const auto condition = parse_fail_if(text, mistake);
        CAPTURE(mistake.why);
        REQUIRE(condition);
        out.push_back(*condition);
    }
    return out;
}

std::string mistake_in(const std::string& text) {
    ConditionMistake mistake;
    CHECK_FALSE(parse_fail_if(text, mistake));
    return mistake.why;
}

} // namespace

TEST_CASE("diff: groups, leaves, pools and tenants all add up to the change of the total") {
    CHECK(check_property([] {
        const Result base = random_result();
        const Result fresh = random_result();
        for (const DiffRows& rows : {exact_rows(base, fresh), shown_rows(base, fresh)}) {
            const int128 change = *rows.paid.usd.delta();
            RC_ASSERT(sum_of_deltas(rows.leaves, false) == change);
            RC_ASSERT(sum_of_deltas(rows.leaves, true) == change);
            RC_ASSERT(sum_of_deltas(rows.pools, false) == change);
            RC_ASSERT(sum_of_deltas(rows.tenants, false) == change);
            RC_ASSERT(change + sum_of_deltas(rows.other, false) == *rows.total.usd.delta());
            if (const auto& causes = rows.causes)
                RC_ASSERT(causes->volume.usd + causes->efficiency.usd + causes->price.usd +
                              causes->other_usd ==
                          *rows.total.usd.delta());
        }
        RC_ASSERT(exact_rows(base, fresh).total.usd.fresh == print_bill(fresh).total_usd);
    }));
}

TEST_CASE("diff: the change of the total is split into volume, efficiency and price") {
    // Jobs of a GPU and an hour: one on 2 GPUs at 1 USD, against three on 4 GPUs at 2 USD.
    const auto run = [](std::uint32_t gpus, std::int64_t usd, std::size_t jobs) {
        Plan plan = plan_of(std::vector<JobSpec>(jobs, {0, 3600, 1}), {pool_of(1, gpus)});
        plan.pools[0].rate = MoneyRate{usd * 1'000'000'000};
        return result_of(plan, {"fifo", HeadRule::block, "count", ""});
    };
    const Result base = run(2, 1, 1);
    Result fresh = run(4, 2, 3);
    fresh.run.other_costs.push_back({"egress", Money{money_per_micro_usd * 500'000}});
    const std::optional<DiffCauses> causes = exact_rows(base, fresh).causes;
    REQUIRE(causes);
    CHECK(causes->volume == DiffCause{1, 3, 4'000'000});            // 2 USD x 3/1 - 2 USD
    CHECK(causes->efficiency == DiffCause{2, 4.0 / 3, -2'000'000}); // 2 USD x (4/2 - 3/1)
    CHECK(causes->price == DiffCause{1, 2, 4'000'000});             // 8 USD - 2 USD x 4/2
    CHECK(causes->other_usd == 500'000);
    const ResultDiff diff = diff_results(base, fresh, "a", "b");
    CHECK(contains(written(diff, "table", {}), "efficiency: paid GPU-hours for each of them"));
    CHECK(nlohmann::json::parse(written(diff, "json", {}))["causes"]["price"]["cost"] == 4);
}

TEST_CASE("diff: a result does not differ from itself") {
    CHECK(check_property([] {
        Result result = random_result();
        if (drawn::boolean())
            for (ResultPool& pool : result.pools)
                pool.name = "one name";
        const ResultDiff diff = diff_results(result, result, "a", "b");
        RC_ASSERT(diff.changes.empty());
        for (const DiffMetric& metric : diff.metrics)
            RC_ASSERT(metric.figure.is_same());
        const Document document = diff_document(diff, {});
        for (const ReportTable* table : document.all<ReportTable>())
            RC_ASSERT(table->title != "What it changed");
    }));
}

TEST_CASE("diff: every format takes any two results, and escapes hostile names") {
    CHECK(check_property([] {
        const Result base = random_result();
        const Result fresh = random_result();
        const ResultDiff diff = diff_results(base, fresh, random_text(), random_text());
        DiffQuestion question;
        question.all = drawn::boolean();
        const auto json = nlohmann::json::parse(written(diff, "json", question));
        RC_ASSERT(json["metrics"].size() == diff.metrics.size());
        for (const DiffOutput& output : diff_outputs()) {
            const std::string text = written(diff, output.name, question);
            RC_ASSERT(text.find('\x1b') == std::string::npos);
            RC_ASSERT(text.ends_with('\n'));
        }
    }));
}

TEST_CASE("diff: the mean waits of tenants that changed are a table") {
    const Result base = sample_result();
    Result fresh = base;
    for (std::size_t job = 0; job < fresh.jobs.size(); ++job)
        if (fresh.jobs.tenant[job] == 0)
            fresh.jobs.start_ms[job] += minute.count();
    const ResultDiff diff = diff_results(base, fresh, "a", "b");
    const Document document = diff_document(diff, {});
    std::vector<ReportTable> waits;
    for (const ReportTable* table : document.all<ReportTable>())
        if (table->title.starts_with("Mean wait by tenant"))
            waits.push_back(*table);
    REQUIRE(waits.size() == 1);
    REQUIRE(waits[0].rows.size() == 1); // the other tenants waited as long
    CHECK(std::get<std::string>(waits[0].rows[0].cells.back()).starts_with("+"));
}

TEST_CASE("diff: the formats of the sample are as reviewed") {
    const Result base = sample_result();
    const Result fresh = changed_sample();
    const ResultDiff diff = diff_results(base, fresh, "before", "after");
    DiffQuestion question;
    question.fail_if = conditions({"cost > +5 %", "wait.p99 > +10 min"});
    for (const DiffOutput& output : diff_outputs())
        compare_with_golden(written(diff, output.name, question), std::string{output.file});
}

TEST_CASE("diff: differences of two scenarios are listed as far as results store them") {
    const Result base = sample_result();
    const auto changes_of = [&](auto change) {
        Result fresh = base;
        change(fresh);
        const std::vector<ScenarioChange> changes = scenario_changes(base, fresh);
        REQUIRE(changes.size() == 1);
        return changes[0].what + ": " + changes[0].base + " -> " + changes[0].fresh;
    };
    CHECK(changes_of([](Result& r) { r.run.policy.queue = "las"; }) == "policy.queue: fifo -> las");
    CHECK(changes_of([](Result& r) { r.pools[1].num_nodes = 3; }) == "pool t4: nodes: 1 -> 3");
    CHECK(changes_of([](Result& r) { r.pools[1].price = PoolPrice{MoneyRate{400'000'000}}; }) ==
          "pool t4: price of a GPU-hour: 0.35 USD -> 0.40 USD");
    CHECK(changes_of([](Result& r) { r.run.seed += 1; }).starts_with("seed: "));
    CHECK(changes_of([](Result& r) {
              r.pools.pop_back();
          }).starts_with("pool t4: 1 x 2 T4, reserved, 0.35 USD -> "));
    CHECK(
        changes_of([](Result& r) { r.jobs.gpus[0] += 1; }).starts_with("workload: jobs: 7 of 3 "));
    CHECK(changes_of([](Result& r) { r.run.assumed.emplace_back("x"); }) == "assumed:  -> x");
    CHECK(changes_of([](Result& r) {
              r.run.scenario_hash += 1;
          }).starts_with("scenario, in what results do not keep: "));
}

TEST_CASE("diff: notes say why figures are not comparable") {
    const Result base = sample_result();
    Result fresh = base;
    CHECK(diff_results(base, fresh, "", "").notes.empty());
    fresh.jobs.state[0] = JobState::running;
    CHECK(contains(diff_results(base, fresh, "", "").notes.at(0), "not the same jobs finished"));
    fresh.jobs.gpus[0] = 9;
    CHECK(contains(diff_results(base, fresh, "", "").notes.at(0), "the jobs are not the same"));
    fresh.window_begin = hour;
    CHECK(contains(diff_results(base, fresh, "", "").notes.at(0), "the bills cover 4 h and 3 h"));
}

TEST_CASE("diff: conditions compare a change with per cent of the base, or a unit") {
    const Result base = sample_result();
    const Result fresh = changed_sample();
    const ResultDiff diff = diff_results(base, fresh, "a", "b");
    const auto fails = [&](const std::string& text) {
        return answer_of(conditions({text})[0], diff).is_failed;
    };
    // 33.20 USD and 1.25 for storage before, 32 x 0.15 and 1.25 more.
    CHECK(answer_of(conditions({"cost > +5 %"})[0], diff).reason ==
          "cost.total: 34.45 to 40.50, +6.05 (+17.6 %)");
    CHECK(fails("cost > +5 %"));
    CHECK(fails("cost.total>+17%"));
    CHECK_FALSE(fails("cost > +18 %"));
    CHECK(fails("cost > +6 USD"));
    CHECK(fails("cost >= +6.05 USD"));
    CHECK_FALSE(fails("cost > +6.05 USD"));
    CHECK_FALSE(fails("cost < -1 %"));
    CHECK(fails("cost > 0"));
    CHECK_FALSE(fails("goodput < -1 pp"));
    CHECK_FALSE(fails("wait.p99 > +10 min"));
    CHECK(fails("cost.other > +50 %"));       // from zero
    CHECK_FALSE(fails("cost.other < -50 %")); // it increased
    CHECK(fails("energy.kwh > +1 %"));        // unknown
}

TEST_CASE("diff: the means of several seeds are compared, with the interval of the difference") {
    const auto repeated = [](const Result& one, const std::vector<double>& costs) {
        Result result = one;
        std::vector<std::vector<Scalar>> runs;
        for (const double cost : costs) {
            runs.push_back(scalars(one));
            for (Scalar& scalar : runs.back())
                if (scalar.name == "cost.total")
                    scalar.value = cost;
        }
        result.repeats = repeats_over(runs);
        return result;
    };
    const Result base = repeated(sample_result(), {100, 200, 300});
    const Result fresh = repeated(sample_result(), {107, 207, 310});
    const FailIf condition = conditions({"cost > +5 USD"})[0];
    const auto reason = [&](const Result& a, const Result& b) {
        return answer_of(condition, diff_results(a, b, "a", "b")).reason;
    };
    const auto note = [&](const Result& a, const Result& b) {
        return diff_results(a, b, "a", "b").notes.back();
    };
    // Differences 7, 7, 10, whose squared skewness is 3: 8 +- (t(0.975, 2) = 4.3027, and 4.2 x 3 /
    // 3) x sqrt(3) / sqrt(3).
    CHECK(reason(base, fresh) == "cost.total: 200.00 to 208.00, +8.00 (+4.0 %), 95 % interval (few "
                                 "seeds) -0.50 .. +16.50 (1 seed)");
    CHECK(note(base, fresh) ==
          "metrics are means over seeds 1 to 3, and intervals those of the differences seed by "
          "seed; where it went, by pool and by tenant is of seed 1 alone");
    CHECK(answer_of(condition, diff_results(base, fresh, "a", "b")).is_failed);

    Result other_seeds = fresh;
    other_seeds.run.seed = 50;
    // 8 +- t(0.975, 3.9995) = 2.7767 x sqrt((100^2 + 101.5^2) / 3)
    CHECK(contains(reason(base, other_seeds), "+8.00 (+4.0 %), 95 % interval (few seeds) -220."));
    CHECK(contains(note(base, other_seeds), "seeds 1 to 3 and seeds 50 to 52, which are not the"));

    Result older = fresh;
    for (RepeatedScalar& scalar : older.repeats->scalars)
        scalar.by_seed.clear();
    CHECK(contains(reason(base, older), "95 % interval (few seeds) -220."));
    CHECK(contains(note(base, older), "whose values an older result does not have seed by seed"));

    CHECK(reason(base, sample_result()) == "cost.total: 200.00 to 34.45, -165.55 (-82.8 %)");
    CHECK(contains(note(sample_result(), base),
                   "metrics of b are means over seeds 1 to 3, those of a are of seed 1 alone"));

    const ResultDiff diff = diff_results(base, fresh, "before", "after");
    const auto json = nlohmann::json::parse(written(diff, "json", {}));
    CHECK(json["pairing"] == "paired");
    CHECK(json["base"]["seeds"] == 3);
    CHECK(json["metrics"]["cost.total"]["base"] == 200);
    CHECK(json["metrics"]["cost.total"]["ci95_low"].get<double>() ==
          doctest::Approx(-0.502653).epsilon(1e-6));
    CHECK(json["total"]["base"] == 34.45); // of the first seed
    for (const DiffOutput& output : diff_outputs()) {
        CAPTURE(output.name);
        const std::string text = written(diff, output.name, {});
        if (output.name == "json")
            continue;
        CHECK(contains(text, "-0.50 .. +16.50"));
        CHECK(contains(text, "By pool, seed 1"));
    }
}

TEST_CASE("diff: a malformed condition is refused") {
    CHECK(contains(mistake_in("cost"), "such as \"cost > +5 %\""));
    CHECK(contains(mistake_in("cost > 5 %"), "give it a sign"));
    CHECK(contains(mistake_in("cost > +5 min"), "\"+5 min\" is no change"));
    CHECK(contains(mistake_in("wait.p99 > +5"), "or +10 min"));
    CHECK(contains(mistake_in("cost > +1e300 USD"), "is no change"));
    CHECK(contains(mistake_in("cost > +nan %"), "is no change"));
    CHECK(contains(mistake_in("cost > +1 pp"), "is no change"));
    ConditionMistake mistake;
    CHECK_FALSE(parse_fail_if("costs > +1 %", mistake));
    CHECK(mistake.unknown == "costs");
}

TEST_CASE("a change of the total cost includes the error of modelled run times") {
    // A job finishes at 3 h of 4, and may at 3 x 1.4913 h: 33.20 USD x 0.1185 = 3.933.
    Result base = sample_result();
    base.ends_by_scenario = false;
    base.modelled = {{"gpt", "own", 4, 0, hour, 0.9, 1.321236}};
    base.jobs.modelled.assign(base.jobs.size(), 1);
    Result fresh = base;
    for (ResultCell& cell : fresh.cells)
        cell.cost += cell.cost; // 66.40 USD, and twice the error: the difference is off by one
    const auto note_of = [&] {
        return fmt::format("{}", fmt::join(diff_results(base, fresh, "a", "b").notes, "\n"));
    };
    CHECK(contains(note_of(), "the change of the total cost is uncertain by +- 3.93 USD (95 %)"));
    const auto repeat = [](Result& result, double cost) {
        const std::vector<std::vector<Scalar>> runs(3, {{"cost.total", cost}});
        result.repeats = repeats_over(runs);
    };
    repeat(base, 33.2);
    repeat(fresh, 66.4);
    const ResultDiff diff = diff_results(base, fresh, "a", "b");
    const MeanDifference& change = *metric_of(diff, "cost.total").over_seeds;
    CHECK(change.mean == doctest::Approx(33.2));
    CHECK(*change.ci_low == doctest::Approx(33.2 - 3.9331).epsilon(1e-5));
    CHECK(contains(note_of(), "its interval includes this"));
    base.modelled[0].range_high.reset();
    CHECK(contains(note_of(), "not known for all"));
}

} // namespace bursar::test::result_diff_test
