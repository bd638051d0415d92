#include "sim/plan/check_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/plan/plan_flaw.hpp"

namespace bursar { inline namespace sim {
namespace {

constexpr std::size_t max_classes = 0xffff;
constexpr std::size_t max_shapes = 0x10000;
constexpr std::size_t max_tenants = 0x10000;
constexpr std::int64_t max_margin_milli = 1'000'000;

void check_columns_of_jobs(const Plan& plan, PlanFlaw& flaw) {
    const std::size_t n = plan.num_jobs();
    flaw.require(n < 0xffffffffU, "the plan has too many jobs");
    flaw.length("work_ms", plan.work_ms, n);
    flaw.length("shape", plan.shape, n);
    flaw.length("job_class", plan.job_class, n);
    flaw.length("tenant", plan.tenant, n);
    flaw.length("end", plan.end, n);
    flaw.length_if_any("estimate_ms", plan.estimate_ms, n);
    flaw.length_if_any("priority", plan.priority, n);
    flaw.length_if_any("deadline_ms", plan.deadline_ms, n);
    flaw.length_if_any("value_nano_usd", plan.value_nano_usd, n);
    flaw.length_if_any("num_needed", plan.num_needed, n);
    flaw.length("dependent_begin", plan.dependent_begin, plan.has_dependencies() ? n + 1 : 0);
    flaw.length("dependents",
                plan.dependents,
                plan.dependent_begin.empty() ? 0 : plan.dependent_begin.back());
    flaw.length_if_any("think_ms", plan.think_ms, plan.has_dependencies() ? n : 0);
    flaw.require(plan.num_tenants > 0 && plan.num_tenants <= max_tenants,
                 "num_tenants is out of range");
    flaw.length_if_any("tenant_weight", plan.tenant_weight, plan.num_tenants);
    flaw.length_if_any("tenants", plan.tenants, plan.num_tenants);
    flaw.length("tenant_quotas", plan.tenant_quotas, plan.tenants.size() * plan.pools.size());
}

void check_rows_of_jobs(const Plan& plan, PlanFlaw& flaw) {
    flaw.each("submit_ms", plan.submit_ms, [&](std::int64_t at, std::size_t job) {
        return is_instant(at) && (job == 0 || plan.submit_ms[job - 1] <= at);
    });
    flaw.each("work_ms", plan.work_ms, [](std::int64_t ms) { return is_span(ms); });
    flaw.each("shape", plan.shape, [&](std::uint16_t row) { return row < plan.shapes.size(); });
    flaw.each(
        "job_class", plan.job_class, [&](std::uint16_t row) { return row < plan.classes.size(); });
    flaw.each("tenant", plan.tenant, [&](std::uint16_t one) { return one < plan.num_tenants; });
    flaw.each("end", plan.end, [](JobEnd end) { return end <= JobEnd::rejected; });
    flaw.each("estimate_ms", plan.estimate_ms, [](std::int64_t ms) { return is_span(ms); });
    flaw.each("deadline_ms", plan.deadline_ms, [](std::int64_t ms) {
        return ms == no_deadline_ms || is_span(ms);
    });
    flaw.each("value_nano_usd", plan.value_nano_usd, [](std::int64_t value) { return value >= 0; });
    flaw.each("tenant_weight", plan.tenant_weight, [](std::uint32_t weight) { return weight > 0; });
    flaw.each("tenants", plan.tenants, [](const PlanTenant& one) {
        return one.reclaim <= Reclaim::any && one.within <= PreemptWithin::lower_or_newer;
    });
    flaw.each("tenant_quotas", plan.tenant_quotas, [](const TenantQuota& one) {
        return one.nominal >= 0 && one.nominal <= TenantQuota::unlimited && one.borrow >= 0 &&
               one.borrow <= TenantQuota::unlimited && one.lend >= 0 && one.lend <= one.nominal;
    });
}

void check_classes(const Plan& plan, PlanFlaw& flaw) {
    const std::size_t each_row = plan.pools.size() * plan.num_paces();
    flaw.require(!plan.classes.empty() && plan.classes.size() <= max_classes,
                 "the plan has no classes, or too many");
    flaw.require(plan.speeds.size() % each_row == 0, "speeds has rows that are not complete");
    flaw.each("classes", plan.classes, [&](const PlanClass& one) {
        const bool are_spans =
            is_span(one.startup) && is_span(one.teardown) && is_span(one.recovery) &&
            is_span(one.save) && is_span(one.interval) && is_span(one.write) &&
            is_span(one.increment) && is_span(one.increment_write) &&
            one.increment_write <= one.write && is_span(one.staged) && one.staged <= one.startup;
        const bool has_interval = !saves_on_the_way(one.checkpoint) || one.interval > Duration{};
        return are_spans && has_interval && one.checkpoint <= Checkpoint::every_on_notice &&
               one.full_every > 0 && one.speed_row <= plan.speeds.size() / each_row &&
               (!one.drops_late || !plan.deadline_ms.empty());
    });
    flaw.each("speeds", plan.speeds, [](const PlanSpeed& one) {
        const bool is_right = one.speed > 0 && is_span(one.interval_ms);
        return is_right && std::ranges::all_of(one.stalled_slots,
                                               [](std::int64_t slots) { return is_span(slots); });
    });
    flaw.length_if_any("egress_nano_usd", plan.egress_nano_usd, plan.classes.size());
    flaw.each(
        "egress_nano_usd", plan.egress_nano_usd, [](std::int64_t price) { return price >= 0; });
}

/// Forms have whole GPUs, and those of a class are sorted by GPUs. One of them is the shape and
/// class of each of its jobs.
void check_forms(const Plan& plan, PlanFlaw& flaw) {
    flaw.each("forms", plan.forms, [&](const PlanForm& one) {
        return one.shape < plan.shapes.size() && one.job_class < plan.classes.size() &&
               plan.shapes[one.shape].gpu_slots == slots_per_gpu &&
               plan.shapes[one.shape].fallback == 0;
    });
    flaw.each("classes", plan.classes, [&](const PlanClass& one) {
        if (!is_span(one.rescale) ||
            one.form_begin + std::size_t{one.num_forms} > plan.forms.size())
            return false;
        for (std::uint32_t i = one.form_begin; i < one.form_begin + one.num_forms; ++i)
            if (i > one.form_begin &&
                plan.shapes[plan.forms[i].shape].gpus <= plan.shapes[plan.forms[i - 1].shape].gpus)
                return false;
        return true;
    });
    flaw.each("shape", plan.shape, [&](std::uint16_t shape, std::size_t job) {
        const PlanClass& own = plan.classes[plan.job_class[job]];
        const auto first = plan.forms.begin() + own.form_begin;
        return own.num_forms == 0 ||
               std::any_of(first, first + own.num_forms, [&](const PlanForm& form) {
                   return form.shape == shape && form.job_class == plan.job_class[job];
               });
    });
}

/// Whether jobs of a class can share their GPUs: they stop at once, and keep all work.
bool may_share(const PlanClass& one) {
    return one.num_forms == 0 && one.checkpoint == Checkpoint::on_preempt &&
           one.save == Duration{} && one.write == Duration{} && one.teardown == Duration{};
}

/// Jobs of a pair ask for the same number of whole GPUs and nothing else of a node, and their
/// paired shapes are halves of theirs.
void check_pairs(const Plan& plan, PlanFlaw& flaw) {
    if (plan.pairs.empty())
        return;
    flaw.require(plan.world.empty() && plan.provisioning.empty() && plan.fallbacks.empty() &&
                     plan.own_failures.empty() && !plan.migration.is_on && !plan.staging.is_on(),
                 "jobs share GPUs in a world that is not static");
    const std::size_t num_classes = plan.classes.size();
    std::map<std::pair<std::uint16_t, std::uint16_t>, const PlanPair*> known;
    std::vector<const PlanPair*> first(num_classes); // by class
    flaw.each("pairs", plan.pairs, [&](const PlanPair& one) {
        if (one.job_class >= num_classes || one.partner >= num_classes ||
            one.paired_class >= num_classes || one.shape >= plan.shapes.size())
            return false;
        const std::pair key{one.job_class, one.partner};
        const bool is_sorted = known.empty() || known.rbegin()->first < key;
        known[key] = &one;
        if (first[one.job_class] == nullptr)
            first[one.job_class] = &one;
        return is_sorted && one.pools != 0 && (one.pools & ~all_pools(plan)) == 0 &&
               may_share(plan.classes[one.job_class]) &&
               may_share(plan.classes[one.paired_class]) &&
               one.shape == first[one.job_class]->shape;
    });
    flaw.each("pairs", plan.pairs, [&](const PlanPair& one) {
        const auto other = known.find({one.partner, one.job_class});
        return other != known.end() && other->second->pools == one.pools &&
               plan.shapes[other->second->shape].gpus == plan.shapes[one.shape].gpus;
    });
    flaw.each("shape", plan.shape, [&](std::uint16_t shape, std::size_t job) {
        const PlanPair* const own = first[plan.job_class[job]];
        JobShape half = plan.shapes[shape];
        half.gpu_slots = slots_per_gpu / 2;
        return own == nullptr ||
               (plan.shapes[shape].gpu_slots == slots_per_gpu && half.gpus > 0 &&
                half.cpu_milli == 0 && half.memory_mib == 0 && half == plan.shapes[own->shape]);
    });
}

/// Whether a shape fits into an empty pool that it may use.
bool has_room_somewhere(const Plan& plan, const JobShape& shape, std::uint64_t pools) {
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        if ((pools >> pool & 1U) != 0 &&
            shape.slots() <= plan.pools[pool].num_gpus() * slots_per_gpu)
            return true;
    return false;
}

/// Whether a shape is that of jobs that share their GPUs.
bool is_of_pair(const Plan& plan, const JobShape& shape) {
    return std::ranges::any_of(plan.pairs, [&](const PlanPair& pair) {
        return pair.shape == &shape - plan.shapes.data();
    });
}

void check_shapes(const Plan& plan, PlanFlaw& flaw) {
    flaw.require(!plan.shapes.empty() && plan.shapes.size() <= max_shapes,
                 "the plan has no shapes, or too many");
    flaw.each("shapes", plan.shapes, [&](const JobShape& one) {
        const auto is_level = [&](std::uint8_t level) {
            return level == JobShape::any_level || level < plan.num_levels;
        };
        const bool is_part = one.gpu_slots < slots_per_gpu;
        return one.permitted_pools != 0 && (one.permitted_pools & ~all_pools(plan)) == 0 &&
               one.gpu_slots > 0 && one.gpu_slots <= slots_per_gpu &&
               (!is_part || one.gpus == 1 || is_of_pair(plan, one)) &&
               is_level(one.required_level) && is_level(one.preferred_level) &&
               one.order_begin % plan.pools.size() == 0 &&
               one.order_begin + plan.order_length() <= plan.pool_preference.size() &&
               one.fallback <= plan.fallbacks.size() &&
               (one.fallback != 0 || has_room_somewhere(plan, one, one.permitted_pools));
    });
    const std::size_t orders = plan.pool_preference.size() / plan.order_length();
    if (!plan.gang_risks.empty())
        flaw.length("gang_risks", plan.gang_risks, orders * plan.pools.size());
    if (!plan.risk_stretch.empty())
        flaw.length("risk_stretch", plan.risk_stretch, orders * plan.pools.size());
    flaw.each("risk_stretch", plan.risk_stretch, [](std::int64_t stretch) {
        return stretch >= PlanMigration::one_stretch && stretch <= PlanMigration::max_stretch;
    });
    const PlanMigration& migration = plan.migration;
    flaw.require(migration.margin_milli >= 0 && migration.margin_milli <= max_margin_milli &&
                     is_span(migration.every_ms),
                 "migration has a margin or a period that is out of range");
    flaw.require(plan.staging.num_jobs <= PlanStaging::max_jobs &&
                     plan.staging.predict <= EndPrediction::class_history,
                 "staging has a number of jobs or a prediction that is out of range");
}

/// A cycle is no flaw: its jobs never become eligible.
void check_dependencies(const Plan& plan, PlanFlaw& flaw) {
    if (!plan.has_dependencies())
        return;
    flaw.each("dependent_begin", plan.dependent_begin, [&](std::uint32_t begin, std::size_t job) {
        return job == 0 ? begin == 0 : plan.dependent_begin[job - 1] <= begin;
    });
    std::vector<std::uint32_t> known(plan.num_jobs(), 0);
    flaw.each("dependents", plan.dependents, [&](std::uint32_t job) {
        return job < plan.num_jobs() && ++known[job] > 0;
    });
    flaw.each("num_needed", plan.num_needed, [&](std::uint32_t num, std::size_t job) {
        return num >= known[job];
    });
    flaw.each("end", plan.end, [&](JobEnd end, std::size_t job) {
        return end != JobEnd::rejected ||
               (plan.has_dependencies() && plan.num_needed[job] > known[job]);
    });
    flaw.each("think_ms", plan.think_ms, [](std::int64_t ms) { return is_span(ms); });
}

/// Every job with a fallback has its own shape.
void check_fallbacks(const Plan& plan, PlanFlaw& flaw) {
    flaw.each("fallbacks", plan.fallbacks, [&](const JobFallback& one, std::size_t row) {
        const auto are_pools = [&](std::uint64_t pools) {
            return pools != 0 && (pools & ~all_pools(plan)) == 0;
        };
        if (one.job >= plan.num_jobs())
            return false;
        const JobShape& own = plan.shapes[plan.shape[one.job]];
        return own.fallback == row + 1 && are_pools(one.early_pools) && are_pools(one.late_pools) &&
               (one.early_pools & one.late_pools) == 0 &&
               has_room_somewhere(plan, own, one.early_pools | one.late_pools) &&
               is_span(one.loss_ms) && is_span(one.boot_ms) && !plan.deadline_ms.empty() &&
               plan.deadline_ms[one.job] != no_deadline_ms;
    });
    flaw.each("shape", plan.shape, [&](std::uint16_t row, std::size_t job) {
        const std::uint16_t fallback = plan.shapes[row].fallback;
        return fallback == 0 || plan.fallbacks[fallback - 1U].job == job;
    });
}

void check_times(const Plan& plan, PlanFlaw& flaw) {
    flaw.require(!plan.until || is_instant(plan.until->count()), "until is out of range");
    flaw.require(is_span(plan.measure_from), "measure_from is out of range");
    flaw.require(!plan.measure_to ||
                     (is_span(*plan.measure_to) && plan.measure_from <= *plan.measure_to),
                 "measure_to is out of range");
}

} // namespace

void check_jobs(const Plan& plan, PlanFlaw& flaw) {
    check_columns_of_jobs(plan, flaw);
    if (flaw.is_none())
        check_classes(plan, flaw);
    if (flaw.is_none())
        check_shapes(plan, flaw);
    if (flaw.is_none())
        check_rows_of_jobs(plan, flaw);
    if (flaw.is_none())
        check_dependencies(plan, flaw);
    if (flaw.is_none())
        check_forms(plan, flaw);
    if (flaw.is_none())
        check_pairs(plan, flaw);
    if (flaw.is_none())
        check_fallbacks(plan, flaw);
    check_times(plan, flaw);
}

std::optional<std::string> check_plan(const Plan& plan) {
    PlanFlaw flaw;
    for (const auto check : {check_fleet, check_places, check_jobs, check_world})
        if (flaw.is_none())
            check(plan, flaw);
    return std::move(flaw).take();
}

}} // namespace bursar::sim
