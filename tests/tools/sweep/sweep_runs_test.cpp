#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/scalars/scalars.hpp"
#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_points.hpp"

#include "tests/tools/program.hpp"
#include "tests/tools/simulate/small_scenario.hpp"
#include "tests/tools/sweep/swept.hpp"
#include "tools/simulate/compare_variants.hpp"
#include "tools/simulate/run_scenario.hpp"
#include "tools/sweep/merge_sweeps.hpp"
#include "tools/sweep/run_sweep.hpp"
#include "tools/sweep/sweep_lock.hpp"

namespace bursar::test::sweep_runs_test {
namespace {

/// Axes in the form of `--vary`.
SweepRequest request_of(ScenarioSource source,
                        const std::vector<std::string>& vary,
                        std::optional<std::int64_t> seeds = {}) {
    SweepRequest request{.source = std::move(source), .seeds = seeds};
    for (const std::string& text : vary)
        request.vary.push_back(parse_axis(text));
    return request;
}

double scalar_of(const SweepRow& row, std::string_view name) {
    return row.scalars.at(static_cast<std::size_t>(find_scalar(name) - scalar_table().data()))
        .value();
}

/// An axis: each order with the heads that it goes with.
constexpr const char* orders_and_heads =
    "policy={queue: fifo},{queue: fifo, head: skip},{queue: sjf},{queue: sjf, head: skip},"
    "{queue: srtf},{queue: las}";

/// A large job and forty small ones, on reserved nodes and on demand.
ScenarioSource two_purchases() {
    return {.file = "two_purchases.yaml",
            .text = "bursar: 1\n"
                    "workload:\n"
                    "  jobs:\n"
                    "    - {name: large, gpus: 64, duration: 100 h}\n"
                    "    - {name: small, gpus: 8, duration: 60 h, count: 40, every: 1 min}\n"
                    "fleet:\n"
                    "  - {pool: reserved, purchase: reserved, gpu: H100, nodes: 8, "
                    "gpus_per_node: 8, price: 1.90 USD/gpu-h}\n"
                    "  - {pool: cloud, purchase: on_demand, gpu: H100, nodes: 0..16, "
                    "gpus_per_node: 8, price: 3.00 USD/gpu-h}\n"};
}

/// Nodes fail and are repaired, and some are on spot.
ScenarioSource moving() {
    ScenarioSource source = synthetic();
    source.file = "moving.yaml";
    source.overrides = {{"fleet.p.failures", "{per_node_day: 0.5, detect: 1 min, repair: 2 h}"}};
    return source;
}

} // namespace

TEST_CASE("a sweep's runs equal single runs of its scenarios, on any number of threads") {
    for (const bool skips : {false, true}) {
        CAPTURE(skips);
        ScenarioSource source = synthetic();
        if (skips)
            source.overrides = {{"policy.head", "skip"}};
        const SweepRequest request = request_of(source,
                                                {"policy.queue=fifo,sjf,srtf,las",
                                                 "fleet.p.nodes=4..8:2",
                                                 "policy.capacity=nodes,count"},
                                                2);
        const SweepPlan plan{request};
        const SweepTable one = swept(request, 1);
        const SweepTable two = swept(request, 2);
        REQUIRE(one.rows.size() == 4 * 3 * 2 * 2);
        CHECK(csv_of(one) == csv_of(two));
        for (const SweepRow& row : one.rows) {
            CAPTURE(row.number);
            const LoadedScenario loaded = plan.load(row.scenario);
            Workspace workspace;
            const Result alone =
                run_compiled(compile_run(loaded, row.seed), Record::jobs, workspace);
            CHECK(row.fingerprint == alone.fingerprint);
            const std::vector<Scalar> expected = scalars(alone);
            for (std::size_t i = 0; i < expected.size(); ++i)
                CHECK(row.scalars[i] == expected[i].value);
        }
    }
}

TEST_CASE("policies alone add no plan") {
    const SweepPlan policies{request_of(synthetic(), {orders_and_heads}, 3)};
    CHECK(policies.runs().size() == 18);
    CHECK(policies.num_plans() == 3); // one of each seed
    const SweepPlan nodes{request_of(synthetic(), {"policy.queue=fifo,sjf", "fleet.p.nodes=4,8"})};
    CHECK(nodes.num_plans() == 2);
    const SweepPlan estimates{request_of(synthetic(), {"policy.estimates=exact,noisy"})};
    CHECK(estimates.num_plans() == 2);
}

TEST_CASE("costs to own and to common ends equal those of compare") {
    for (const bool is_moving : {false, true}) {
        CAPTURE(is_moving);
        const ScenarioSource source = is_moving ? moving() : synthetic();
        const std::vector axes{parse_axis("policy.queue=fifo,srtf"),
                               parse_axis("fleet.p.nodes=4,8")};
        const std::vector<Variant> variants = all_variants(axes);
        const Comparison comparison =
            compare_variants(variants, load_variants(source, variants), {.seeds = 2});
        SweepTable table =
            swept(request_of(source, {"policy.queue=fifo,srtf", "fleet.p.nodes=4,8"}, 2));
        REQUIRE(table.rows.size() == 8);
        CHECK(add_common_ends(table));
        for (const SweepRow& row : table.rows) {
            const ComparedVariant& variant = comparison.variants[row.scenario];
            const std::vector<Scalar>& expected = variant.runs[row.number % 2];
            for (std::size_t i = 0; i < expected.size(); ++i) {
                CAPTURE(expected[i].name);
                CHECK(row.scalars[i] == expected[i].value);
            }
            REQUIRE(variant.values.scalars.back().name == common_end_cost().name);
            CHECK(row.to_common_end == variant.values.scalars.back().by_seed[row.number % 2]);
        }
    }
}

TEST_CASE("a scenario's cost is that of its run, and does not depend on what else is swept") {
    const auto swept_fleets = [](const char* nodes) {
        SweepTable table = swept(request_of(two_purchases(), {nodes, "fleet.cloud.nodes=0..8"}));
        add_common_ends(table);
        return table;
    };
    const SweepTable two = swept_fleets("fleet.reserved.nodes=8,0");
    const SweepTable three = swept_fleets("fleet.reserved.nodes=8,0,4");
    for (const SweepTable* table : {&two, &three}) {
        CHECK(scalar_of(table->rows[0], "cost.total") == doctest::Approx(61'344));
        CHECK(scalar_of(table->rows[1], "cost.total") == doctest::Approx(76'800));
    }
    CHECK(*two.rows[0].to_common_end > scalar_of(two.rows[1], "cost.total"));
    CHECK(*two.rows[1].to_common_end == scalar_of(two.rows[1], "cost.total")); // nothing is kept
    for (const SweepRow& row : two.rows) {
        ScenarioSource source = two_purchases();
        source.overrides = {{"fleet.reserved.nodes", row.values[0]},
                            {"fleet.cloud.nodes", row.values[1]}};
        for (const Scalar& one : scalars(run_scenario(load_scenario(source))))
            if (one.name == "cost.total")
                CHECK(scalar_of(row, one.name) == one.value);
    }
}

TEST_CASE("the first line under the table says that the cost to the common end ranks differently") {
    const SweepTable table =
        swept(request_of(two_purchases(), {"fleet.reserved.nodes=8,0", "fleet.cloud.nodes=0..8"}));
    const auto best_of = [&](const SweepQuestion& question) {
        const reports::Document answer = sweep_answer(table, question);
        return *answer.all<ReportTable>().front();
    };
    SweepQuestion question = usual_question();
    const ReportTable by_own = best_of(question);
    CHECK(std::get<std::int64_t>(by_own.rows[0].cells[0]) == 0);
    REQUIRE(by_own.columns.size() > 4);
    CHECK(by_own.columns[3].key == "cost.total");
    CHECK(by_own.columns[4].key == "cost.to_common_end");
    CHECK(by_own.note.starts_with(
        "the cost to the common end ranks differently: \"reserved.nodes 0"));
    CHECK(by_own.note.ends_with("; --common-end ranks by it"));
    rank_common_end(question);
    const ReportTable by_common = best_of(question);
    CHECK(std::get<std::int64_t>(by_common.rows[0].cells[0]) == 1);
    CHECK(by_common.columns[3].key == "cost.to_common_end");
    CHECK(by_common.columns[4].key == "cost.total");
    CHECK(by_common.note.starts_with("the total cost ranks differently: \"reserved.nodes 8"));
}

TEST_CASE("a cost to the common end is of one seed, and means of it have no interval") {
    const auto table_of = [](std::int64_t seeds) {
        SweepTable table = swept(request_of(synthetic(), {"policy.queue=fifo,srtf"}, seeds));
        add_common_ends(table);
        return table;
    };
    const SweepTable one = table_of(1);
    const SweepTable five = table_of(5);
    CHECK(one.rows[0].to_common_end == five.rows[0].to_common_end);
    CHECK(one.rows[1].to_common_end == five.rows[5].to_common_end);
    const std::vector metrics{find_scalar("cost.total"), &common_end_cost()};
    const std::vector<SweepPoint> points = points_of(five, metrics);
    CHECK(points[0].metrics[0].stats.ci_low);
    CHECK_FALSE(points[0].metrics[1].stats.ci_low);
    CHECK_FALSE(paired_difference(points[1], points[0], common_end_cost()).ci_high);
}

TEST_CASE("reserved capacity is paid in whole terms, on-demand capacity to the run's own end") {
    ScenarioSource source = two_jobs(); // 2 h on one node, 1.5 h on two
    source.overrides = {{"fleet.p.purchase", "on_demand"}};
    SweepTable on_demand = swept(request_of(source, {"fleet.p.nodes=1,2"}));
    CHECK_FALSE(add_common_ends(on_demand));
    CHECK(scalar_of(on_demand.rows[0], "cost.total") == 16);
    CHECK(scalar_of(on_demand.rows[1], "cost.total") == 24);
    source.overrides = {{"fleet.p.purchase", "reserved"}, {"fleet.p.term", "90 min"}};
    SweepTable reserved = swept(request_of(source, {"fleet.p.nodes=1,2"}));
    CHECK(add_common_ends(reserved));
    CHECK(scalar_of(reserved.rows[0], "cost.total") == 24); // two terms of 1.5 h
    CHECK(scalar_of(reserved.rows[1], "cost.total") == 24); // one term of two nodes
    CHECK(reserved.rows[1].to_common_end == 48);
}

TEST_CASE("a cost to the common end is known for all seeds or for none") {
    const TemporaryFolder folder;
    ScenarioSource source = synthetic();
    source.overrides = {
        {"workload.synthetic.jobs", "100"},
        {"workload.synthetic.gpus", "16"},
        {"workload.synthetic.load", "0.9"},
        {"fleet.p.nodes", "2"}, // each variant ends last with some seeds
        {"fleet.p.price",
         "{file: " + folder.write("p.csv", "time,price\n0,1\n3600,3\n") + ", per: gpu}"}};
    const std::vector<Variant> variants =
        all_variants(std::vector{parse_axis("policy.queue=fifo,srtf")});
    const Comparison comparison =
        compare_variants(variants, load_variants(source, variants), {.seeds = 5});
    SweepTable table = swept(request_of(source, {"policy.queue=fifo,srtf"}, 5));
    REQUIRE(add_common_ends(table));
    const std::vector<SweepPoint> points = points_of(table, std::vector{&common_end_cost()});
    for (std::size_t i = 0; i < 2; ++i) {
        const RepeatedScalar& cost = comparison.variants[i].values.scalars.back();
        REQUIRE(cost.name == common_end_cost().name);
        CHECK(cost.n == 0);
        CHECK(points[i].metrics[0].stats.n == 0);
        CHECK(std::ranges::any_of(table.rows, [&](const SweepRow& row) { // ends last
            return row.scenario == i && row.to_common_end.has_value();
        }));
    }
}

TEST_CASE("capacity at a price that changes is swept, and its cost to a later end is not known") {
    const TemporaryFolder folder;
    ScenarioSource source = two_jobs();
    source.overrides = {
        {"fleet.p.price",
         "{file: " + folder.write("p.csv", "time,price\n0,1\n3600,3\n") + ", per: gpu}"}};
    SweepTable table = swept(request_of(source, {"fleet.p.nodes=1,2"}));
    CHECK(add_common_ends(table));
    CHECK(scalar_of(table.rows[1], "cost.total") == 16 * (1 + 3 * 0.5));
    CHECK_FALSE(table.rows[1].to_common_end);
    CHECK(table.rows[0].to_common_end == scalar_of(table.rows[0], "cost.total"));
}

TEST_CASE("a store of another format is refused with its format") {
    const TemporaryFolder folder;
    const SweepTable planned =
        planned_table(SweepPlan{request_of(synthetic(), {"policy.queue=fifo,sjf"})});
    SweepStore{folder.path(), planned}.flush();
    Database{folder.file("sweep.sqlite")}.run("UPDATE about SET value = '7' WHERE name = 'format'");
    CHECK_THROWS_WITH_AS(SweepStore{folder.path()},
                         doctest::Contains("its tables are of format 7, and this version of bursar "
                                           "reads format 2 alone"),
                         ReportError);
    Database{folder.file("sweep.sqlite")}.run("ALTER TABLE about DROP COLUMN row_hash");
    CHECK_THROWS_WITH_AS((SweepStore{folder.path(), planned}),
                         doctest::Contains("its tables are of format 7"),
                         ReportError);
}

TEST_CASE("shards are disjoint parts, and together the whole") {
    const SweepRequest request =
        request_of(synthetic(), {"policy.queue=fifo,sjf,las", "fleet.p.nodes=4..8:1"}, 2);
    const SweepPlan plan{request};
    const std::string whole = csv_of(swept(request));
    for (const std::uint64_t count : {1, 2, 7}) {
        CAPTURE(count);
        const TemporaryFolder folder;
        std::vector<std::filesystem::path> parts;
        std::multiset<std::size_t> numbers;
        for (std::uint64_t index = count; index >= 1; --index) {
            const Shard shard{index, count};
            for (const std::size_t number : plan.runs_of(shard))
                numbers.insert(number);
            parts.push_back(folder.path() / std::to_string(index));
            std::filesystem::create_directory(parts.back());
            SweepStore store{parts.back(), planned_table(plan)};
            run_sweep(plan, store, {.shard = shard});
        }
        CHECK(numbers.size() == plan.runs().size());
        CHECK(std::set<std::size_t>{numbers.begin(), numbers.end()}.size() == numbers.size());
        const auto merged = folder.path() / "merged";
        CHECK(csv_of(merge_sweeps(parts, merged)) == whole);
        CHECK(csv_of(merge_sweeps(parts, merged)) == whole); // no run twice
    }
}

TEST_CASE("chunks for workers have every run once, the longest first, with plans whole") {
    const SweepRequest request = request_of(
        synthetic(),
        {"policy.queue=fifo,sjf,las", "fleet.p.nodes=4..19:1", "workload.synthetic.jobs=20,40"},
        2);
    const SweepPlan plan{request};
    REQUIRE(plan.num_plans() == 16 * 2 * 2);
    const std::vector<std::vector<std::size_t>> chunks = plan.chunks_for(1);
    std::set<std::size_t> numbers;
    double before = std::numeric_limits<double>::infinity();
    SweepStore store{{}, planned_table(plan)};
    for (const std::vector<std::size_t>& chunk : chunks) {
        double longest = 0;
        std::set<std::uint64_t> plans;
        for (const std::size_t number : chunk) {
            numbers.insert(number);
            plans.insert(plan.runs()[number].plan_key);
            longest = std::max(longest, plan.runs()[number].cost);
        }
        CHECK(longest <= before);
        CHECK(chunk.size() == 3 * plans.size()); // one of each queue
        before = longest;
        run_sweep(plan, store, {.runs = chunk});
    }
    CHECK(numbers.size() == plan.runs().size());
    CHECK(csv_of(store.table()) == csv_of(swept(request)));
    for (const std::vector<std::size_t>& chunk : plan.chunks_for(1000))
        CHECK(chunk.size() == 1); // a plan that one worker would finish too late is split
    CHECK(plan.chunks_for(1000).size() == plan.runs().size());
}

TEST_CASE("two results of one run are not merged") {
    const TemporaryFolder folder;
    const SweepPlan plan{request_of(synthetic(), {"fleet.p.nodes=4,8"})};
    SweepTable table = swept(request_of(synthetic(), {"fleet.p.nodes=4,8"}));
    const std::vector<std::filesystem::path> parts{folder.path() / "a", folder.path() / "b"};
    for (const std::filesystem::path& part : parts) {
        std::filesystem::create_directory(part);
        SweepStore store{part, planned_table(plan)};
        for (const SweepRow& row : table.rows)
            store.add(row, table.notes);
        table.rows[0].wall_s += 1;                                // this may differ
        table.rows[1].scalars[0] = *table.rows[1].scalars[0] + 1; // this may not
    }
    CHECK_THROWS_WITH_AS(static_cast<void>(merge_sweeps(parts, folder.path() / "m")),
                         doctest::Contains("run 1 has another result than in the folders before"),
                         BadResult);
}

TEST_CASE("finished runs are not repeated, and results of another sweep are refused") {
    const TemporaryFolder folder;
    const SweepRequest request = request_of(synthetic(), {"fleet.p.nodes=4..8:1"});
    const SweepPlan plan{request};
    {
        SweepStore store{folder.path(), planned_table(plan)};
        run_sweep(plan, store, {.shard = {1, 2}});
        CHECK(store.present().size() == plan.runs_of({1, 2}).size());
    }
    SweepStore store{folder.path(), planned_table(plan)};
    run_sweep(plan, store, {});
    CHECK(csv_of(store.table()) == csv_of(swept(request)));
    CHECK_FALSE(store.extended_from());
    const SweepPlan other{request_of(synthetic(), {"fleet.p.nodes=5..9:1"})}; // 4 is missing
    CHECK_THROWS_WITH_AS((SweepStore{folder.path(), planned_table(other)}),
                         doctest::Contains("holds another sweep"),
                         BadResult);
    const TemporaryFolder second;
    SweepStore others{second.path(), planned_table(other)};
    const std::vector<std::filesystem::path> both{folder.path(), second.path()};
    CHECK_THROWS_WITH_AS(static_cast<void>(merge_sweeps(both, folder.path() / "m")),
                         doctest::Contains("holds another sweep than"),
                         BadResult);
}

TEST_CASE("a sweep with more values continues from the smaller one") {
    const TemporaryFolder folder;
    const auto plan_of = [](const char* nodes, const char* queues, std::int64_t seeds) {
        return SweepPlan{
            request_of(synthetic(), {std::string{"fleet.p.nodes="} + nodes, queues}, seeds)};
    };
    const SweepPlan small = plan_of("4,6", "policy.queue=fifo,sjf", 1);
    {
        SweepStore store{folder.path(), planned_table(small)};
        run_sweep(small, store, {});
    }
    const SweepPlan large = plan_of("4,5,6", "policy.queue=las,fifo,sjf", 2);
    {
        SweepStore store{folder.path(), planned_table(large)};
        CHECK(store.extended_from() == 4);
        CHECK(store.table().rows.size() == 4);
        for (const SweepRow& row : store.table().rows)
            CHECK(row.scenario_hash == large.scenario_hash(row.number));
        const std::size_t before = store.present().size();
        run_sweep(large, store, {});
        CHECK(before == 4);
        CHECK(store.present().size() == 18);
        SweepStore fresh{{}, planned_table(large)};
        run_sweep(large, fresh, {});
        CHECK(csv_of(store.table()) == csv_of(fresh.table()));
    }
    SweepStore again{folder.path(), planned_table(large)};
    CHECK_FALSE(again.extended_from());
    CHECK_THROWS_WITH_AS((SweepStore{folder.path(), planned_table(small)}),
                         doctest::Contains("of which not every run is one of these"),
                         ReportError);
}

TEST_CASE("a sweep of files that have changed is not continued") {
    const TemporaryFolder folder;
    const std::string text = "bursar: 1\n"
                             "workload: {trace: {file: t.csv}}\n"
                             "fleet:\n"
                             "  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 2, "
                             "gpus_per_node: 8, price: 1 USD/gpu-h}\n";
    const std::string scenario = folder.write("s.yaml", text);
    const auto plan_of = [&](const char* nodes) {
        return SweepPlan{request_of({.file = scenario}, {std::string{"fleet.p.nodes="} + nodes})};
    };
    folder.write("t.csv", "submit,duration,gpus\n0,60,1\n");
    {
        const SweepPlan small = plan_of("1,2");
        std::filesystem::create_directory(folder.path() / "out");
        SweepStore store{folder.path() / "out", planned_table(small)};
        run_sweep(small, store, {});
    }
    {
        const SweepPlan same = plan_of("1,2,3");
        CHECK(SweepStore{folder.path() / "out", planned_table(same)}.extended_from() == 2);
    }
    folder.write("t.csv", "submit,duration,gpus\n0,90,1\n");
    const SweepPlan changed = plan_of("1,2,3,4");
    CHECK_THROWS_WITH_AS((SweepStore{folder.path() / "out", planned_table(changed)}),
                         doctest::Contains("holds another sweep"),
                         ReportError);
}

TEST_CASE("a folder takes one sweep at a time") {
    const TemporaryFolder folder;
    const SweepLock lock{folder.path()};
    CHECK_THROWS_WITH_AS(SweepLock{folder.path()},
                         doctest::Contains("another sweep is writing into this folder"),
                         ReportError);
}

TEST_CASE("a scenario that cannot run is a row with the reason, and the others are run") {
    // Gangs of 8 do not fit one node of 4.
    const SweepTable table = swept(request_of(two_jobs(), {"fleet.p.gpus_per_node=4,8"}));
    REQUIRE(table.rows.size() == 2);
    CHECK(table.rows[0].failure.find("can never run") != std::string::npos);
    CHECK(table.rows[0].scalars.empty());
    CHECK(table.rows[1].failure.empty());
    CHECK(csv_of(table).find(",failed,") != std::string::npos);
}

TEST_CASE("scenarios that share a plan which cannot be compiled each report their own line") {
    SweepRequest request = request_of(two_jobs(), {});
    *request.source.text += "sweep:\n"
                            "  policy.queue:\n"
                            "    - edf\n"
                            "    - {name: edf}\n"
                            "  policy.placement: [first-fit, worst-fit]\n";
    for (const std::size_t threads : {1U, 2U}) {
        const SweepTable table = swept(request, threads);
        REQUIRE(table.rows.size() == 4);
        for (const SweepRow& row : table.rows) {
            CAPTURE(row.number);
            CHECK(row.failure.starts_with(row.number < 2 ? "two_jobs.yaml:11:7: policy.queue: edf "
                                                         : "two_jobs.yaml:12:7: policy.queue: "));
        }
    }
}

TEST_CASE("equal scenarios are run once, and have a row each") {
    const SweepTable table = swept(request_of(two_jobs(), {"fleet.p.nodes=1,2,1"}));
    REQUIRE(table.rows.size() == 3);
    CHECK(table.rows[0].fingerprint == table.rows[2].fingerprint);
    CHECK(table.rows[2].number == 2);
}

TEST_CASE("impossible sweeps are refused before any run") {
    const auto refusal = [](const SweepRequest& request) -> std::string {
        try {
            static_cast<void>(SweepPlan{request});
        } catch (const ScenarioError& error) {
            return error.what();
        }
        return {};
    };
    CHECK(refusal(request_of(two_jobs(), {})) ==
          "two_jobs.yaml: sweep: nothing to sweep (neither axes nor seeds); `--vary PATH=V1,V2`, "
          "`--seeds N`, or a `sweep` in the scenario");
    CHECK(refusal(request_of(two_jobs(), {"fleet.p.nodes=1..2000:1", "until=1..2000:1 h"})) ==
          "two_jobs.yaml: sweep: 4000000 scenarios with 1 seeds each (at most 1000000 runs); "
          "`--max-scenarios N` for more");
    CHECK(refusal(request_of(two_jobs(), {"fleet.p.nods=1,2"})) ==
          "--vary 1: fleet.p.nods: unknown key; did you mean \"nodes\"?");
}

} // namespace bursar::test::sweep_runs_test
