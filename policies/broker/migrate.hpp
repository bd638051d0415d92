#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/plan/plan.hpp"

#include "policies/broker/cost_of_work.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Options of the brokers that order pools: whether running jobs move between them (PlanMigration).
inline constexpr OptionInfo migrate_option{
    .name = "migrate",
    .kind = OptionKind::choice,
    .meaning = "never: running jobs stay; when-cheaper: a job is stopped and continues in a pool "
               "that comes before its own and has enough free GPUs now, where that costs less "
               "until its end, with save, restart, lost work and egress",
    .choices = {"never", "when-cheaper"}};
inline constexpr OptionInfo migrate_margin_option{
    .name = "migrate_margin",
    .kind = OptionKind::milli,
    .fallback = {0},
    .meaning = "how much cheaper, as a share of the cost there",
    .max = 10'000,
    .only_with = "migrate",
    .only_with_value = 1};
inline constexpr OptionInfo migrate_every_option{
    .name = "migrate_every",
    .kind = OptionKind::duration,
    .fallback = {3'600'000},
    .meaning = "running jobs are reconsidered at each multiple of it, and whenever GPUs are "
               "released, nodes come or go, or the order of pools changes; 0: only then",
    .only_with = "migrate",
    .only_with_value = 1};

/// Whether running jobs migrate under a broker with those options.
[[nodiscard]] inline bool migrates(const PolicyOptions& broker) {
    return broker.value(migrate_option) == 1;
}

/// Factor by which interruptions lengthen the time that these jobs hold a pool for their work.
[[nodiscard]] inline std::int64_t
risk_stretch_of(const Plan& plan, const JobKind& kind, std::size_t pool) {
    JobKind undisturbed = kind;
    undisturbed.risks.clear();
    const double stretch =
        held_per_work_on(plan, kind, pool) / held_per_work_on(plan, undisturbed, pool);
    return std::llround(std::clamp(stretch, 1.0, max_held_per_work) *
                        static_cast<double>(PlanMigration::one_stretch));
}

/// Sets a plan's migration from the options. kinds: the job kinds of its pool orders if the broker
/// considers interruptions; otherwise empty.
inline void
give_migration(const PolicyOptions& broker, const std::vector<JobKind>& kinds, Plan& plan) {
    plan.migration = {};
    plan.risk_stretch.clear();
    if (!migrates(broker))
        return;
    plan.migration = {
        true, broker.value(migrate_margin_option), broker.value(migrate_every_option)};
    for (const JobKind& kind : kinds)
        for (std::size_t pool = 0; kind.saved_in == 0 && pool < plan.pools.size(); ++pool)
            plan.risk_stretch.push_back(risk_stretch_of(plan, kind, pool));
}

}} // namespace bursar::policies
