#include "scenarios/keys/workload/workload_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::int64_t max_quota_gpus = 100'000'000;

/// A number of GPUs, or a mapping of pools to such numbers.
struct PoolGpusRule {
    using value_type = PoolGpus;

    [[nodiscard]] std::optional<PoolGpus> read(const Reader& at) const {
        if (at.node().kind == NodeKind::mapping) {
            auto pools = by_pool.read(at);
            return pools ? std::optional{PoolGpus{std::nullopt, std::move(*pools)}} : std::nullopt;
        }
        const std::optional<std::int64_t> only = gpus.read(at);
        return only ? std::optional{PoolGpus{*only, {}}} : std::nullopt;
    }
    [[nodiscard]] Schema schema() const { return {{"anyOf", {gpus.schema(), by_pool.schema()}}}; }

    WholeNumberRule gpus = whole_number(0, max_quota_gpus);
    MapRule<WholeNumberRule> by_pool = map_of(gpus, "a mapping of pools to numbers of GPUs");
};

/// Reports keys of lending and borrowing of a tenant without a cohort.
void check_cohort(const Reader& at, TenantSpec& tenant, const KeysRead& keys) {
    tenant.place = at.node().place();
    if (!tenant.cohort.empty() || !keys.good("cohort"))
        return;
    for (const char* key : {"borrow_limit", "lend_limit", "reclaim"})
        if (at.find(key))
            at.mistake_at(key,
                          "has no effect",
                          "tenants share unused quota within a cohort, and this one is in none",
                          "add cohort, or remove it");
}

} // namespace

Table<TenantSpec> tenant_keys() {
    return table<TenantSpec, check_cohort>({
        {required("name", &TenantSpec::name, text()), "the tenant, as jobs name it"},
        {required("nominal", &TenantSpec::nominal, PoolGpusRule{}),
         "GPUs that it may use at any time, or a mapping of pools to GPUs where the fleet has "
         "several; it may not use a pool that is not named"},
        {optional("cohort", &TenantSpec::cohort, identifier()),
         "tenants of one cohort borrow from each other what is not in use; default: it is in "
         "none"},
        {optional("borrow_limit", &TenantSpec::borrow_limit, PoolGpusRule{}),
         "the most GPUs that it borrows; default: whatever its cohort lends"},
        {optional("lend_limit", &TenantSpec::lend_limit, PoolGpusRule{}),
         "the most GPUs of its nominal quota that others may use; default: all of them"},
        {optional("reclaim",
                  &TenantSpec::reclaim,
                  ChoiceRule<Reclaim>{{{"never", Reclaim::never},
                                       {"lower-priority", Reclaim::lower_priority},
                                       {"any", Reclaim::any}}}),
         "for a job within its nominal quota, jobs of tenants that borrow are stopped: never, "
         "those of a lower-priority, or any; default never"},
        {optional("preempt",
                  &TenantSpec::preempt,
                  ChoiceRule<PreemptWithin>{{{"never", PreemptWithin::never},
                                             {"lower-priority", PreemptWithin::lower_priority},
                                             {"lower-or-newer", PreemptWithin::lower_or_newer}}}),
         "for its waiting jobs, its running ones are stopped: never, those of a lower-priority, "
         "or lower-or-newer: also those of the same priority that were submitted later; default "
         "never"},
    });
}

}} // namespace bursar::scenarios
