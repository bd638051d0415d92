#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_points.hpp"

#include "tests/tools/program.hpp"
#include "tests/tools/sweep/swept.hpp"
#include "tools/sweep/refine_sweep.hpp"

namespace bursar::test::refine_sweep_test {
namespace {

/// A large job and many small ones, on reserved nodes and on demand.
const std::string fleets =
    "bursar: 1\n"
    "name: fleets\n"
    "workload:\n"
    "  jobs:\n"
    "    - {name: large, gpus: 64, duration: 100 h}\n"
    "    - {name: small, gpus: 8, duration: 60 h, count: 40, every: 1 min}\n"
    "fleet:\n"
    "  - {pool: reserved, purchase: reserved, gpu: H100, nodes: 8, gpus_per_node: 8, "
    "price: 1.90 USD/gpu-h}\n"
    "  - {pool: cloud, purchase: on_demand, gpu: H100, nodes: 0..16, gpus_per_node: 8, "
    "price: 3.00 USD/gpu-h}\n";

constexpr const char* reserved = "fleet.reserved.nodes=4,8,12";
constexpr const char* cloud = "fleet.cloud.nodes=0..8,0..16";
constexpr const char* goal =
    "wait.p90 < 100 h"; ///< the grid's answer is 6 % dearer than a finer one

SweepRequest request_of(const std::vector<std::string>& vary) {
    SweepRequest request{.source = {.file = "fleets.yaml", .text = fleets}};
    for (const std::string& text : vary)
        request.vary.push_back(parse_axis(text));
    return request;
}

SweepQuestion question_of(const char* text) {
    SweepQuestion question = usual_question();
    ConditionMistake mistake;
    question.goal = parse_goal(text, mistake);
    REQUIRE(question.goal);
    return question;
}

/// The store of a sweep that was refined.
struct RefinedSweep {
    SweepPlan plan;
    SweepStore store;
    SweepQuestion question;

    RefinedSweep(const SweepRequest& request,
                 std::uint64_t times,
                 SweepQuestion asked = usual_question(),
                 std::size_t threads = 1)
        : plan{request}, store{{}, planned_table(plan)}, question{std::move(asked)} {
        const auto run = [&] { run_sweep(plan, store, {.threads = threads}); };
        run();
        CHECK(refine_sweep(plan, store, {times, question, run}).empty());
    }
};

double cost_of(const SweepTable& table, std::uint64_t scenario) {
    const auto row = std::ranges::find(table.rows, scenario, &SweepRow::scenario);
    return *value_of(*row, *find_scalar("cost.total"));
}

std::vector<std::string> command(const std::string& scenario, std::vector<std::string> more) {
    more.insert(more.begin(), {"sweep", scenario, "--vary", reserved, "--vary", cloud});
    return more;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a refined sweep finds a better answer than its grid, and none next to it is better") {
    const SweepRequest request = request_of({reserved, cloud});
    const SweepQuestion question = question_of(goal);
    RefinedSweep sweep{request, 2, question};
    const SweepTable table = sweep.store.table();
    const SweepTable grid = swept(request);
    const std::uint64_t best = *best_scenario(table, question);
    CHECK(cost_of(table, best) < 0.95 * cost_of(grid, *best_scenario(grid, question)));
    CHECK(table.num_planned - grid.num_planned <= max_refined_scenarios(SweepPlan{request}, 2));

    // The whole grid of all values that were added, evaluated without refining.
    const auto finer_axis = [&](std::size_t path, const std::string& name) {
        std::map<int, std::string> values; // by the number, or the upper end
        for (const SweepRow& row : table.rows) {
            const std::string& value = row.values[path];
            const std::size_t dots = value.find("..");
            values[std::stoi(dots == std::string::npos ? value : value.substr(dots + 2))] = value;
        }
        std::string axis = name + '=';
        for (const auto& [number, value] : values)
            axis += (axis.ends_with('=') ? "" : ",") + value;
        return axis;
    };
    const std::vector<std::string> axes{finer_axis(0, "fleet.reserved.nodes"),
                                        finer_axis(1, "fleet.cloud.nodes")};
    const SweepTable finer = swept(request_of(axes));
    CHECK(finer.rows.size() > table.rows.size());
    const std::size_t num_rows = parse_axis(axes[1]).values.size();
    const auto found =
        std::ranges::find(finer.rows,
                          std::ranges::find(table.rows, best, &SweepRow::scenario)->values,
                          &SweepRow::values);
    REQUIRE(found != finer.rows.end());
    CHECK(cost_of(finer, found->scenario) == cost_of(table, best));
    const auto distance = [](std::uint64_t a, std::uint64_t b) { return a < b ? b - a : a - b; };
    int num_around = 0;
    for (const SweepRow& row : finer.rows)
        if (distance(row.scenario / num_rows, found->scenario / num_rows) <= 1 &&
            distance(row.scenario % num_rows, found->scenario % num_rows) <= 1 &&
            question.goal->holds(*value_of(row, *question.goal->metric))) {
            ++num_around;
            CHECK(cost_of(finer, row.scenario) >= cost_of(table, best));
        }
    CHECK(num_around > 1);
}

TEST_CASE("refining adds the same scenarios with any number of threads") {
    const SweepRequest request = request_of({reserved, cloud});
    RefinedSweep one{request, 3, question_of(goal)};
    RefinedSweep three{request, 3, question_of(goal), 3};
    CHECK(csv_of(one.store.table()) == csv_of(three.store.table()));
}

TEST_CASE("refining adds whole numbers where a path takes no others") {
    const SweepRequest nodes =
        request_of({"fleet.reserved.nodes=8,9,12", "fleet.cloud.nodes=0..16"});
    CHECK(max_refined_scenarios(SweepPlan{nodes}, 10) == 2); // 10 and 11
    RefinedSweep sweep{request_of({"fleet.reserved.nodes=8,12"}), 10};
    for (const SweepRow& row : sweep.store.table().rows)
        CHECK(!has(row.values[0], "."));
    CHECK(sweep.store.table().rows.size() <= 5);
    RefinedSweep prices{request_of({"fleet.cloud.price=2 USD/gpu-h,3 USD/gpu-h"}), 2};
    CHECK(prices.store.table().rows.back().values[0] == "2.25 USD/gpu-h");
}

TEST_CASE("other axes keep the value of the answer") {
    RefinedSweep sweep{request_of({"policy.queue=fifo,smallest", "fleet.reserved.nodes=8,16"}), 2};
    const SweepTable table = sweep.store.table();
    REQUIRE(table.rows.size() > 4);
    for (std::size_t i = 5; i < table.rows.size(); ++i)
        CHECK(table.rows[i].values[0] == table.rows[4].values[0]);
}

TEST_CASE("a grid without an answer is not refined") {
    SweepQuestion question = question_of("wait.p90 < 0 s");
    SweepPlan plan{request_of({reserved})};
    SweepStore store{{}, planned_table(plan)};
    run_sweep(plan, store, {});
    CHECK(has(std::string{refine_sweep(plan, store, {1, question, [] {}})},
              "no scenario of the grid"));
    question = usual_question();
    SweepPlan near{request_of({"fleet.reserved.nodes=8,9,24", "fleet.cloud.nodes=0..16"})};
    SweepStore near_store{{}, planned_table(near)};
    run_sweep(near, near_store, {});
    REQUIRE(*best_scenario(near_store.table(), question) == 0);
    CHECK(has(std::string{refine_sweep(near, near_store, {1, question, [] {}})},
              "no value lies between"));
    CHECK_FALSE(near_store.table().refined.any());
}

TEST_CASE("sweep --refine: says so, and saves what report shows again") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", fleets);
    const std::string out = folder.file("out");
    const std::vector<std::string> asked{"--format", "json", "--goal", goal};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), asked.begin(), asked.end());
        return bursar(command(scenario, more));
    };
    const Answer grid = with({});
    const Answer answer = with({"--refine", "2", "--out", out});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    CHECK(has(answer.err, "--refine 2: at most 36 runs more\n"));
    const auto json = nlohmann::json::parse(answer.out);
    const std::string headline = json.at("headline");
    CHECK(headline.ends_with("; refined 2 times: 6.0 % below the grid's answer (reserved.nodes 8, "
                             "cloud.nodes 0..16)"));
    const int added = json.at("sweep").at("refined");
    CHECK(added > 0);
    CHECK(added + 6 == json.at("sweep").at("scenarios"));
    CHECK(json.at("axes") == nlohmann::json::parse(grid.out).at("axes")); // of the grid alone
    CHECK(bursar({"report", out, "--format", "json"}).out == answer.out);
    CHECK(bursar({"sweep", "--status", out}).code == 0);
    // The same folder without --refine keeps what was added, and so does a merge.
    CHECK(with({"--out", out}).out == answer.out);
    CHECK(
        bursar({"merge", out, "--out", folder.file("m"), "--format", "json", "--goal", goal}).out ==
        answer.out);
    const Answer dry = bursar(command(scenario, {"--refine", "2", "--dry-run"}));
    CHECK(has(dry.out, "runs more by --refine, at most"));
    CHECK(has(dry.out, "  36\n"));
    CHECK(has(dry.out, "without --refine"));

    // Another goal, with what is there: its answer is one of more scenarios.
    const Answer other = bursar(
        command(scenario,
                {"--refine", "1", "--goal", "wait.p90 < 60 h", "--out", out, "--format", "json"}));
    CHECK(other.code == 0);
    CHECK(nlohmann::json::parse(other.out).at("sweep").at("refined") >= added);
    // A grid with other values keeps them as well, and another scenario is refused.
    const std::string more_values = "fleet.reserved.nodes=4,8,12,20";
    CHECK(bursar({"sweep", scenario, "--vary", more_values, "--vary", cloud, "--out", out}).code ==
          0);
    const std::string changed = folder.write("t.yaml", fleets + "policy: {queue: smallest}\n");
    const Answer refused = bursar(command(changed, {"--refine", "1", "--out", out}));
    CHECK(refused.code == 2);
    CHECK(has(refused.err, "holds another sweep"));
}

TEST_CASE("sweep --refine: of merged shards, with the goal of the whole") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", fleets);
    for (const char* shard : {"1/2", "2/2"})
        CHECK(bursar(command(scenario,
                             {"--shard", shard, "--out", folder.file(std::string{shard, 1})}))
                  .code == 0);
    CHECK(bursar({"merge", folder.file("1"), folder.file("2"), "--out", folder.file("m")}).code ==
          0);
    const std::vector<std::string> asked{"--refine", "1", "--goal", goal, "--format", "csv"};
    std::vector<std::string> in_folder = asked;
    in_folder.insert(in_folder.end(), {"--out", folder.file("m")});
    const Answer merged = bursar(command(scenario, in_folder));
    CHECK(merged.code == 0);
    CHECK(merged.out == bursar(command(scenario, asked)).out);
}

TEST_CASE("sweep --refine: a goal that nothing meets exits with 3") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", fleets);
    const Answer answer = bursar(command(scenario, {"--refine", "1", "--goal", "wait.p90 < 0 s"}));
    CHECK(answer.code == 3);
    CHECK(has(answer.err, "--refine: no scenario of the grid is an answer to refine around\n"));
    CHECK(!has(answer.out, "refined"));
}

TEST_CASE("sweep --refine: scenarios that it tries need not be possible") {
    const TemporaryFolder folder;
    const std::string out = folder.file("out");
    const Answer answer = bursar({"sweep",
                                  source_file("scenarios/examples/train-llms.yaml"),
                                  "--vary",
                                  "workload.classes[0].parallelism.tensor=4,8",
                                  "--refine",
                                  "1",
                                  "--out",
                                  out});
    CAPTURE(answer.err);
    CHECK(answer.code == 0);
    CHECK(has(answer.err, "warning: 1 of 3 runs have no result"));
    CHECK(has(answer.err, "do not divide over tensor 6"));
    CHECK(bursar({"report", out}).code == 0);
    CHECK(bursar({"sweep", "--status", out}).code == 0);
}

TEST_CASE("sweep --refine: the page has values in their order, and the map is of the grid") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", fleets);
    const std::string page =
        bursar(command(scenario, {"--refine", "2", "--goal", goal, "--format", "html"})).out;
    CHECK(has(page, "Scenarios that --refine added are not in it."));
    const std::string grid = bursar(command(scenario, {"--goal", goal, "--format", "html"})).out;
    CHECK_FALSE(has(grid, "--refine"));
    const std::size_t parallel = page.find("What are the best scenarios made of?");
    REQUIRE(parallel != std::string::npos);
    std::size_t last = parallel;
    for (const char* value : {">4<", ">8<", ">10<", ">11<", ">12<"}) {
        CAPTURE(value);
        const std::size_t at = page.find(value, last);
        CHECK(at != std::string::npos);
        last = at;
    }
}

TEST_CASE("sweep --refine: killed at any moment it ends with the same rows") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", fleets);
    const auto refined = [&](const std::string& out) {
        return command(
            scenario,
            {"--format", "csv", "--goal", goal, "--refine", "3", "--threads", "1", "--out", out});
    };
    const std::string whole = bursar(refined(folder.file("whole"))).out;
    const std::string out = folder.file("out");
    for (int kill = 0; kill < 12; ++kill) {
        std::string line =
            fmt::format("timeout -s KILL 0.{:03} {}", 30 + 12 * kill, program_file());
        for (const std::string& word : refined(out))
            line += " '" + word + "'";
        static_cast<void>(std::system( // NOLINT(concurrency-mt-unsafe)
            (line + " >" + folder.file("log") + " 2>&1").c_str()));
    }
    const Answer last = bursar(refined(out));
    CAPTURE(last.err);
    CHECK(last.code == 0);
    CHECK(last.out == whole);
}

TEST_CASE("sweep --refine: what was refined in part says so") {
    const TemporaryFolder folder;
    const SweepQuestion question = question_of(goal);
    SweepPlan plan{request_of({reserved, cloud})};
    {
        SweepStore store{folder.path(), planned_table(plan)};
        run_sweep(plan, store, {});
        CHECK_THROWS(
            refine_sweep(plan, store, {2, question, [] { throw std::runtime_error{"killed"}; }}));
        store.keep_question(question);
    }
    const Answer answer = bursar({"report", folder.path().string(), "--format", "json"});
    CHECK(answer.code == 4);
    CHECK(has(answer.out, "; refined in part: "));
    CHECK(bursar({"sweep", "--status", folder.path().string()}).code == 4);
}

TEST_CASE("sweep --refine: what it refuses") {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", fleets);
    const auto error = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"sweep", scenario, "--refine", "1"});
        const Answer answer = bursar(more);
        CHECK(answer.code == 2);
        return answer.err;
    };
    CHECK(has(error({"--vary", reserved, "--shard", "1/2"}), "a shard does not know the answer"));
    CHECK(has(error({"--vary", reserved, "--prune", "0.1"}), "not with --prune"));
    CHECK(has(error({"--vary", "policy.queue=fifo,sjf"}), "no axis can be refined"));
    CHECK(has(error({"--vary", "fleet.reserved.nodes=8,16; fleet.cloud.nodes=0..8,0..16"}),
              "no axis can be refined"));
    CHECK(has(error({"--vary", "fleet.reserved.nodes=8..12:1"}), "no value lies between"));
    CHECK(has(error({"--vary", reserved, "--max-scenarios", "4"}), "at most 4 runs"));
    std::vector<std::string> five;
    for (const char* path : {"fleet.reserved.nodes=8,16",
                             "fleet.cloud.nodes=0..8,0..16",
                             "fleet.reserved.price=1 USD/gpu-h,2 USD/gpu-h",
                             "fleet.cloud.price=1 USD/gpu-h,2 USD/gpu-h",
                             "workload.jobs[1].count=20,40"})
        five.insert(five.end(), {"--vary", path});
    CHECK(has(error(five), "5 axes are of numbers"));
    CHECK(bursar(command(scenario, {"--refine", "0"})).code == 2);
    CHECK(bursar(command(scenario, {"--refine", "11"})).code == 2);
}

} // namespace bursar::test::refine_sweep_test
