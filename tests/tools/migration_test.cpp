#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

// A running job migrates to a cheaper pool: by hand, through a scenario.
namespace bursar::test::migration_test {
namespace {

using Row = std::map<std::string, std::string>;

/// A job of an hour takes the GPU at 1 USD an hour, one of four hours the GPU at 3. A restart takes
/// six minutes.
std::string scenario(const std::string& broker, const std::string& more_policy = {}) {
    return fmt::format(R"(
bursar: 1
workload:
  jobs:
    - {{name: short, gpus: 1, duration: 1 h}}
    - {{name: long, gpus: 1, duration: 4 h}}
  classes:
    - {{restart: 6 min}}
fleet:
  - {{pool: cheap, purchase: spot, gpu: V100-SXM2-16GB, nodes: 1, gpus_per_node: 1,
     price: 1 USD/gpu-h}}
  - {{pool: dear, purchase: on_demand, gpu: V100-SXM2-16GB, nodes: 1, gpus_per_node: 1,
     price: 3 USD/gpu-h}}
policy: {{broker: {}{}}}
)",
                       broker,
                       more_policy);
}

std::string mistake(const std::string& text) {
    const TemporaryFolder folder;
    const Answer answer = bursar({"check", folder.write("b.yaml", text)});
    CHECK(answer.code == 2);
    return answer.err;
}

void check_says(const std::string& text, const std::string& problem) {
    CHECK_MESSAGE(text.find(problem) != std::string::npos, text, " has not: ", problem);
}

const std::string migrating = "{name: cheapest-now, migrate: when-cheaper}";

} // namespace

TEST_CASE("attempts say that a job migrated, and the cost") {
    const TemporaryFolder folder;
    const Answer answer =
        bursar({"run", folder.write("b.yaml", scenario(migrating)), "--out", folder.file("out")});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    check_says(answer.out, "1 migration, 1 restart");
    const auto attempts = read_plain_csv(read_file(folder.file("out/attempts.csv")));
    REQUIRE(attempts.size() == 3);
    CHECK(attempts[1].at("pool") == "dear");
    CHECK(attempts[1].at("end_cause") == "migrated");
    CHECK(attempts[1].at("held_s") == "3600.0");
    CHECK(attempts[1].at("cost_usd") == "3.0");
    CHECK(attempts[1].at("believed_usd_per_gpu_hour") == "3.0");
    CHECK(attempts[2].at("pool") == "cheap");
    CHECK(attempts[2].at("held_s") == "11160.0"); // 6 min and 3 h
    CHECK(attempts[2].at("cost_usd") == "3.1");
    CHECK(attempts[2].at("believed_usd_per_gpu_hour") == "1.0");
    const auto summary = nlohmann::json::parse(read_file(folder.file("out/summary.json")));
    CHECK(summary.at("metrics").at("migrations") == 1);
    CHECK(summary.at("metrics").at("preemptions") == 0);
}

TEST_CASE("under owned-first, jobs that migrate follow prices as well") {
    const TemporaryFolder folder;
    const std::string text = scenario("{name: owned-first, migrate: when-cheaper}");
    const Answer answer =
        bursar({"run", folder.write("b.yaml", text), "--out", folder.file("out")});
    REQUIRE(answer.code == 0);
    const auto attempts = read_plain_csv(read_file(folder.file("out/attempts.csv")));
    REQUIRE(attempts.size() == 2); // on demand comes before spot
    CHECK(attempts[0].at("pool") == "dear");
    CHECK(attempts[0].at("believed_usd_per_gpu_hour") == "3.0");
}

TEST_CASE("jobs that cannot migrate are refused with the reason") {
    check_says(mistake(scenario("{name: cheapest-now, migrate: when-cheaper, "
                                "migrate_margin: -0.1}")),
               "policy.broker.migrate_margin: \"-0.1\"");
    check_says(
        mistake(scenario("{name: cheapest-now, migrate: when-cheaper, migrate_every: -1 h}")),
        "policy.broker.migrate_every: \"-1 h\"");
    check_says(mistake(scenario("{name: cheapest-now, migrate_every: 1 h}")),
               "policy.broker.migrate_every: has no effect (migrate is never, and it is for "
               "when-cheaper)");
    check_says(mistake(scenario("{name: any, migrate: when-cheaper}")),
               "policy.broker.migrate: any has no option \"migrate\" (it has none); it is an "
               "option of owned-first, cheapest-now, cheapest-including-risk");
    check_says(mistake(scenario("{name: spot-with-fallback, migrate: when-cheaper}")),
               "policy.broker.migrate: spot-with-fallback has no option \"migrate\"");
    check_says(mistake(scenario(migrating, ", queue: srtf")),
               "policy.broker: cheapest-now cannot migrate running jobs (under preemption: order "
               "a job that is stopped to move may preempt others); use preemption: none, or "
               "migrate: never");
    check_says(
        mistake(scenario(migrating, ", rounds: 5 min")),
        "policy.broker: cheapest-now cannot migrate running jobs (with rounds, a job that is "
        "stopped to move starts at the next one only); remove rounds, or use migrate: "
        "never");
    check_says(mistake(scenario("cheapest-now", ", allocator: fifo-perf")),
               "policy.broker: cheapest-now has no effect (fifo-perf decides where jobs run, and "
               "no pool launches nodes); remove it");
    std::string one_pool = scenario(migrating);
    const std::size_t dear = one_pool.find("  - {pool: dear");
    one_pool.erase(dear, one_pool.find("policy:") - dear);
    check_says(mistake(one_pool),
               "policy.broker.migrate: no running job can migrate (the fleet has one pool with "
               "nodes); remove it, or add a pool");
}

} // namespace bursar::test::migration_test
