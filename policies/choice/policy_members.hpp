#pragma once

#include "sim/plan/plan_members.hpp"

#include "policies/choice/policy_choice.hpp"

namespace bursar { inline namespace policies {

/// The members of a choice, as in sim/plan/plan_members.hpp; policy_members_test.cpp checks that
/// none is missing.
template <AnyConst<PolicyChoice> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("queue", self.queue);
    visit("head", self.head);
    visit("capacity", self.capacity);
    visit("placement", self.placement);
    visit("backfill", self.backfill);
    visit("preemption", self.preemption);
    visit("broker", self.broker);
    visit("allocator", self.allocator);
    visit("quantum", self.quantum);
    visit("sharing", self.sharing);
    visit("estimates", self.estimates);
    visit("precision", self.precision);
    visit("staging", self.staging);
    visit("seed", self.seed);
    visit("queue_options", self.queue_options);
    visit("placement_options", self.placement_options);
    visit("backfill_options", self.backfill_options);
    visit("preemption_options", self.preemption_options);
    visit("estimates_options", self.estimates_options);
    visit("precision_options", self.precision_options);
    visit("broker_options", self.broker_options);
    visit("allocator_options", self.allocator_options);
    visit("staging_options", self.staging_options);
}

}} // namespace bursar::policies
