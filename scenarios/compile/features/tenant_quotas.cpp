#include "scenarios/compile/features/tenant_quotas.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/plan/plan.hpp"

#include "policies/allocator/quotas.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Absent: the pool is not named.
std::optional<std::int64_t> slots_on(const std::optional<PoolGpus>& gpus, const std::string& pool) {
    if (!gpus)
        return std::nullopt;
    if (gpus->only)
        return *gpus->only * slots_per_gpu;
    const auto at =
        std::ranges::find(gpus->pools, pool, &std::pair<std::string, std::int64_t>::first);
    return at == gpus->pools.end() ? std::nullopt : std::optional{at->second * slots_per_gpu};
}

/// A tenant has no use of a pool that its nominal quota does not name, as in Kueue.
TenantQuota quota_of(const TenantSpec& tenant, const std::string& pool) {
    const std::optional<std::int64_t> nominal = slots_on(tenant.nominal, pool);
    TenantQuota quota{.nominal = nominal.value_or(0)};
    if (tenant.cohort.empty() || !nominal)
        return quota;
    quota.borrow = slots_on(tenant.borrow_limit, pool).value_or(TenantQuota::unlimited);
    quota.lend = std::min(quota.nominal, slots_on(tenant.lend_limit, pool).value_or(*nominal));
    return quota;
}

/// The most slots of a pool that a tenant can have, while all others of its cohort use nothing.
std::int64_t most_slots(const Plan& plan, std::size_t tenant, std::size_t pool) {
    const auto quota = [&](std::size_t of) {
        return plan.tenant_quotas[of * plan.pools.size() + pool];
    };
    const std::uint16_t cohort = plan.tenants[tenant].cohort;
    std::int64_t lent = 0;
    for (std::size_t other = 0; other < plan.tenants.size() && cohort != 0; ++other)
        if (other != tenant && plan.tenants[other].cohort == cohort)
            lent += quota(other).lend;
    return quota(tenant).nominal + std::min(quota(tenant).borrow, lent);
}

void refuse_large_jobs(const CompileInput& input, const Compiled& compiled) {
    const Plan& plan = compiled.plan;
    std::vector<std::int64_t> most;
    for (std::size_t tenant = 0; tenant < plan.num_tenants; ++tenant)
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
            most.push_back(most_slots(plan, tenant, pool));
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const JobShape& shape = plan.shapes[plan.shape[job]];
        const std::size_t tenant = plan.tenant[job];
        std::int64_t most_here = 0;
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
            if ((shape.permitted_pools >> pool & 1U) != 0)
                most_here = std::max(most_here, most[tenant * plan.pools.size() + pool]);
        if (shape.slots() <= most_here)
            continue;
        const std::string& name = compiled.labels.tenants[tenant];
        fail_input(
            std::ranges::find(input.scenario.tenants, name, &TenantSpec::name)->place,
            "tenants",
            mistake(fmt::format("a job of {} can never start", in_quotes(name)),
                    fmt::format("it asks for {} GPUs, and {} can have at most {} of a pool that it "
                                "may use, with all that its cohort lends",
                                shape.gpus,
                                name,
                                most_here / slots_per_gpu),
                    "give a larger quota, or leave such jobs out"));
    }
}

/// Quotas that do not go with the GPUs of a pool whose nodes are always there.
void warn_of_sums(const CompileInput& input, Compiled& compiled) {
    for (std::size_t pool = 0; pool < input.scenario.fleet.size(); ++pool) {
        const PoolSpec& spec = input.scenario.fleet[pool];
        if (spec.launches())
            continue;
        std::int64_t sum = 0;
        for (std::size_t tenant = 0; tenant < compiled.plan.num_tenants; ++tenant)
            sum += compiled.plan.tenant_quotas[tenant * input.scenario.fleet.size() + pool].nominal;
        const std::int64_t gpus = compiled.plan.pools[pool].num_gpus();
        if (sum != gpus * slots_per_gpu)
            compiled.notes.warnings.push_back(fmt::format(
                "tenants: pool {} has {} GPUs, and the nominal quotas on it are {} together: {}",
                spec.name,
                gpus,
                sum / slots_per_gpu,
                sum < gpus * slots_per_gpu ? "no tenant may use the rest"
                                           : "not all tenants can have theirs at one time"));
    }
}

} // namespace

void plan_tenants(const CompileInput& input, Compiled& compiled) {
    const std::vector<TenantSpec>& specs = input.scenario.tenants;
    if (input.scenario.policy.allocator != Quotas::name)
        return;
    Plan& plan = compiled.plan;
    std::vector<std::string>& names = compiled.labels.tenants;
    std::vector<std::string> known;
    for (const TenantSpec& tenant : specs)
        known.push_back(tenant.name);
    for (const std::string& name : names)
        if (std::ranges::find(known, name) == known.end())
            fail_input(specs.front().place,
                       "tenants",
                       mistake("tenant " + in_quotes(name) + " has jobs, and no quota",
                               "jobs start within the quotas of their tenants",
                               suggestion(name, known)));
    for (const std::string& name : known)
        if (std::ranges::find(names, name) == names.end())
            names.push_back(name); // without jobs, it lends its quota
    plan.num_tenants = static_cast<std::uint32_t>(names.size());
    if (!plan.tenant_weight.empty())
        plan.tenant_weight.resize(names.size(), 1);
    std::map<std::string, std::uint16_t> cohorts;
    for (const std::string& name : names) {
        const TenantSpec& spec = *std::ranges::find(specs, name, &TenantSpec::name);
        PlanTenant row{.reclaim = spec.reclaim, .within = spec.preempt};
        if (!spec.cohort.empty())
            row.cohort = cohorts.try_emplace(spec.cohort, cohorts.size() + 1).first->second;
        plan.tenants.push_back(row);
        for (const PoolSpec& pool : input.scenario.fleet)
            plan.tenant_quotas.push_back(quota_of(spec, pool.name));
    }
    refuse_large_jobs(input, compiled);
    warn_of_sums(input, compiled);
}

}} // namespace bursar::scenarios
