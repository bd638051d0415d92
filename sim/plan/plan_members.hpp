#pragma once

#include <concepts>
#include <type_traits>

#include "models/market/price_integral.hpp"

#include "sim/plan/broker_rules.hpp"
#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_energy.hpp"
#include "sim/plan/provisioning.hpp"
#include "sim/plan/speed.hpp"
#include "sim/plan/tenant_quota.hpp"
#include "sim/plan/world_event.hpp"

/// The members of a plan and of the elements of its columns, each once, by name. Code that saves a
/// plan, loads it or describes its layout reads these lists; plan_members_test.cpp checks that they
/// are complete.
///
/// each_member(value, visit) calls `visit(name, member)` for each, in order; a `const` value has
/// `const` members.
namespace bursar { inline namespace sim {

template <class Self, class T>
concept AnyConst = std::same_as<std::remove_const_t<Self>, T>;

template <AnyConst<PriceStep> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("start_ms", self.start_ms);
    visit("rate", self.rate);
    visit("before", self.before);
}

template <AnyConst<PriceIndex> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("first_step", self.first_step);
    visit("num_steps", self.num_steps);
    visit("first_bucket", self.first_bucket);
    visit("num_buckets", self.num_buckets);
    visit("bucket_width_log", self.bucket_width_log);
}

template <AnyConst<JobShape> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("gpus", self.gpus);
    visit("permitted_pools", self.permitted_pools);
    visit("gpu_slots", self.gpu_slots);
    visit("required_level", self.required_level);
    visit("preferred_level", self.preferred_level);
    visit("cpu_milli", self.cpu_milli);
    visit("memory_mib", self.memory_mib);
    visit("order_begin", self.order_begin);
    visit("fallback", self.fallback);
}

template <AnyConst<PlanClass> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("startup", self.startup);
    visit("teardown", self.teardown);
    visit("speed_row", self.speed_row);
    visit("checkpoint", self.checkpoint);
    visit("recovery", self.recovery);
    visit("save", self.save);
    visit("interval", self.interval);
    visit("write", self.write);
    visit("increment", self.increment);
    visit("increment_write", self.increment_write);
    visit("full_every", self.full_every);
    visit("rescale", self.rescale);
    visit("staged", self.staged);
    visit("form_begin", self.form_begin);
    visit("num_forms", self.num_forms);
    visit("is_moldable", self.is_moldable);
    visit("drops_late", self.drops_late);
}

template <AnyConst<PlanForm> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("shape", self.shape);
    visit("job_class", self.job_class);
}

template <AnyConst<PlanPair> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("job_class", self.job_class);
    visit("partner", self.partner);
    visit("shape", self.shape);
    visit("paired_class", self.paired_class);
    visit("pools", self.pools);
}

template <AnyConst<PlanSpeed> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("speed", self.speed);
    visit("stalled_slots", self.stalled_slots);
    visit("interval_ms", self.interval_ms);
}

template <AnyConst<PlanPool> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("num_nodes", self.num_nodes);
    visit("gpus_per_node", self.gpus_per_node);
    visit("purchase", self.purchase);
    visit("rate", self.rate);
    visit("billing_step", self.billing_step);
    visit("cpu_milli", self.cpu_milli);
    visit("memory_mib", self.memory_mib);
    visit("price_series", self.price_series);
    visit("asked_series", self.asked_series);
}

template <AnyConst<GangRisk> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("failures", self.failures);
    visit("reclaims", self.reclaims);
    visit("maintenance", self.maintenance);
    visit("notice", self.notice);
}

template <AnyConst<WorldEvent> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    WorldEvent::each_place(self, visit);
}

template <AnyConst<PlanProvisioning> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("first_nodes", self.first_nodes);
    visit("min_nodes", self.min_nodes);
    visit("warm_nodes", self.warm_nodes);
    visit("is_fixed", self.is_fixed);
    visit("follows_queue", self.follows_queue);
    visit("cancels_boots", self.cancels_boots);
    visit("reclaims", self.reclaims);
    visit("reclaim_seed", self.reclaim_seed);
    visit("idle_timeout_ms", self.idle_timeout_ms);
    visit("launch_every_ms", self.launch_every_ms);
    visit("max_launches", self.max_launches);
    visit("min_paid_ms", self.min_paid_ms);
    visit("boot_begin", self.boot_begin);
    visit("boot_bits", self.boot_bits);
    visit("retry_ms", self.retry_ms);
    visit("max_retry_ms", self.max_retry_ms);
    visit("spare_nodes", self.spare_nodes);
    visit("takeover_ms", self.takeover_ms);
}

template <AnyConst<JobFallback> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("job", self.job);
    visit("early_pools", self.early_pools);
    visit("late_pools", self.late_pools);
    visit("loss_ms", self.loss_ms);
    visit("boot_ms", self.boot_ms);
}

template <AnyConst<PlanStaging> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("num_jobs", self.num_jobs);
    visit("predict", self.predict);
}

template <AnyConst<PlanMigration> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("is_on", self.is_on);
    visit("margin_milli", self.margin_milli);
    visit("every_ms", self.every_ms);
}

template <AnyConst<PlanQuota> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("pools", self.pools);
    visit("max_nodes", self.max_nodes);
}

template <AnyConst<PlanTenant> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("cohort", self.cohort);
    visit("reclaim", self.reclaim);
    visit("within", self.within);
}

template <AnyConst<TenantQuota> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("nominal", self.nominal);
    visit("borrow", self.borrow);
    visit("lend", self.lend);
}

template <AnyConst<OwnFailures> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("per_job", self.per_job);
    visit("per_gpu", self.per_gpu);
    visit("hold_ms", self.hold_ms);
}

template <AnyConst<PlanEnergy> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("idle", self.idle);
    visit("busy", self.busy);
    visit("pue_milli", self.pue_milli);
    visit("grid", self.grid);
    visit("grid_name", self.grid_name);
    visit("embodied", self.embodied);
}

template <AnyConst<Labels> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("pools", self.pools);
    visit("pool_gpus", self.pool_gpus);
    visit("pool_regions", self.pool_regions);
    visit("levels", self.levels);
    visit("tenants", self.tenants);
    visit("job_names", self.job_names);
    visit("job_name_end", self.job_name_end);
    visit("spared_gpu_ms", self.spared_gpu_ms);
    visit("zero_utc_ms", self.zero_utc_ms);
}

/// The columns of a plan: vectors of numbers and of the structs above.
template <AnyConst<Plan> Self, class Visit>
void each_column(Self& plan, const Visit& visit) {
    visit("submit_ms", plan.submit_ms);
    visit("work_ms", plan.work_ms);
    visit("shape", plan.shape);
    visit("job_class", plan.job_class);
    visit("tenant", plan.tenant);
    visit("end", plan.end);
    visit("estimate_ms", plan.estimate_ms);
    visit("priority", plan.priority);
    visit("deadline_ms", plan.deadline_ms);
    visit("value_nano_usd", plan.value_nano_usd);
    visit("num_needed", plan.num_needed);
    visit("dependent_begin", plan.dependent_begin);
    visit("dependents", plan.dependents);
    visit("think_ms", plan.think_ms);
    visit("shapes", plan.shapes);
    visit("classes", plan.classes);
    visit("forms", plan.forms);
    visit("pairs", plan.pairs);
    visit("speeds", plan.speeds);
    visit("pools", plan.pools);
    visit("pool_preference", plan.pool_preference);
    visit("pool_orders", plan.pool_orders);
    visit("pool_region", plan.pool_region);
    visit("gang_risks", plan.gang_risks);
    visit("egress_nano_usd", plan.egress_nano_usd);
    visit("risk_stretch", plan.risk_stretch);
    visit("pools_by_name", plan.pools_by_name);
    visit("prices.steps", plan.prices.steps);
    visit("prices.buckets", plan.prices.buckets);
    visit("prices.series", plan.prices.series);
    visit("grid.steps", plan.grid.integrals.steps);
    visit("grid.buckets", plan.grid.integrals.buckets);
    visit("grid.series", plan.grid.integrals.series);
    visit("grid.series_of_pool", plan.grid.series);
    visit("tenant_weight", plan.tenant_weight);
    visit("tenants", plan.tenants);
    visit("tenant_quotas", plan.tenant_quotas);
    visit("node_group", plan.node_group);
    visit("level_begin", plan.level_begin);
    visit("slow_nodes", plan.slow_nodes);
    visit("slow_begin", plan.slow_begin);
    visit("world", plan.world);
    visit("provisioning", plan.provisioning);
    visit("boot_ms", plan.boot_ms);
    visit("fallbacks", plan.fallbacks);
    visit("quotas", plan.quotas);
    visit("own_failures", plan.own_failures);
}

/// The members of a plan that are no columns.
template <class P>
struct PlanRest {
    P& plan;
};
template <class P>
PlanRest(P&) -> PlanRest<P>;

template <class P, class Visit>
void each_member(const PlanRest<P>& rest, const Visit& visit) {
    visit("num_tenants", rest.plan.num_tenants);
    visit("num_levels", rest.plan.num_levels);
    visit("admission_changes", rest.plan.admission_changes);
    visit("keeps_pace", rest.plan.keeps_pace);
    visit("needs_completion", rest.plan.needs_completion);
    visit("migration", rest.plan.migration);
    visit("staging", rest.plan.staging);
    visit("own_failure_seed", rest.plan.own_failure_seed);
    visit("until", rest.plan.until);
    visit("measure_from", rest.plan.measure_from);
    visit("measure_to", rest.plan.measure_to);
    visit("energy", rest.plan.energy);
}

}} // namespace bursar::sim
