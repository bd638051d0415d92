#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/plan/check_plan.hpp"

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/contains.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::tenant_quotas_test {
namespace {

using test::contains;

constexpr const char* two_jobs = "{name: j, gpus: 4, duration: 1 h, tenant: a}, "
                                 "{name: k, gpus: 8, duration: 1 h, tenant: b}";

Compiled compiled(const std::string& tenants,
                  const std::string& more_pools = "",
                  const std::string& allocator = "quotas",
                  const std::string& jobs = two_jobs) {
    const std::string text =
        fmt::format("bursar: 1\nworkload:\n  jobs: [{}]\nfleet:\n- {{pool: p, purchase: owned, "
                    "gpu: H100, nodes: 2, gpus_per_node: 8, price: 1 USD/gpu-h}}\n{}{}policy: "
                    "{{allocator: {}}}\n",
                    jobs,
                    more_pools,
                    tenants.empty() ? "" : fmt::format("tenants: [{}]\n", tenants),
                    allocator);
    const Scenario scenario =
        read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin_catalogue());
    Compiled out = compile(scenario, builtin_catalogue(), load_workload(scenario, 1));
    for (const Finding& warning : scenario.warnings)
        out.notes.warnings.push_back(warning.text());
    CHECK(check_plan(out.plan) == std::nullopt);
    return out;
}

std::string mistakes(const std::string& tenants,
                     const std::string& more_pools = "",
                     const std::string& jobs = two_jobs) {
    try {
        compiled(tenants, more_pools, "quotas", jobs);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

constexpr const char* pool_q =
    "- {pool: q, purchase: owned, gpu: H100, nodes: 1, gpus_per_node: 8, price: 1 USD/gpu-h}\n";

} // namespace

TEST_CASE("tenants have their quotas by pool; one without jobs lends its own") {
    const Compiled out = compiled("{name: b, cohort: c, nominal: {p: 8}, lend_limit: {p: 2, q: 9}, "
                                  "reclaim: lower-priority}, "
                                  "{name: a, cohort: c, nominal: {p: 4, q: 3}, borrow_limit: {q: "
                                  "5}, preempt: lower-or-newer}, "
                                  "{name: idle, cohort: c, nominal: {p: 4, q: 5}}",
                                  pool_q);
    const Plan& plan = out.plan;
    REQUIRE(out.labels.tenants == std::vector<std::string>{"a", "b", "idle"});
    CHECK(plan.num_tenants == 3);
    CHECK(plan.tenants[0].cohort == 1);
    CHECK(plan.tenants[0].within == PreemptWithin::lower_or_newer);
    CHECK(plan.tenants[0].reclaim == Reclaim::never);
    CHECK(plan.tenants[1].reclaim == Reclaim::lower_priority);
    CHECK(plan.tenants[2].cohort == 1);
    const auto quota = [&](std::size_t tenant, std::size_t pool) {
        const TenantQuota& one = plan.tenant_quotas[tenant * 2 + pool];
        return fmt::format("{} {} {}",
                           one.nominal / slots_per_gpu,
                           one.borrow == TenantQuota::unlimited
                               ? "any"
                               : std::to_string(one.borrow / slots_per_gpu),
                           one.lend / slots_per_gpu);
    };
    CHECK(quota(0, 0) == "4 any 4");
    CHECK(quota(0, 1) == "3 5 3");
    CHECK(quota(1, 0) == "8 any 2");
    CHECK(quota(1, 1) == "0 0 0"); // not named
    CHECK(quota(2, 1) == "5 any 5");
    CHECK(out.notes.warnings.empty());
}

TEST_CASE("mistakes of tenants' quotas are reported at their place") {
    CHECK(contains(mistakes(""), "policy.allocator: no tenant has a quota"));
    CHECK(contains(mistakes("{name: a, nominal: 4}"), "tenant \"b\" has jobs, and no quota"));
    CHECK(contains(mistakes("{name: a, nominal: 4}, {name: b, nominal: 6}"),
                   "a job of \"b\" can never start (it asks for 8 GPUs, and b can have at most 6"));
    CHECK(contains(mistakes("{name: a, nominal: 4, cohort: c}, "
                            "{name: b, nominal: 6, cohort: c, borrow_limit: 1}"),
                   "at most 7 of a pool"));
    CHECK(contains(mistakes("{name: a, nominal: 4}, {name: a, nominal: 8}, {name: b, nominal: 8}"),
                   "tenants.a.name: this tenant is there before"));
    CHECK(contains(mistakes("{name: a, nominal: 4, reclaim: any}, {name: b, nominal: 8}"),
                   "tenants.a.reclaim: has no effect"));
    CHECK(contains(mistakes("{name: a, nominal: {p: 4}}, {name: b, nominal: 8}", pool_q),
                   "tenants.b.nominal: of which pool is not said"));
    CHECK(contains(mistakes("{name: a, nominal: {r: 4}}, {name: b, nominal: {p: 8}}"),
                   "\"r\" is not a pool of the fleet"));
}

TEST_CASE("quotas that do not add up, or that nothing keeps, are warnings") {
    const std::string sums = "pool p has 16 GPUs, and the nominal quotas on it are ";
    CHECK(contains(compiled("{name: a, nominal: 4}, {name: b, nominal: 8}").notes.warnings.at(0),
                   sums + "12 together: no tenant may use the rest"));
    CHECK(contains(compiled("{name: a, nominal: 16}, {name: b, nominal: 8}").notes.warnings.at(0),
                   sums + "24 together: not all tenants can have theirs at one time"));
    const Compiled without = compiled("{name: a, nominal: 4}", "", "none");
    CHECK(contains(without.notes.warnings.at(0), "tenants: has no effect"));
    CHECK(without.plan.tenants.empty());
}

} // namespace bursar::tenant_quotas_test
