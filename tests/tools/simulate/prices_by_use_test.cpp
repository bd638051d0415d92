#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "models/market/owned_cost.hpp"

#include "tests/places.hpp"
#include "tests/tools/program.hpp"
#include "tests/tools/simulate/small_scenario.hpp"
#include "tools/simulate/run_scenario.hpp"

/// Bills of pools whose nodes come and go at different prices.
namespace bursar::test::prices_by_use_test {
namespace {

/// Jobs of one node of 8 GPUs on up to two nodes, which boot and end at once.
ScenarioSource on_two_nodes(const std::string& jobs, const std::string& pool) {
    return {.file = "two_nodes.yaml",
            .text = "bursar: 1\n"
                    "workload:\n"
                    "  jobs: " +
                    jobs +
                    "\n"
                    "fleet:\n"
                    "  - {pool: p, purchase: on_demand, gpu: V100-SXM2-16GB, nodes: 0..2, "
                    "gpus_per_node: 8, idle_timeout: 0 s, " +
                    pool + "}\n"};
}

Money cost_of(const Result& result) {
    Money cost{};
    for (const ResultCell& cell : result.cells)
        cost += cell.cost;
    return cost;
}

Money cost_of(const Result& result, std::string_view tenant) {
    Money cost{};
    for (const ResultCell& cell : result.cells)
        if (cell.tenant && result.tenants[*cell.tenant] == tenant)
            cost += cell.cost;
    return cost;
}

/// A node of 8 GPUs at `cents` per GPU-hour.
Money of_node(std::int64_t cents, Duration span) {
    return MoneyRate{cents * 10'000'000} * slot_time(std::int64_t{8} * slots_per_gpu, span);
}

bool says(const std::vector<std::string>& texts, std::string_view text) {
    return std::ranges::any_of(
        texts, [&](const std::string& one) { return one.find(text) != std::string::npos; });
}

/// Nodes that come and go for a seeded workload, at drawn prices.
ScenarioSource drawn(const std::string& paid) {
    ScenarioSource source = synthetic();
    source.overrides = {{"fleet.p.purchase", "spot"},
                        {"workload.synthetic.jobs", "300"},
                        {"workload.synthetic.load", "0.1"},
                        {"fleet.p.nodes", "0..8"},
                        {"fleet.p.boot", "3 min"},
                        {"fleet.p.idle_timeout", "0 s"},
                        {"fleet.p.billing", "{granularity: 7 min, minimum: 20 min}"},
                        {"fleet.p.price",
                         "{" + paid +
                             "generate: {family: regime-switching, cheap: {floor: 1 USD/gpu-h, "
                             "ceiling: 1.5 USD/gpu-h, stay: 20 min, every: 3 min}, dear: {floor: 2 "
                             "USD/gpu-h, ceiling: 3 USD/gpu-h, stay: 10 min, every: 2 min}}}"}};
    return source;
}

constexpr Money nano_dollar{int128{slot_ms_per_gpu_hour}};

} // namespace

TEST_CASE("nodes pay the price of their launch until they end, by hand") {
    // A node costs 8 USD an hour when the first one is launched, and 32 when the second one is.
    const TemporaryFolder folder;
    const std::string file = folder.write("p.csv", "time,price\n0,8\n3600,32\n");
    const std::string jobs = "[{name: a, tenant: x, gpus: 8, duration: 3 h}, {name: b, tenant: y, "
                             "gpus: 8, duration: 3 h, submit: 2 h}]";
    const std::string price = "price: {file: " + file + ", per: node, paid: ";
    const Result locked = run_scenario(load_scenario(on_two_nodes(jobs, price + "at-launch}")));
    CHECK(locked.end == 5 * hour);
    CHECK(cost_of(locked) == of_node(100, 3 * hour) + of_node(400, 3 * hour));
    // A job there pays the mean over the nodes at that time: (8 + 32) / 2 in the third hour.
    CHECK(cost_of(locked, "x") == of_node(100, 2 * hour) + of_node(250, hour));
    CHECK(cost_of(locked, "y") == of_node(250, hour) + of_node(400, 2 * hour));
    CHECK(says(locked.run.assumed, "pool p: a node pays the price of its launch until it ends"));
    const Result market = run_scenario(load_scenario(on_two_nodes(jobs, price + "market}")));
    CHECK(cost_of(market) == of_node(100, hour) + of_node(400, 5 * hour));
    CHECK(market.fingerprint == locked.fingerprint);
}

TEST_CASE("nodes that are up from the begin pay its price to the end") {
    const TemporaryFolder folder;
    const std::string file = folder.write("p.csv", "time,price\n0,8\n3600,32\n");
    ScenarioSource source = two_jobs(); // one node for two hours
    source.overrides = {{"fleet.p.purchase", "on_demand"},
                        {"fleet.p.price", "{file: " + file + ", per: node, paid: at-launch}"}};
    const Result result = run_scenario(load_scenario(source));
    CHECK(cost_of(result) == of_node(100, 2 * hour));
    CHECK(says(result.run.assumed, "and all are launched as the run begins"));
}

TEST_CASE("the ledger equals the price of each launch, replayed hour by hour, to the nano-dollar") {
    const CompiledRun run = compile_run(load_scenario(drawn("paid: at-launch, ")), 1);
    const Plan& plan = run.compiled->plan;
    Workspace workspace;
    const Run asked = simulate(
        plan, order_for(plan, run.scenario.policy), run.scenario.policy, Record::jobs, workspace);
    REQUIRE(asked.paid.size() > 20);
    const PriceIntegral market = plan.prices.of(plan.pools[0].price_series);
    Money replayed{};
    SlotTime held{};
    Duration paid{};
    for (const PaidNodes& node : asked.paid) {
        const MoneyRate rate = market.rate_at(Duration{node.begin_ms});
        paid += Duration{node.end_ms - node.begin_ms};
        for (std::int64_t at = node.begin_ms; at < node.end_ms;) {
            const std::int64_t next = std::min((at / hour.count() + 1) * hour.count(), node.end_ms);
            replayed += rate * slot_time(std::int64_t{8} * slots_per_gpu, Duration{next - at});
            held += slot_time(std::int64_t{8} * slots_per_gpu, Duration{next - at});
            at = next;
        }
    }
    CHECK(paid == asked.outcome.nodes[0].paid);
    const Result result = run_compiled(run, Record::jobs, workspace);
    SlotTime billed_time{};
    for (const ResultCell& cell : result.cells)
        billed_time += cell.held;
    CHECK(billed_time == held);
    CHECK(cost_of(result) <= replayed);
    CHECK(replayed - cost_of(result) < nano_dollar);
    CHECK(cost_of(run_scenario(load_scenario(drawn("")))) != cost_of(result));
}

TEST_CASE("sustained use of a range counts the time that nodes were up, month by month") {
    // One node all month, a second one from hour 100 to 300 and from 500 to 730. The second is used
    // for 430 h of the month, the last 65 of them at half the price.
    const Result result = run_scenario(load_scenario(on_two_nodes(
        "[{name: a, gpus: 8, duration: 730 h}, {name: b, gpus: 8, duration: 200 h, submit: 100 h}, "
        "{name: c, gpus: 8, duration: 230 h, submit: 500 h}]",
        "price: 4 USD/gpu-h, discount: {sustained_use: [1, 0.5]}")));
    CHECK(cost_of(result) == of_node(400, 730 * hour) + of_node(200, 430 * hour));
    CHECK(says(result.run.assumed, "pool p: its discount is shared by the nodes"));
}

TEST_CASE("a volume discount of a range counts the time that its nodes were up") {
    // 8 GPUs for an hour, 16 for another: 12 GPU-hours are reached a quarter into the second.
    const Result result = run_scenario(load_scenario(
        on_two_nodes("[{name: a, gpus: 8, duration: 2 h}, {name: b, gpus: 8, duration: 1 h, "
                     "submit: 1 h}]",
                     "price: 1 USD/gpu-h, discount: {volume: [{from: 12 gpu-h, share: 0.5}]}")));
    CHECK(cost_of(result) ==
          of_node(100, hour) + of_node(100, 30 * minute) + of_node(50, 90 * minute));
}

TEST_CASE("a broker follows the prices that are asked, also where a discount lowers what is paid") {
    // Both jobs start at once, the short one where a GPU costs 1 USD an hour, the long one at 3.
    // After two hours the long one moves to the cheap GPU, although its own has cost 3 cents since
    // the end of the first hour.
    const Result result = run_scenario(load_scenario(
        {.file = "moves.yaml",
         .text = "bursar: 1\n"
                 "workload:\n"
                 "  jobs:\n"
                 "    - {name: short, gpus: 1, duration: 2 h}\n"
                 "    - {name: long, gpus: 1, duration: 8 h}\n"
                 "fleet:\n"
                 "  - {pool: cheap, purchase: spot, gpu: V100-SXM2-16GB, nodes: 1, "
                 "gpus_per_node: 1, price: 1 USD/gpu-h}\n"
                 "  - {pool: dear, purchase: on_demand, gpu: V100-SXM2-16GB, nodes: 0..1, "
                 "gpus_per_node: 1, idle_timeout: 0 s, price: 3 USD/gpu-h, "
                 "discount: {volume: [{from: 1 gpu-h, share: 0.01}]}}\n"
                 "policy: {broker: {name: cheapest-now, migrate: when-cheaper}}\n"}));
    CHECK(result.end == 8 * hour);
    const Money an_hour = MoneyRate{10'000'000} * slot_time(slots_per_gpu, hour); // at one cent
    CHECK(cost_of(result) == 800 * an_hour + 300 * an_hour + 3 * an_hour);
}

TEST_CASE("a commitment is used or lost in each hour") {
    // 8 USD in the first hour and 16 in each of the next two, then nothing for an hour, then 8.
    ScenarioSource source = on_two_nodes(
        "[{name: a, gpus: 8, duration: 3 h}, {name: b, gpus: 8, duration: 2 h, submit: 1 h}, "
        "{name: c, gpus: 8, duration: 30 min, submit: 4 h}]",
        "price: 1 USD/gpu-h");
    source.overrides = {{"commitments", "[{name: c, spend: 12 USD/h, pools: p}]"}};
    const Result hourly = run_scenario(load_scenario(source));
    REQUIRE(hourly.run.other_costs.size() == 1);
    // 4 of the first hour, 12 of the fourth, and 6 - 4 of the half hour at the end.
    CHECK(hourly.run.other_costs[0].cost ==
          Money{int128{18} * nano_usd_per_usd * nano_dollar.count()});
    CHECK(says(hourly.run.assumed, "commitment c is settled each hour"));
    // 12 USD an hour are 54 in 4.5 h, of which 44 are spent.
    source.overrides = {{"commitments", "[{name: c, spend: 288 USD/d, pools: p}]"}};
    const Result daily = run_scenario(load_scenario(source));
    CHECK(daily.run.other_costs[0].cost ==
          Money{int128{10} * nano_usd_per_usd * nano_dollar.count()});
}

TEST_CASE("a measured commitment begins and ends with the measured time") {
    ScenarioSource source = on_two_nodes(
        "[{name: a, gpus: 8, duration: 3 h}, {name: b, gpus: 8, duration: 2 h, submit: 1 h}]",
        "price: 1 USD/gpu-h");
    source.overrides = {{"commitments", "[{name: c, spend: 12 USD/h, pools: p}]"},
                        {"measure", "{from: 30 min, to: 90 min}"}};
    // Half of an hour at 8 USD, and half of one at 16: 2 USD are lost.
    CHECK(run_scenario(load_scenario(source)).run.other_costs[0].cost == of_node(25, hour));
}

} // namespace bursar::test::prices_by_use_test
