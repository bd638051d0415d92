#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/tools/page_examples.hpp"
#include "tests/tools/program.hpp"
#include "tests/tools/sweep/swept.hpp"
#include "tools/sweep/merge_sweeps.hpp"
#include "tools/sweep/run_sweep.hpp"
#include "tools/sweep/sweep_pruning.hpp"

namespace bursar::test::sweep_pruning_test {
namespace {

/// Two jobs on 8 GPUs each that train one model of 7.5e9 parameters, on two nodes that are always
/// up. Without tensor parallelism it does not fit.
ScenarioSource training(const std::string& more_jobs = {}) {
    return {.file = "training.yaml",
            .text = "bursar: 1\n"
                    "workload:\n"
                    "  jobs:\n"
                    "    - {name: a, gpus: 8}\n"
                    "    - {name: b, gpus: 8, submit: 1 h}\n" +
                    more_jobs +
                    "  classes:\n"
                    "    - match: {names: [a, b]}\n"
                    "      model: gpt-7.5b\n"
                    "      tokens: 1 Gtokens\n"
                    "      batch: 64 sequences\n"
                    "      parallelism: {tensor: 8, sharding: none}\n"
                    "      micro_batch: 1\n"
                    "      recompute: none\n"
                    "      precision: bf16\n"
                    "    - {startup: 1 min}\n"
                    "fleet:\n"
                    "  - {pool: p, purchase: on_demand, gpu: A100-SXM4-80GB, nodes: 2, "
                    "gpus_per_node: 8, price: 2 USD/gpu-h}\n"};
}

SweepRequest request_of(ScenarioSource source,
                        const std::vector<std::string>& vary,
                        std::optional<double> prune) {
    SweepRequest request{.source = std::move(source), .prune = prune};
    for (const std::string& text : vary)
        request.vary.push_back(parse_axis(text));
    return request;
}

std::vector<std::string> pruned(const SweepRequest& request) {
    const SweepPlan plan{request};
    std::vector<std::string> reasons;
    for (std::size_t run = 0; run < plan.runs().size(); ++run)
        reasons.emplace_back(plan.why_pruned(run));
    return reasons;
}

std::vector<bool> is_pruned(const SweepRequest& request) {
    std::vector<bool> out;
    for (const std::string& reason : pruned(request))
        out.push_back(!reason.empty());
    return out;
}

const std::vector<std::string> layouts{"workload.classes[0].parallelism.tensor=1,2,4,8",
                                       "policy.queue=fifo,sjf"};

ScenarioForecast one_run(double seconds, double usd, const std::string& gpu = "A", int rate = 1) {
    return {0, {}, {{0, 8, 0, 0, seconds, usd}}, {{gpu, MoneyRate{rate}, false}}, true};
}

} // namespace

TEST_CASE("a scenario is beaten by one that is faster and cheaper by the margin") {
    const ScenarioForecast worse = one_run(100, 100);
    CHECK(is_beaten_by(worse, one_run(90, 90), 0.1));
    CHECK(is_beaten_by(worse, one_run(10, 10, "B", 2), 0.1)); // dearer GPUs, cheaper runs
    CHECK_FALSE(is_beaten_by(worse, one_run(91, 50), 0.1));
    CHECK_FALSE(is_beaten_by(worse, one_run(50, 91), 0.1));
    CHECK_FALSE(is_beaten_by(worse, worse, 0.1));
    CHECK_FALSE(is_beaten_by(one_run(90, 90), worse, 0.1));
}

TEST_CASE("a scenario that is better with one class and equal with another beats; one that is "
          "worse does not") {
    ScenarioForecast worse = one_run(100, 100);
    ScenarioForecast better = one_run(50, 50);
    worse.runs.push_back({1, 16, 0, 0, 70, 70});
    better.runs.push_back(worse.runs.back());
    CHECK(is_beaten_by(worse, better, 0.1));
    better.runs.back().seconds = 71;
    CHECK_FALSE(is_beaten_by(worse, better, 0.1));
    better.runs.back() = {1, 16, 1, 0, 7, 7}; // on another pool
    CHECK_FALSE(is_beaten_by(worse, better, 0.1));
    better.runs.pop_back();
    CHECK_FALSE(is_beaten_by(worse, better, 0.1));
}

TEST_CASE(
    "nodes that are always paid for, and jobs without a model, are affected by the GPU's price") {
    ScenarioForecast worse = one_run(100, 100);
    ScenarioForecast better = one_run(50, 75, "B", 2);
    CHECK(is_beaten_by(worse, better, 0.1));
    better.pools[0].is_always_paid = true;
    CHECK_FALSE(is_beaten_by(worse, better, 0.1));
    better.pools[0].rate = MoneyRate{1};
    CHECK(is_beaten_by(worse, better, 0.1));
    better.trains_all = worse.trains_all = false;
    CHECK_FALSE(is_beaten_by(worse, better, 0.1));
    better.pools[0].gpu = "A";
    CHECK(is_beaten_by(worse, better, 0.1));
}

TEST_CASE("layouts that fit nowhere or lose are not simulated, the others are as without pruning") {
    const SweepTable all = swept(request_of(training(), layouts, {}));
    const SweepTable some = swept(request_of(training(), layouts, 0.05));
    REQUIRE(all.rows.size() == 8);
    REQUIRE(some.rows.size() == 8);
    std::size_t num_beaten = 0;
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        const SweepRow& row = some.rows[i];
        CAPTURE(i);
        CHECK(row.failure.empty());
        if (row.pruned.empty()) {
            CHECK(row.fingerprint == all.rows[i].fingerprint);
            CHECK(row.scalars == all.rows[i].scalars);
            continue;
        }
        CHECK(row.scalars.empty());
        if (!all.rows[i].failure.empty()) {
            CHECK(row.pruned == all.rows[i].failure); // with the same reason
            continue;
        }
        // Under either queue the named scenario is the better of the two when simulated.
        ++num_beaten;
        const SweepRow& by = all.rows[row.pruned.starts_with("scenario 2 ") ? 2 : 3];
        CHECK(
            row.pruned.ends_with("trains at least 5 % faster and cheaper wherever the two differ"));
        CHECK(by.values[1] == row.values[1]);
        CHECK(by.ending.end < all.rows[i].ending.end);
    }
    CHECK(is_pruned(request_of(training(), layouts, 0.05)) ==
          std::vector{true, true, false, false, true, true, true, true});
    CHECK(num_beaten == 4);
}

TEST_CASE("different models, and properties that no model predicts, are never compared") {
    for (const char* axis : {"workload.classes[0].tokens=1 Gtokens,2 Gtokens",
                             "workload.classes[0].model=gpt-7.5b,gpt-1.3b",
                             "fleet.p.nodes=1,2",
                             "workload.classes[1].startup=1 min,2 min",
                             "fleet.p.price=2 USD/gpu-h,1 USD/gpu-h"}) {
        CAPTURE(axis);
        CHECK(is_pruned(request_of(training(), {axis}, 0.05)) == std::vector{false, false});
    }
    const std::string gpus = "fleet.p.gpu=A100-SXM4-80GB,H100-SXM5-80GB";
    CHECK(is_pruned(request_of(training(), {gpus}, 0.05)) == std::vector{true, false});
    const std::string other = "    - {name: c, gpus: 8, duration: 1 h}\n";
    CHECK(is_pruned(request_of(training(other), {gpus}, 0.05)) == std::vector{false, false});
}

TEST_CASE("a scenario that fits in some of its seeds is simulated in all of them") {
    ScenarioSource random{.file = "random.yaml",
                          .text =
                              "bursar: 1\n"
                              "workload:\n"
                              "  synthetic: {like: helios, jobs: 10, gpus: 16, load: 0.5}\n"
                              "  classes:\n"
                              "    - match: {gpus: 8}\n"
                              "      model: gpt-7.5b\n"
                              "      tokens: 1 Gtokens\n"
                              "      batch: 64 sequences\n"
                              "      parallelism: {tensor: 1, sharding: none}\n"
                              "      precision: bf16\n"
                              "    - {startup: 1 min}\n"
                              "fleet:\n"
                              "  - {pool: p, purchase: on_demand, gpu: A100-SXM4-80GB, nodes: 2, "
                              "gpus_per_node: 8, price: 2 USD/gpu-h}\n"};
    const std::string axis = "workload.classes[0].parallelism.tensor=1,8";
    SweepRequest request = request_of(random, {axis}, {});
    request.seeds = 8;
    const SweepTable all = swept(request);
    std::vector<std::uint64_t> misfits;
    for (const SweepRow& row : all.rows)
        if (!row.failure.empty())
            misfits.push_back(row.seed);
    REQUIRE(all.rows.size() == 16);
    REQUIRE(!misfits.empty());
    REQUIRE(misfits.size() < 8);
    request.prune = 0.05;
    CHECK(csv_of(swept(request)) == csv_of(all));
    const std::string load = "load: 0.5";
    random.text->replace(random.text->find(load), // this seed only
                         load.size(),
                         load + ", seed: " + std::to_string(misfits.front()));
    CHECK(is_pruned(request_of(random, {axis}, 0.05)) == std::vector{true, false});
}

TEST_CASE("pruning is the same for threads and shards, and in a continued sweep") {
    const SweepRequest request = request_of(training(), layouts, 0.05);
    const SweepPlan plan{request};
    const std::string whole = csv_of(swept(request));
    CHECK(csv_of(swept(request, 2)) == whole);
    const TemporaryFolder folder;
    std::vector<std::filesystem::path> parts;
    for (const std::uint64_t index : {1, 2, 3}) {
        parts.push_back(folder.path() / std::to_string(index));
        std::filesystem::create_directory(parts.back());
        SweepStore store{parts.back(), planned_table(plan)};
        run_sweep(plan, store, {.shard = {index, 3}});
    }
    const std::filesystem::path merged = folder.path() / "merged";
    CHECK(csv_of(merge_sweeps(parts, merged)) == whole);

    const SweepPlan all{request_of(training(), layouts, {})};
    CHECK(all.identity() != plan.identity());
    {
        SweepStore store{merged, planned_table(all)};
        CHECK(store.present().size() == 2); // simulated rows stay
        run_sweep(all, store, {});
        CHECK(csv_of(store.table()) == csv_of(swept(request_of(training(), layouts, {}))));
    }
    SweepStore store{merged, planned_table(plan)};
    run_sweep(plan, store, {});
    for (const SweepRow& row : store.table().rows)
        CHECK(row.pruned.empty()); // a run with a result keeps it
}

TEST_CASE("pruned runs are counted, and are not failures") {
    const TemporaryFolder folder;
    const std::string file = folder.write("training.yaml", *training().text);
    const std::string out = folder.file("out");
    const std::string few = "workload.classes[0].parallelism.tensor=4,8";
    std::vector<std::string> command{"sweep", file, "--prune", "0.05", "--format", "json"};
    for (const std::string& axis : layouts)
        command.insert(command.end(), {"--vary", axis});
    std::vector<std::string> dry = command;
    dry.emplace_back("--dry-run");
    const Answer planned = bursar(dry);
    CHECK(planned.code == 0);
    const std::size_t counted = planned.out.find("of them not simulated (--prune)");
    REQUIRE(counted != std::string::npos);
    const std::string line = planned.out.substr(counted, planned.out.find('\n', counted) - counted);
    CHECK(line.ends_with(" 6"));
    command.insert(command.end(), {"--out", out});
    const Answer answer = bursar(command);
    CAPTURE(answer.err);
    CHECK(answer.code == 0);
    CHECK(answer.err.find("6 scenarios were not simulated") != std::string::npos);
    CHECK(answer.out.find("\"pruned\": 6") != std::string::npos);
    const Answer one =
        bursar({"sweep", file, "--vary", "policy.queue=fifo", "--vary", few, "--prune", "0.05"});
    CHECK(one.err.find("1 scenario was not simulated, as models predict memory, run time and "
                       "price: waits in it are not known") != std::string::npos);
    const Answer status = bursar({"sweep", "--status", out});
    CHECK(status.code == 0);
    CHECK(status.out.find("not simulated (--prune)") != std::string::npos);
    CHECK(read_file(out + "/sweep.csv").find(",pruned,") != std::string::npos);
    CHECK(bursar({"sweep", file, "--vary", layouts[0], "--prune", "0"}).code == 2);
    CHECK(bursar({"sweep", file, "--vary", layouts[0], "--prune", "1"}).code == 2);
}

TEST_CASE("what the page of sweeps shows of pruning is what the program prints" *
          doctest::test_suite("pages")) {
    hold_examples(source_file("tools/sweep/README.md"), "$ bursar ", 1, 100);
}

} // namespace bursar::test::sweep_pruning_test
