#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan/check_plan.hpp"

#include "tests/contains.hpp"
#include "tests/plan_builder.hpp"
#include "tests/rich_plan.hpp"

namespace bursar::test::check_plan_test { namespace {

struct Wrong {
    const char* says;
    std::function<void(Plan&)> make;
};

template <class T>
constexpr T most = std::numeric_limits<T>::max();

/// Values as in a damaged file.
template <class T>
void store(WorldEvent& event, T value) {
    WorldEvent::each_place(event, [&]<class Place>(std::string_view, Place& place) {
        if constexpr (std::is_same_v<Place, T>)
            place = value;
    });
}

const std::vector<Wrong> wrong_plans{
    {"work_ms has 4 entries in place of 0", [](Plan& plan) { plan.submit_ms.clear(); }},
    {"work_ms has 3", [](Plan& plan) { plan.work_ms.pop_back(); }},
    {"tenant_weight has 1", [](Plan& plan) { plan.tenant_weight.pop_back(); }},
    {"submit_ms[2]", [](Plan& plan) { plan.submit_ms[2] = 999; }},
    {"submit_ms[0]", [](Plan& plan) { plan.submit_ms[0] = -1; }},
    {"submit_ms[3]", [](Plan& plan) { plan.submit_ms[3] = std::int64_t{1} << 40; }},
    {"work_ms[1]", [](Plan& plan) { plan.work_ms[1] = -1; }},
    {"shape[3]", [](Plan& plan) { plan.shape[3] = 3; }},
    {"job_class[0]", [](Plan& plan) { plan.job_class[0] = 1; }},
    {"tenant[2]", [](Plan& plan) { plan.tenant[2] = 2; }},
    {"end[1]", [](Plan& plan) { plan.end[1] = static_cast<JobEnd>(5); }},
    {"estimate_ms[0]", [](Plan& plan) { plan.estimate_ms[0] = -5; }},
    {"deadline_ms[1]", [](Plan& plan) { plan.deadline_ms[1] = -2; }},
    {"value_nano_usd[1]", [](Plan& plan) { plan.value_nano_usd[1] = -2; }},
    {"num_needed has 3", [](Plan& plan) { plan.num_needed.pop_back(); }},
    {"dependent_begin has 4", [](Plan& plan) { plan.dependent_begin.pop_back(); }},
    {"dependent_begin has 5", [](Plan& plan) { plan.num_needed.clear(); }},
    {"dependents has 2", [](Plan& plan) { plan.dependents.pop_back(); }},
    {"think_ms has 3", [](Plan& plan) { plan.think_ms.pop_back(); }},
    {"dependent_begin[0]", [](Plan& plan) { plan.dependent_begin[0] = 1; }},
    {"dependent_begin[2]", [](Plan& plan) { plan.dependent_begin[1] = 4; }},
    {"dependents[1]", [](Plan& plan) { plan.dependents[1] = 4; }},
    {"num_needed[3]", [](Plan& plan) { plan.num_needed[3] = 1; }},
    {"think_ms[3]", [](Plan& plan) { plan.think_ms[3] = -1; }},
    {"tenant_weight[0]", [](Plan& plan) { plan.tenant_weight[0] = 0; }},
    {"tenants has 1", [](Plan& plan) { plan.tenants.resize(1); }},
    {"tenant_quotas has 0", [](Plan& plan) { plan.tenants.resize(plan.num_tenants); }},
    {"tenant_quotas[1]",
     [](Plan& plan) {
         plan.tenants.resize(plan.num_tenants);
         plan.tenant_quotas.resize(plan.num_tenants * plan.pools.size());
         plan.tenant_quotas[1].lend = 1; // of a nominal quota of 0
     }},
    {"num_tenants", [](Plan& plan) { plan.num_tenants = 0; }},
    {"shapes[0]", [](Plan& plan) { plan.shapes[0].permitted_pools = 4; }},
    {"shapes[0]", [](Plan& plan) { plan.shapes[0].permitted_pools = 0; }},
    {"shapes[0]", [](Plan& plan) { plan.shapes[0].gpu_slots = 1'001; }},
    {"shapes[1]", [](Plan& plan) { plan.shapes[1].gpu_slots = 500; }},
    {"shapes[1]", [](Plan& plan) { plan.shapes[1].fallback = 2; }},
    {"shapes[2]", [](Plan& plan) { plan.shapes[2].gpus = 9; }},
    {"shapes[2]", [](Plan& plan) { plan.shapes[2].required_level = 2; }},
    {"shapes[2]", [](Plan& plan) { plan.shapes[2].order_begin = 2; }},
    {"shapes[2]", [](Plan& plan) { plan.shapes[2].order_begin = 1; }},
    {"classes[0]", [](Plan& plan) { plan.classes[0].speed_row = 2; }},
    {"classes[0]", [](Plan& plan) { plan.classes[0].interval = {}; }},
    {"classes[0]", [](Plan& plan) { plan.classes[0].full_every = 0; }},
    {"classes[0]", [](Plan& plan) { plan.deadline_ms.clear(); }},
    {"classes[0]", [](Plan& plan) { plan.classes[0].increment_write = Duration{1}; }},
    {"classes[0]", [](Plan& plan) { plan.classes[0].checkpoint = static_cast<Checkpoint>(6); }},
    {"classes[0]", [](Plan& plan) { plan.classes[0].recovery = Duration{-1}; }},
    {"classes[0]", [](Plan& plan) { plan.classes[0].rescale = Duration{-1}; }},
    {"classes[0]", [](Plan& plan) { plan.classes[0].staged = Duration{-1}; }},
    {"classes[0]", [](Plan& plan) { plan.classes[0].staged = 2 * second; }},
    {"classes[0]", [](Plan& plan) { plan.classes[0].num_forms = 3; }},
    {"classes[0]",
     [](Plan& plan) {
         plan.classes[0].num_forms = 2;
         plan.forms[1].shape = 0; // no more GPUs than the one before
     }},
    {"shape[1]", [](Plan& plan) { plan.classes[0].num_forms = 1; }},
    {"forms[0]", [](Plan& plan) { plan.forms[0].shape = 3; }},
    {"forms[1]", [](Plan& plan) { plan.forms[1].job_class = 1; }},
    {"forms[0]", [](Plan& plan) { plan.forms[0].shape = 1; }}, // of a job that may fall back
    {"speeds has rows", [](Plan& plan) { plan.speeds.pop_back(); }},
    {"speeds[3]", [](Plan& plan) { plan.speeds[3].speed = 0; }},
    {"egress_nano_usd has 2", [](Plan& plan) { plan.egress_nano_usd.push_back(1); }},
    {"gang_risks has 3", [](Plan& plan) { plan.gang_risks.emplace_back(); }},
    {"risk_stretch has 1", [](Plan& plan) { plan.risk_stretch.pop_back(); }},
    {"risk_stretch[1]", [](Plan& plan) { plan.risk_stretch[1] = 0; }},
    {"migration", [](Plan& plan) { plan.migration.margin_milli = -1; }},
    {"migration", [](Plan& plan) { plan.migration.every_ms = -1; }},
    {"staging", [](Plan& plan) { plan.staging.num_jobs = PlanStaging::max_jobs + 1; }},
    {"staging", [](Plan& plan) { plan.staging.predict = static_cast<EndPrediction>(3); }},
    {"no pools", [](Plan& plan) { plan.pools.clear(); }},
    {"pools[1]", [](Plan& plan) { plan.pools[1].num_nodes = 0; }},
    {"pools[1]", [](Plan& plan) { plan.pools[1].num_nodes = most<std::uint32_t>; }},
    {"pools[1]", [](Plan& plan) { plan.pools[1].gpus_per_node = 1'025; }},
    {"pools[1]", // their product overflows
     [](Plan& plan) {
         plan.pools[1].num_nodes = plan.pools[1].gpus_per_node = most<std::uint32_t>;
     }},
    {"pools[0]", [](Plan& plan) { plan.pools[0].billing_step = {}; }},
    {"pools[0]", [](Plan& plan) { plan.pools[0].price_series = 2; }},
    {"pools[0]", [](Plan& plan) { plan.pools[0].asked_series = 2; }},
    {"pools[0]",
     [](Plan& plan) {
         plan.pools[0].price_series = PlanPool::constant_price;
         plan.pools[0].asked_series = 0;
     }},
    {"pools[0]", [](Plan& plan) { plan.pools[0].purchase = static_cast<Purchase>(4); }},
    {"pool_preference", [](Plan& plan) { plan.pool_preference[1] = 0; }},
    {"pool_preference", [](Plan& plan) { plan.pool_preference[1] = 2; }},
    {"pool_preference", [](Plan& plan) { plan.pool_preference.resize(4); }},
    {"pool_orders",
     [](Plan& plan) {
         plan.pool_orders = {1, 1};
     }},
    {"pools_by_name",
     [](Plan& plan) {
         plan.pools_by_name = {0, 0};
     }},
    {"pool_region[1]", [](Plan& plan) { plan.pool_region[1] = 64; }},
    {"prices", [](Plan& plan) { plan.prices.series[1].first_step = most<std::uint32_t>; }},
    {"prices", [](Plan& plan) { plan.prices.series[0].num_steps = 0; }},
    {"prices", [](Plan& plan) { plan.prices.series[0].num_buckets += 1; }},
    {"prices", [](Plan& plan) { plan.prices.steps[1].before += 1; }},
    {"prices", [](Plan& plan) { plan.prices.steps[1].start_ms = -1'000; }},
    {"prices", [](Plan& plan) { plan.prices.buckets[0] = 3; }},
    {"grid.series_of_pool has 1", [](Plan& plan) { plan.grid.series.pop_back(); }},
    {"grid.series_of_pool[1]", [](Plan& plan) { plan.grid.series[1] = 2; }},
    {"grid.series_of_pool[1]", [](Plan& plan) { plan.energy[1].grid.reset(); }},
    {"grid.series_of_pool[0]", [](Plan& plan) { plan.energy.clear(); }},
    {"grid", [](Plan& plan) { plan.grid.integrals.steps[1].before += 1; }},
    {"energy[0]", [](Plan& plan) { plan.energy[0].idle = DrawnPower{800'000}; }},
    {"num_levels", [](Plan& plan) { plan.num_levels = 0; }},
    {"node_group is out", [](Plan& plan) { plan.node_group[5] = 4; }},
    {"node_group is out", [](Plan& plan) { plan.level_begin[3] = 5; }},
    {"do not nest",
     [](Plan& plan) {
         plan.node_group = {0, 0, 2, 3, 0, 1, 1, 1};
     }},
    {"slow_begin[1]", [](Plan& plan) { plan.slow_begin[1] = 1; }},
    {"world[1]", [](Plan& plan) { plan.world[1].time_ms = 1'999; }},
    {"world[0]",
     [](Plan& plan) {
         plan.world[0] = {2'000, SupplyChange{.num_nodes = 5}};
     }},
    {"world[0]",
     [](Plan& plan) {
         plan.world[0] = {2'000, SupplyChange{.pool = PoolId{2}}};
     }},
    {"world[0]",
     [](Plan& plan) {
         plan.world[0] = {2'000, SupplyChange{.notice_ms = -1}};
     }},
    {"world[0]", [](Plan& plan) { store(plan.world[0], static_cast<WorldEventKind>(255)); }},
    {"world[2]", [](Plan& plan) { store(plan.world[2], static_cast<StopCause>(255)); }},
    {"world[2]", [](Plan& plan) { store(plan.world[2], StopCause::none); }},
    {"world[2]", [](Plan& plan) { store(plan.world[2], StopCause::resized); }},
    {"world[1]", [](Plan& plan) { plan.provisioning[0].retry_ms = 0; }},
    {"world[2]",
     [](Plan& plan) {
         plan.world[2] = {4'000, NodeOffline{.node = 4}};
     }},
    {"world[3]",
     [](Plan& plan) {
         plan.world[3] = {4'000, OrderChange{.preference = 1}};
     }},
    {"world[3]",
     [](Plan& plan) {
         plan.world[3] = {4'000, OrderChange{.preference = 6}};
     }},
    {"world[3]",
     [](Plan& plan) {
         plan.world[3] = {4'000, OrderChange{.order = 2}};
     }},
    {"world[5]",
     [](Plan& plan) {
         plan.world[5] = {6'000, StopJob{.job = JobId{4}}};
     }},
    {"world[6]",
     [](Plan& plan) {
         plan.world[6] = {7'000, ShapeAdmission{.shape = ShapeId{3}}};
     }},
    {"world[6]", [](Plan& plan) { plan.admission_changes = false; }},
    {"provisioning[0]", [](Plan& plan) { plan.provisioning[0].first_nodes = 5; }},
    {"provisioning[0]", [](Plan& plan) { plan.provisioning[0].boot_bits = 2; }},
    {"provisioning[0]", [](Plan& plan) { plan.provisioning[0].boot_bits = 64; }},
    {"provisioning[0]", [](Plan& plan) { plan.provisioning[0].boot_begin = 1; }},
    {"provisioning[1]", [](Plan& plan) { plan.provisioning[1].spare_nodes = 5; }},
    {"boot_ms[1]", [](Plan& plan) { plan.boot_ms[1] = -1; }},
    {"quotas[0]", [](Plan& plan) { plan.quotas[0].pools = 4; }},
    {"own_failures has 1", [](Plan& plan) { plan.own_failures.pop_back(); }},
    {"own_failures[1]", [](Plan& plan) { plan.own_failures[1].per_gpu = most<std::int64_t>; }},
    {"fallbacks[0]", [](Plan& plan) { plan.fallbacks[0].job = JobId{4}; }},
    {"fallbacks[0]", [](Plan& plan) { plan.fallbacks[0].job = JobId{0}; }},
    {"fallbacks[0]", [](Plan& plan) { plan.fallbacks[0].late_pools = 3; }},
    {"fallbacks[0]",
     [](Plan& plan) {
         plan.deadline_ms.clear();
         plan.classes[0].drops_late = false;
     }},
    {"shape[3]", [](Plan& plan) { plan.shape[3] = 1; }},
    {"until", [](Plan& plan) { plan.until = Duration{std::int64_t{1} << 40}; }},
    {"measure_to", [](Plan& plan) { plan.measure_to = Duration{999}; }},
};

/// Jobs of two classes with one GPU each share it, on the first of two pools.
Plan plan_with_pairs() {
    Plan plan = plan_of({{0, 10}, {0, 10}}, {pool_of(1, 1), pool_of(1, 1)});
    plan.job_class[1] = 1;
    plan.classes.resize(4);
    plan.shapes.push_back(plan.shapes[0]);
    plan.shapes[1].gpu_slots = slots_per_gpu / 2;
    plan.pairs = {{0, 0, 1, 2, 1}, {0, 1, 1, 2, 1}, {1, 0, 1, 3, 1}};
    return plan;
}

const std::vector<Wrong> wrong_pairs{
    {"pairs[0]", [](Plan& plan) { plan.pairs[0].job_class = 4; }},
    {"pairs[1]", [](Plan& plan) { plan.pairs[1].partner = 4; }},
    {"pairs[2]", [](Plan& plan) { plan.pairs[2].paired_class = 4; }},
    {"pairs[0]", [](Plan& plan) { plan.pairs[0].shape = 2; }},
    {"pairs[1]", [](Plan& plan) { plan.pairs[1].shape = 0; }}, // the first of its class has another
    {"pairs[0]", [](Plan& plan) { plan.pairs[0].pools = 0; }},
    {"pairs[0]", [](Plan& plan) { plan.pairs[0].pools = 4; }},
    {"pairs[1]", [](Plan& plan) { plan.pairs[1].pools = 2; }},   // not those of the other job
    {"pairs[1]", [](Plan& plan) { plan.pairs[1].partner = 0; }}, // twice
    {"pairs[1]", [](Plan& plan) { plan.pairs.pop_back(); }},     // one of the two is missing
    {"pairs[2]", [](Plan& plan) { plan.classes[1].teardown = second; }},
    {"pairs[2]", [](Plan& plan) { plan.classes[3].save = second; }},
    {"pairs[0]", [](Plan& plan) { plan.classes[2].checkpoint = Checkpoint::none; }},
    {"shape[0]", [](Plan& plan) { plan.shapes[0].cpu_milli = plan.shapes[1].cpu_milli = 1; }},
    {"shape[0]", [](Plan& plan) { plan.shapes[1].gpu_slots = 501; }},
    {"world that is not static",
     [](Plan& plan) {
         plan.world.push_back({0, NodeOffline{}});
     }},
    {"world that is not static", [](Plan& plan) { plan.staging.num_jobs = 1; }}};

TEST_CASE("a plan that a run can rely on has no flaw") {
    CHECK(check_plan(rich_plan()) == std::nullopt);
    CHECK(check_plan(plan_with_pairs()) == std::nullopt);
}

TEST_CASE("a flaw is reported with its column") {
    for (std::size_t i = 0; i < wrong_plans.size(); ++i) {
        Plan plan = rich_plan();
        wrong_plans[i].make(plan);
        const std::string flaw = check_plan(plan).value_or("nothing");
        CAPTURE(i);
        CAPTURE(flaw);
        CHECK(contains(flaw, wrong_plans[i].says));
    }
}

TEST_CASE("jobs that share GPUs fit together, in a static world") {
    for (std::size_t i = 0; i < wrong_pairs.size(); ++i) {
        Plan plan = plan_with_pairs();
        wrong_pairs[i].make(plan);
        const std::string flaw = check_plan(plan).value_or("nothing");
        CAPTURE(i);
        CAPTURE(flaw);
        CHECK(contains(flaw, wrong_pairs[i].says));
    }
}

} // namespace
} // namespace bursar::test::check_plan_test
