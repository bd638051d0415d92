#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace policies {

/// The order in which fifo's jobs take turns under preemption by quantum: who was served least
/// recently comes first. At every pass a running job joins the end of the queue, ties by submit
/// order, and gives way there to who waited before it; but not before some of the work of its turn
/// is there to last, so that turns shorter than a restart do not go on for ever.
struct TurnTaking {
    static constexpr OrderTraits traits{.motion = KeyMotion::steps,
                                        .ties = Ties::turn,
                                        .tests_at_events = true,
                                        .moves_at_every_pass = true};

    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView&) const { return 0; }
    [[nodiscard]] BURSAR_HD Duration until_key_changes(const JobView&) const {
        return Duration{horizon_ms};
    }
    /// Every running job moves at every pass.
    [[nodiscard]] BURSAR_HD bool tests_at_events() const { return true; }
};

}} // namespace bursar::policies
