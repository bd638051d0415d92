#pragma once

#include <string_view>

#include "policies/preemption/limit_options.hpp"

namespace bursar { inline namespace policies {

/// Orders by key: at every event all GPUs are distributed again in the queue's order, skipping jobs
/// that do not fit; a running job that gets none stops. Implemented in the engine
/// (sim/engine/passes/preemptive_pass.hpp).
///
/// Orders of tenants (fair-share, drf, multifactor) and ftf: a waiting job that does not fit may
/// stop running jobs of other tenants that after the stop still hold at least as large a share as
/// its tenant does with it. The share is of GPUs held now, with drf of the dominant resource, over
/// the tenant's weight, whatever the order remembers of the past. This is the strategy
/// LessThanOrEqualToFinalShare of Kueue's fair sharing, and what YARN's fair scheduler and
/// Gandiva_fair's migration toward shares aim at. Every stop raises the smaller of two shares, so
/// jobs do not stop each other in turns. Of waiting jobs of one shape only the first in order asks,
/// so under multifactor and ftf one of a large tenant may keep others from asking. A gang that
/// holds more than the difference of two shares is not stopped: its tenant would fall below the
/// other.
///
/// Victims are taken from the tenant with the largest share, then lowest priority, last start
/// (Kueue's order) and later job first, until the gang fits; then victims that are not needed after
/// all are spared, the last first. A stop costs what it costs under priority: the work since the
/// last durable state, the save and the recovery. With `min_run` an attempt has a lease (Themis),
/// as it has with rounds. Implemented in sim/engine/preemption/share_victims.hpp.
struct PreemptByOrder {
    static constexpr std::string_view name = "order";
    static constexpr std::string_view summary =
        "waiting jobs preempt running ones that are behind them in the queue order; by tenants' "
        "order (and ftf): those of tenants that then still hold at least as large a share";
    static constexpr std::string_view cost =
        "heads + log(running) per start or stop; by tenants' order running jobs per head that "
        "does not fit";
    static constexpr std::string_view source =
        "Tiresias (Gu et al., NSDI 2019); Helios (Hu et al., SC 2021); shares: Kueue's fair "
        "sharing (LessThanOrEqualToFinalShare); leases: Themis (Mahajan et al., NSDI 2020)";
    static constexpr OptionInfo options[]{
        {.name = "unfinished_recovery",
         .kind = OptionKind::choice,
         .meaning = "what a job preempted during recovery has yet to do: one recovery anew, or "
                    "the rest of that one and another (Helios)",
         .choices = {"anew", "owed"}},
        max_per_job_option,
        min_run_option,
        grace_option,
    };

    UnfinishedRecovery unfinished_recovery{};

    static PreemptByOrder from(const PolicyOptions& given) {
        return {static_cast<UnfinishedRecovery>(given.value(options[0]))};
    }
};

}} // namespace bursar::policies
