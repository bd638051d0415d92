#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::provisioning_keys_test {
namespace {

/// A scenario with one pool, on demand unless `keys` says otherwise.
Scenario read(const std::string& keys) {
    static const Catalogue builtin = builtin_catalogue();
    const std::string text = "bursar: 1\n"
                             "workload: {trace: {file: jobs.csv}}\n"
                             "fleet: [{pool: cloud, gpu: V100-SXM2-16GB, gpus_per_node: 8, "
                             "price: 3 USD/gpu-h, " +
                             keys + "}]\n";
    return read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin);
}

std::string mistakes(const std::string& keys) {
    try {
        read(keys);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

bool has(const std::vector<std::string>& texts, const std::string& text) {
    return std::ranges::find(texts, text) != texts.end();
}

} // namespace

TEST_CASE("a range of nodes states how they come and go, and its defaults are listed as assumed") {
    const Scenario stated = read("purchase: on_demand, nodes: 2..16, idle_timeout: 5 min, "
                                 "boot: {mean: 4 min, distribution: exponential}, "
                                 "provisioning: {start: 3, warm: 1, every: 1 min, at_once: 4, "
                                 "cancel_boots: yes}, "
                                 "billing: {granularity: 1 s, minimum: 60 s}");
    const PoolSpec& pool = stated.fleet[0];
    CHECK(pool.has_range());
    CHECK(pool.min_nodes == 2);
    CHECK(pool.nodes == 16);
    CHECK(pool.boot.mean == 4 * minute);
    CHECK(pool.boot.is_exponential);
    CHECK(pool.idle_timeout == 5 * minute);
    CHECK(pool.provisioning.start == 3);
    CHECK(pool.provisioning.warm == 1);
    CHECK(pool.provisioning.every == minute);
    CHECK(pool.provisioning.at_once == 4);
    CHECK(pool.provisioning.cancel_boots);
    CHECK(pool.billing.minimum == minute);
    CHECK(is_random(stated));
    CHECK(has(stated.unmodelled, "failures, reclaim"));

    const Scenario silent = read("purchase: spot, nodes: 0..4");
    CHECK(has(silent.assumed, "pool cloud: nodes boot at once"));
    CHECK(has(silent.assumed, "pool cloud: a node ends when it was not needed for 10 min"));
    CHECK(!is_random(silent));
}

TEST_CASE("the least number of nodes follows a schedule, or the need of a week before") {
    const PoolSpec pool =
        read("purchase: on_demand, nodes: 0..16, provisioning: {queue: no, schedule: "
             "{zone: '+02:00', hours: [{days: [sat, weekdays], from: 8, to: 20, nodes: 12}, "
             "{nodes: 1}]}}")
            .fleet[0];
    REQUIRE(pool.provisioning.schedule);
    CHECK(pool.provisioning.schedule->zone == "+02:00");
    REQUIRE(pool.provisioning.schedule->rows.size() == 2);
    const ScheduledHours& first = pool.provisioning.schedule->rows[0];
    CHECK(first.days == 0b11'1111);
    CHECK(first.from == 8);
    CHECK(first.to == 20);
    CHECK(first.nodes == 12);
    CHECK(pool.provisioning.schedule->rows[1].days == 0b111'1111);
    CHECK(!pool.provisioning.follows_queue);
    CHECK(pool.provisioning.moves());
    const PoolSpec other =
        read("purchase: on_demand, nodes: 0..16, provisioning: {predictive: 1.5}").fleet[0];
    CHECK(other.provisioning.predictive == 1.5);
    CHECK(other.provisioning.moves());
}

TEST_CASE("ranges without effect are reported with a suggestion") {
    const std::pair<std::string, std::string> cases[]{
        {"purchase: owned, nodes: 0..16",
         "nodes: a range of nodes that are paid for all the time (owned and reserved nodes cost "
         "the same when they are off); give the number of nodes"},
        {"purchase: spot, nodes: 8..",
         "nodes: \"8..\" has an open end (a pool has a least and a largest number of nodes); write "
         "it as 0..16"},
        {"purchase: spot, nodes: 0..0", "nodes: a range of no nodes; 0 leaves the pool out"},
        {"purchase: spot, nodes: 0..16, provisioning: {start: 17}",
         "provisioning.start: is not in the range of nodes"},
        {"purchase: spot, nodes: 0..16, provisioning: {at_once: 3}",
         "provisioning.at_once: needs `every` (else the rest is launched a moment later)"},
        {"purchase: spot, nodes: 0..16, provisioning: {queue: no}",
         "provisioning.queue: needs `schedule` or `predictive` (else no node is ever launched)"},
        {"purchase: spot, nodes: 4..16, provisioning: {schedule: {hours: [{nodes: 17}]}}",
         "provisioning.schedule.hours[0].nodes: is not in the range of nodes"},
        {"purchase: spot, nodes: 4..16, provisioning: {schedule: {hours: [{nodes: 3}]}}",
         "provisioning.schedule.hours[0].nodes: is not in the range of nodes"},
        {"purchase: spot, nodes: 0..16, provisioning: {schedule: {hours: [{from: 20, to: 8, "
         "nodes: 3}]}}",
         "provisioning.schedule.hours[0].to: these hours are empty (they end where they begin, or "
         "before); hours through midnight take two rows"},
    };
    for (const auto& [keys, message] : cases) {
        CAPTURE(keys);
        CHECK(mistakes(keys).find(message) != std::string::npos);
    }
    CHECK(mistakes("purchase: spot, nodes: 16..8") != "");
}

} // namespace bursar::provisioning_keys_test
