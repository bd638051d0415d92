#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "sim/record/outcome.hpp"

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/every_choice.hpp"

namespace bursar::test::elastic_pools_by_hand_test {
namespace {

constexpr Duration second{1000};

SlotTime gpu_seconds(std::int64_t count) {
    return slot_time(count * slots_per_gpu, second);
}

/// One pool of up to four nodes of two GPUs, empty at first; a boot takes 10 s.
Plan elastic(const std::vector<JobSpec>& jobs) {
    Plan plan = plan_of(jobs, {pool_of(4, 2)});
    plan.pools[0].purchase = Purchase::on_demand;
    PlanProvisioning& rule = plan.provisioning.emplace_back();
    rule.is_fixed = false;
    rule.follows_queue = true;
    rule.idle_timeout_ms = 30'000;
    plan.boot_ms = {10'000};
    return plan;
}

Run run_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace, nullptr);
}

SlotTime booked(const Outcome& outcome) {
    SlotTime sum{};
    for (const SlotTime cell : outcome.cells)
        sum += cell;
    return sum;
}

std::vector<PolicyChoice> choices() {
    std::vector<PolicyChoice> out;
    for (const char* capacity : {"count", "nodes"}) {
        for (const char* queue : {"fifo", "srtf", "las", "fair-share", "ftf"}) {
            PolicyChoice choice{queue, HeadRule::block};
            choice.capacity = capacity;
            out.push_back(choice);
            choice.backfill = "easy";
            if (choice.queue != "srtf" && choice.queue != "las")
                out.push_back(choice);
        }
        PolicyChoice conservative{"fifo", HeadRule::block};
        conservative.capacity = capacity;
        conservative.backfill = "conservative";
        out.push_back(conservative);
    }
    return out;
}

std::string name_of(const PolicyChoice& choice) {
    return choice.queue + ", " + choice.capacity + ", " + choice.backfill;
}

} // namespace

TEST_CASE("a gang launches the nodes that it needs, and they end when no job needs them") {
    // Four GPUs are two nodes: launched at 0, up at 10, free at 110, ended at 140. The second job
    // comes at 300 and needs one node.
    const Plan plan = elastic({{0, 100, 4}, {300, 50, 1}});
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == 360 * second);
        CHECK(outcome.num_finished == 2);
        CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 100 + 50));
        CHECK(outcome.cell(0, 1, Leaf::unavail_provisioning) == gpu_seconds(4 * 10 + 2 * 10));
        CHECK(outcome.cell(0, 1, Leaf::idle_no_demand) == gpu_seconds(4 * 30 + 50));
        REQUIRE(outcome.nodes.size() == 1);
        CHECK(outcome.nodes[0].num_launches == 3);
        CHECK(outcome.nodes[0].most_launched == 2);
        CHECK(outcome.nodes[0].least_launched == 0);
        CHECK(outcome.nodes[0].paid == (2 * 140 + 60) * second);
        CHECK(booked(outcome) == gpu_seconds(2 * (2 * 140 + 60)));
    }
}

TEST_CASE("a launch is paid for its minimum and in whole steps") {
    Plan plan = elastic({{0, 20, 1}});
    plan.provisioning[0].min_paid_ms = 60'000;
    plan.provisioning[0].idle_timeout_ms = 0;
    plan.pools[0].billing_step = 25 * second;
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == 30 * second);
        CHECK(outcome.nodes[0].paid == 75 * second);
        CHECK(outcome.cell(0, 1, Leaf::unavail_reserved_unlaunched) == gpu_seconds(2 * 45));
    }
}

TEST_CASE("nodes with a boot time of 0 are up at once") {
    Plan plan = elastic({{0, 20, 1}, {5, 20, 8}});
    plan.boot_ms = {0};
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == 40 * second);
        CHECK(outcome.num_finished == 2);
    }
}

TEST_CASE("a gang larger than the supply waits, and launches nothing") {
    Plan plan = elastic({{0, 20, 8}});
    plan.world = {{0, SupplyChange{.num_nodes = 3}}, {50'000, SupplyChange{.num_nodes = 4}}};
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == 80 * second);
        CHECK(outcome.nodes[0].paid == 4 * 30 * second);
    }
}

TEST_CASE("a run ends if jobs wait for nodes that are never on offer") {
    Plan plan = elastic({{0, 20, 8}, {5, 10, 1}});
    plan.world = {{0, SupplyChange{.num_nodes = 3}}};
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.num_queued_at_end >= 1);
        CHECK(outcome.end <= 60 * second);
    }
}

TEST_CASE("without notice a reclaim loses all unsaved work; with enough, none") {
    for (const std::int64_t notice_s : {0, 1, 2, 30}) {
        Plan plan = elastic({{0, 100, 4}});
        plan.classes[0].save = 2 * second;
        plan.classes[0].recovery = 5 * second;
        plan.world = {{60'000, SupplyChange{.num_nodes = 1, .notice_ms = notice_s * 1000}},
                      {200'000, SupplyChange{.num_nodes = 4}}};
        const bool saves = notice_s >= 2;
        for (const PolicyChoice& choice : choices()) {
            CAPTURE(name_of(choice));
            CAPTURE(notice_s);
            const Run run = run_of(plan, choice);
            const Outcome& outcome = run.outcome;
            REQUIRE(run.jobs.stopped.size() == 1);
            const StoppedAttempt& stopped = run.jobs.stopped[0];
            const std::int64_t worked_s = saves ? 50 : 50 + notice_s;
            CHECK(stopped.cause == (saves ? StopCause::reclaimed : StopCause::reclaimed_unsaved));
            CHECK(outcome.cell(0, 0, Leaf::lost_preempt) == gpu_seconds(saves ? 0 : 4 * worked_s));
            CHECK(outcome.cell(0, 0, Leaf::over_checkpoint) == gpu_seconds(saves ? 4 * 2 : 0));
            CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 100));
            // Two nodes launched at 200, up at 210; then recovery and the work left.
            CHECK(outcome.end == (210 + 5 + (saves ? 50 : 100)) * second);
            CHECK(outcome.nodes[0].num_reclaimed == 1);
        }
    }
}

TEST_CASE("of nodes launched together the highest numbers are reclaimed first") {
    Plan plan = elastic({{0, 100, 2}, {0, 100, 2}, {0, 100, 2}, {0, 100, 2}}); // job i on node i
    plan.world = {{50'000, SupplyChange{.num_nodes = 2}}, {80'000, SupplyChange{.num_nodes = 4}}};
    for (const ReclaimOrder order : {ReclaimOrder::newest, ReclaimOrder::oldest}) {
        plan.provisioning[0].reclaims = order;
        const Run run = run_of(plan, {"fifo", HeadRule::block});
        std::vector<std::uint32_t> stopped;
        for (const StoppedAttempt& attempt : run.jobs.stopped)
            stopped.push_back(attempt.job);
        CHECK(stopped == std::vector<std::uint32_t>{2, 3});
    }
}

TEST_CASE("a node that is reclaimed during its maintenance is down until it ends") {
    Plan plan = elastic({{50, 1, 1}});
    plan.provisioning[0].first_nodes = plan.provisioning[0].min_nodes = 1;
    plan.until = 60 * second;
    plan.world = {{10'000, NodeOffline{.cause = StopCause::maintenance}},
                  {15'000, SupplyChange{.num_nodes = 0, .notice_ms = 20'000}},
                  {30'000, NodeOnline{.cause = StopCause::maintenance}}};
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.cell(0, 1, Leaf::unavail_maintenance) == gpu_seconds(2 * 5));
        CHECK(outcome.cell(0, 1, Leaf::unavail_down) == gpu_seconds(2 * 20));
        CHECK(outcome.nodes[0].paid == 35 * second);
    }
}

TEST_CASE("a pool keeps its least number of nodes, and as many idle ones as are kept warm") {
    Plan plan = elastic({{0, 20, 1}, {300, 20, 1}});
    plan.provisioning[0].min_nodes = 1;
    plan.provisioning[0].first_nodes = 1;
    const PolicyChoice choice{"fifo", HeadRule::block};
    Outcome outcome = run_of(plan, choice).outcome;
    CHECK(outcome.nodes[0].num_launches == 0);
    CHECK(outcome.nodes[0].paid == 320 * second);
    plan.provisioning[0].warm_nodes = 1;
    outcome = run_of(plan, choice).outcome;
    CHECK(outcome.nodes[0].num_launches == 2); // one for each job
    CHECK(outcome.nodes[0].most_launched == 2);
}

TEST_CASE("launches are at a pool's interval, and no more than it allows") {
    Plan plan = elastic({{5, 20, 8}});
    plan.provisioning[0].launch_every_ms = 60'000;
    plan.provisioning[0].max_launches = 3;
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        // Three nodes at 60, which no other job uses, and the fourth at 120.
        CHECK(outcome.end == 150 * second);
        CHECK(outcome.nodes[0].num_launches == 4);
    }
}

TEST_CASE("gangs that leave a part of each node unused each get a booting node") {
    // Three GPUs of four each, by nodes: the rest of four nodes is not a fifth.
    Plan plan = elastic({{0, 20, 3}, {0, 20, 3}, {0, 20, 3}, {0, 20, 3}, {5, 20, 3}});
    plan.pools[0] = pool_of(5, 4);
    plan.pools[0].purchase = Purchase::on_demand;
    plan.provisioning[0].cancels_boots = true;
    for (const PolicyChoice& choice : choices()) {
        if (choice.capacity == capacity_count)
            continue;
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == 35 * second);
        CHECK(outcome.nodes[0].num_launches == 5);
        CHECK(outcome.nodes[0].paid == (4 * 35 + 30) * second);
    }
}

TEST_CASE("a pool's rule applies from the zero, before the first job") {
    Plan plan = elastic({{100, 20, 1}});
    plan.provisioning[0].first_nodes = 2; // no job needs them: they end at 30
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == 130 * second);
        CHECK(outcome.nodes[0].paid == (2 * 30 + 30) * second);
    }
    plan.provisioning[0].first_nodes = 0;
    plan.provisioning[0].min_nodes = 1; // launched at 0
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == 120 * second);
        CHECK(outcome.nodes[0].paid == 120 * second);
    }
}

TEST_CASE("by count, a job that must stop may stay if a node comes up at the same instant") {
    // Node 0 is reclaimed at 50 and ends at 60, too soon for a save; node 1 is launched at 50.
    Plan plan = elastic({{0, 100, 2}});
    plan.classes[0].save = 60 * second;
    plan.provisioning[0].first_nodes = 1;
    plan.provisioning[0].min_nodes = 1;
    plan.world = {{50'000, SupplyChange{.num_nodes = 0, .notice_ms = 10'000}},
                  {50'000, SupplyChange{.num_nodes = 4}}};
    for (const PolicyChoice& choice : choices()) {
        if (choice.capacity != capacity_count)
            continue;
        CAPTURE(name_of(choice));
        const Run run = run_of(plan, choice);
        CHECK(run.jobs.stopped.empty());
        CHECK(run.outcome.end == 100 * second);
        CHECK(run.outcome.nodes[0].paid == (60 + 50) * second);
    }
}

TEST_CASE("failed launches are retried after twice as long each time") {
    // They fail at 5, 15, 35 and 75; at 115 four nodes are launched.
    Plan plan = elastic({{5, 20, 8}});
    plan.provisioning[0].retry_ms = 10'000;
    plan.provisioning[0].max_retry_ms = 40'000;
    plan.world = {{0, LaunchesChange{.succeed = false}},
                  {100'000, LaunchesChange{.succeed = true}}};
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == 145 * second);
        CHECK(outcome.nodes[0].num_failed_launches == 4 * 4);
        CHECK(outcome.nodes[0].num_launches == 4);
        CHECK(outcome.nodes[0].paid == 4 * 30 * second);
    }
}

TEST_CASE("a run ends if launches fail for good") {
    Plan plan = elastic({{5, 20, 8}});
    plan.provisioning[0].retry_ms = plan.provisioning[0].max_retry_ms = 1;
    plan.world = {{0, LaunchesChange{.succeed = false}}};
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.num_queued_at_end == 1);
        CHECK(outcome.nodes[0].num_failed_launches == 4);
        CHECK(outcome.end == 5 * second);
    }
}

TEST_CASE("if launches fail the next pool is tried at once") {
    Plan plan = elastic({{0, 20, 2, 3}});
    plan.pools.push_back(plan.pools[0]);
    plan.pool_preference = plan.pools_by_name = {0, 1};
    plan.provisioning.push_back(plan.provisioning[0]);
    plan.provisioning[0].retry_ms = plan.provisioning[0].max_retry_ms = 1000;
    plan.world = {{0, LaunchesChange{.succeed = false}}};
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == 30 * second);
        CHECK(outcome.nodes[0].num_failed_launches == 1);
        CHECK(outcome.nodes[0].paid == Duration{});
        CHECK(outcome.nodes[1].num_launches == 1);
    }
    // No node is launched while another boots for the same job.
    plan.world.emplace_back(5'000, LaunchesChange{.succeed = true});
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == 30 * second);
        CHECK(outcome.nodes[0].num_launches == 0);
    }
}

TEST_CASE("pools under a quota together have at most its number of nodes") {
    // Both gangs need two nodes, and three are allowed: the second gets its nodes at 60, when those
    // of the first have ended after the idle timeout.
    Plan plan = plan_of({{0, 20, 4, 1}, {0, 20, 4, 2}}, {pool_of(4, 2), pool_of(4, 2)});
    plan.provisioning = {2, elastic({{0, 1, 1}}).provisioning[0]};
    plan.boot_ms = {10'000};
    plan.quotas = {{3, 3}};
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.num_finished == 2);
        CHECK(outcome.nodes[0].most_launched + outcome.nodes[1].most_launched == 4);
        CHECK(outcome.end == 90 * second);
        CHECK(outcome.nodes[0].paid + outcome.nodes[1].paid == (2 * 60 + 2 * 30) * second);
    }
}

TEST_CASE("pools of a quota that end their nodes together launch others for the same job") {
    // A node of each pool is up, and two are allowed: the job needs both in one pool.
    for (const std::uint64_t pool : {1U, 2U}) {
        Plan plan = plan_of({{0, 20, 4, pool}}, {pool_of(2, 2), pool_of(2, 2)});
        plan.provisioning = {2, elastic({{0, 1, 1}}).provisioning[0]};
        for (PlanProvisioning& rule : plan.provisioning) {
            rule.first_nodes = 1;
            rule.idle_timeout_ms = 0;
        }
        plan.boot_ms = {10'000};
        plan.quotas = {{3, 2}};
        for (const PolicyChoice& choice : choices()) {
            CAPTURE(name_of(choice));
            CAPTURE(pool);
            CHECK(run_of(plan, choice).jobs.finish_ms == std::vector<std::int64_t>{30'000});
        }
    }
}

TEST_CASE("no node is launched for jobs behind a head that waits for running jobs") {
    // Up to five nodes of two GPUs, two minutes to boot, idle for five. The second job needs all
    // five, and one of them works until 62 min. Four are launched then, so it runs from 64 to 124
    // min. The third job may not start before: it runs to 134 min, and the other four end at 129.
    constexpr std::int64_t minute_s = 60;
    Plan plan = elastic(
        {{0, 60 * minute_s, 2}, {10 * minute_s, 60 * minute_s, 10}, {20 * minute_s, 600, 2}});
    plan.pools[0].num_nodes = 5;
    plan.provisioning[0].idle_timeout_ms = 300'000;
    plan.boot_ms = {120'000};
    for (const char* queue : {"fifo", "fair-share"}) {
        for (const char* capacity : {"count", "nodes"}) {
            CAPTURE(queue);
            CAPTURE(capacity);
            PolicyChoice choice{queue, HeadRule::block};
            choice.capacity = capacity;
            Outcome outcome = run_of(plan, choice).outcome;
            CHECK(outcome.num_finished == 3);
            CHECK(outcome.end == 134 * minute_s * second);
            CHECK(outcome.nodes[0].num_launches == 5);
            CHECK(outcome.nodes[0].paid ==
                  (134 + 4 * 67) * minute_s * second); // 40.20 USD at 3 USD
            // A job that backfills or is not blocked has a node from 20 to 37 min.
            choice.backfill = "easy";
            outcome = run_of(plan, choice).outcome;
            CHECK(outcome.end == 124 * minute_s * second);
            CHECK(outcome.nodes[0].paid == (124 + 17 + 4 * 62) * minute_s * second);
            choice.backfill = "none";
            choice.head = HeadRule::skip;
            CHECK(run_of(plan, choice).outcome.nodes[0].paid == outcome.nodes[0].paid);
        }
    }
}

TEST_CASE("jobs behind a blocking head get nodes with it if there are enough") {
    // Four jobs of one node each, at once: each waits only for its boot.
    const Plan plan = elastic({{0, 20, 2}, {0, 20, 2}, {0, 20, 1}, {0, 20, 2}});
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == 30 * second);
        CHECK(outcome.nodes[0].most_launched == 4);
    }
}

TEST_CASE("a gang that must stay in a rack gets one more node where empty ones are apart") {
    // Two racks of two nodes, three up at 0: the first job takes one, so each rack has an empty
    // node.
    Plan plan = elastic({{0, 100, 2}, {1, 20, 4}});
    plan.provisioning[0].first_nodes = 3;
    plan.num_levels = 3;
    plan.level_begin = {0, 4, 8};
    plan.node_group = {0, 1, 2, 3, 0, 0, 1, 1, 0, 0, 0, 0};
    plan.shapes[plan.shape[1]].required_level = 1;
    const Run run = run_of(plan, {"fifo", HeadRule::block});
    CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{100'000, 31'000});
}

TEST_CASE("each of the gangs that must stay in a rack gets one more node") {
    // Nodes 1 and 2 are empty, in two racks. Nodes 3 and 4 boot until 11, and the first gang starts
    // on 2 and 3. Nodes 1 and 4 are apart as well: node 5 boots until 21.
    Plan plan = elastic({{0, 100, 2}, {1, 20, 4}, {1, 20, 4}});
    plan.pools[0].num_nodes = 8;
    plan.provisioning[0].first_nodes = 3;
    plan.num_levels = 3;
    plan.level_begin = {0, 8, 16};
    plan.node_group = {0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0};
    plan.shapes[plan.shape[1]].required_level = 1;
    for (const HeadRule head : {HeadRule::block, HeadRule::skip}) {
        const Run run = run_of(plan, {"fifo", head});
        CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{100'000, 31'000, 41'000});
        CHECK(run.outcome.nodes[0].num_launches == 3);
    }
}

TEST_CASE("jobs without GPUs launch a node, and keep it until their round") {
    Plan plan = elastic({{0, 5, 1}, {1, 5, 1}});
    plan.pools[0].cpu_milli = 8000;
    plan.provisioning[0].idle_timeout_ms = 0;
    for (JobShape& shape : plan.shapes) {
        shape.gpus = 0;
        shape.cpu_milli = 1000;
    }
    PolicyChoice choice{"fifo", HeadRule::block};
    choice.quantum = 15 * second;
    const Run run = run_of(plan, choice);
    CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{20'000, 20'000});
    CHECK(run.outcome.nodes[0].num_launches == 1);
}

TEST_CASE("nodes whose GPUs are free do not end while jobs without GPUs are on all of them") {
    // Two gangs launch a node each, free at 110. Two jobs without GPUs, too large for one node,
    // come at 20 and stay until 520. At 110 two nodes without a gang have been idle for long
    // enough.
    Plan plan = elastic({{0, 100, 2}, {0, 100, 2}, {20, 500, 1}, {20, 500, 1}});
    plan.pools[0].num_nodes = 2;
    plan.pools[0].cpu_milli = 8000;
    plan.provisioning[0].idle_timeout_ms = 0;
    for (JobShape& shape : plan.shapes)
        if (shape.gpus == 1) {
            shape.gpus = 0;
            shape.cpu_milli = 5000;
        }
    const Run run = run_of(plan, PolicyChoice{});
    CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{110'000, 110'000, 520'000, 520'000});
    CHECK(run.outcome.nodes[0].num_launches == 2);
    CHECK(run.outcome.nodes[0].paid == 2 * 520 * second);
}

TEST_CASE("what a victim has released is kept until the round at which its GPUs are taken") {
    // A round every 2 s. At 10 s the first job gets until 13 s to stop; it ends at 11 s. The node
    // is kept for the second job, which starts at 12.
    Plan plan = elastic({{0, 11, 2}, {9, 20, 2}});
    plan.pools[0].num_nodes = 1;
    plan.provisioning[0].first_nodes = 1;
    plan.provisioning[0].idle_timeout_ms = 0;
    plan.value_nano_usd = {0, 1'000'000'000};
    for (const HeadRule head : {HeadRule::block, HeadRule::skip}) {
        for (const char* capacity : {"count", "nodes"}) {
            CAPTURE(capacity);
            PolicyChoice choice{"fifo", head};
            choice.capacity = capacity;
            choice.preemption = "value";
            choice.preemption_options.set("grace", {3000});
            choice.quantum = 2 * second;
            const Run run = run_of(plan, choice);
            CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{11'000, 32'000});
            CHECK(run.outcome.nodes[0].num_launches == 0);
        }
    }
}

TEST_CASE("the rests of two gangs share a node") {
    // Twelve GPUs on nodes of eight, an hour each: three nodes serve both. At 3 USD they cost 72.
    const auto hour_s = 3600;
    for (const std::uint32_t most : {3U, 4U}) {
        Plan plan = elastic({{0, hour_s, 12}, {0, hour_s, 12}});
        plan.pools[0] = pool_of(most, 8);
        plan.pools[0].purchase = Purchase::on_demand;
        plan.boot_ms = {0};
        for (const PolicyChoice& choice : choices()) {
            CAPTURE(name_of(choice));
            const Outcome outcome = run_of(plan, choice).outcome;
            CHECK(outcome.end == hour_s * second);
            CHECK(outcome.nodes[0].paid == 3 * hour_s * second);
        }
    }
}

TEST_CASE("the rest of a gang goes on a node in use, if it has room") {
    // Nodes of eight: the second gang needs one more node, the third one two: its 6 do not fit
    // on 4.
    for (const auto& [gpus, launches] : {std::pair{12U, 3U}, std::pair{14U, 4U}}) {
        Plan plan = elastic({{0, 100, 12}, {20, 20, gpus}});
        plan.pools[0] = pool_of(6, 8);
        plan.pools[0].purchase = Purchase::on_demand;
        for (const PolicyChoice& choice : choices()) {
            // srtf and las would preempt the first for the second, which is shorter.
            if (choice.capacity == capacity_count || choice.queue == "srtf" ||
                choice.queue == "las")
                continue;
            CAPTURE(name_of(choice));
            CAPTURE(gpus);
            const Run run = run_of(plan, choice);
            CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{110'000, 50'000});
            CHECK(run.outcome.nodes[0].num_launches == launches);
        }
    }
}

TEST_CASE("the rest of a gang does not go on GPUs that smaller jobs take") {
    // Node 0 has 3 of 8 GPUs free until 1,000. Job 2 fits there, but would delay job 1, which waits
    // for a boot. Job 3 has a rest of 3 GPUs. Each of the last two jobs needs a node of the first
    // pool.
    Plan plan = plan_of({{0, 1000, 5, 2},
                         {1, 20, 8, 2},
                         {2, 2000, 3, 2},
                         {3, 2000, 11, 2},
                         {4, 2000, 1, 3},
                         {4, 2000, 1, 3}},
                        {pool_of(8, 1), pool_of(3, 8)});
    plan.provisioning = {2, elastic({{0, 1, 1}}).provisioning[0]};
    plan.provisioning[1].first_nodes = 1;
    plan.boot_ms = {10'000};
    PolicyChoice choice{"fifo", HeadRule::block};
    choice.capacity = "nodes";
    choice.backfill = "easy";
    const Run run = run_of(plan, choice);
    CHECK(run.jobs.finish_ms[4] == 2'014'000);
    CHECK(run.jobs.finish_ms[5] == 2'014'000);
    CHECK(run.outcome.nodes[0].num_launches == 2);
    CHECK(run.outcome.num_finished == 6);
}

TEST_CASE("idle nodes of another pool are not kept for jobs behind the head") {
    // At most four nodes in both pools. The first job needs four of the first pool, the second one
    // node of the other, where two were up at 0 and end at 30.
    Plan plan = plan_of({{0, 20, 8, 1}, {1, 20, 2, 2}}, {pool_of(4, 2), pool_of(2, 2)});
    plan.provisioning = {2, elastic({{0, 1, 1}}).provisioning[0]};
    plan.provisioning[1].first_nodes = 2;
    plan.boot_ms = {10'000};
    plan.quotas = {{3, 4}};
    for (const char* capacity : {"count", "nodes"}) {
        CAPTURE(capacity);
        PolicyChoice choice{"fifo", HeadRule::block};
        choice.capacity = capacity;
        const Run run = run_of(plan, choice);
        CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{60'000, 120'000});
    }
}

TEST_CASE("a node that closes before maintenance stops no job that ends by then") {
    Plan plan = plan_of({{0, 50, 2}, {20, 10, 4}}, {pool_of(2, 2)});
    plan.world = {{10'000, NodeCloses{.node = 0}},
                  {100'000, NodeOffline{.node = 0, .cause = StopCause::maintenance}},
                  {120'000, NodeOnline{.node = 0, .cause = StopCause::maintenance}}};
    for (const PolicyChoice& choice : choices()) {
        // The second is the shorter one: under srtf and las it preempts the first.
        if (choice.capacity == capacity_count || choice.queue == "srtf" || choice.queue == "las")
            continue;
        CAPTURE(name_of(choice));
        const Run run = run_of(plan, choice);
        CHECK(run.jobs.stopped.empty());
        CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{50'000, 130'000});
        CHECK(run.outcome.cell(0, 1, Leaf::unavail_maintenance) == gpu_seconds(2 * (120 - 50)));
    }
}

TEST_CASE("a spare replaces a failed node, which becomes the spare once it is repaired") {
    // Two of three nodes work. Node 1 fails at 40, and node 0 at 220, when node 1 is the spare.
    Plan plan = plan_of({{0, 100, 4}, {150, 100, 4}}, {pool_of(3, 2)});
    PlanProvisioning& rule = plan.provisioning.emplace_back();
    rule.spare_nodes = 1;
    rule.takeover_ms = 5000;
    plan.boot_ms = {0};
    plan.world = {{40'000, NodeOffline{.node = 1}},
                  {200'000, NodeOnline{.node = 1}},
                  {220'000, NodeOffline{.node = 0}}};
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Run run = run_of(plan, choice);
        CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{145'000, 325'000});
        CHECK(run.outcome.nodes[0].num_failures == 2);
        CHECK(run.outcome.nodes[0].num_launches == 0);
        CHECK(run.outcome.nodes[0].paid == 3 * 325 * second);
        CHECK(run.outcome.cell(0, 1, Leaf::unavail_spare) == gpu_seconds(2 * (40 + 20)));
        CHECK(run.outcome.cell(0, 1, Leaf::unavail_provisioning) == gpu_seconds(2 * (5 + 5)));
        CHECK(run.outcome.cell(0, 1, Leaf::unavail_down) == gpu_seconds(2 * (160 + 105)));
        CHECK(booked(run.outcome) == gpu_seconds(3 * 2 * 325));
    }
}

} // namespace bursar::test::elastic_pools_by_hand_test
