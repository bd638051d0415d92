#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace policies {

/// The order of fifo under preemption by quantum: the job served least recently comes first. At
/// every pass running jobs join the end of the queue, ties by submit order, behind the jobs that
/// waited. A job keeps its GPUs until some of the work since its start is durable; otherwise quanta
/// shorter than a restart would never end.
struct TurnTaking {
    static constexpr OrderTraits traits{.motion = KeyMotion::steps,
                                        .ties = Ties::turn,
                                        .tests_at_events = true,
                                        .moves_at_every_pass = true};

    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView&) const { return 0; }
    [[nodiscard]] BURSAR_HD Duration until_key_changes(const JobView&) const {
        return Duration{horizon_ms};
    }
    /// True: every running job moves at every pass.
    [[nodiscard]] BURSAR_HD bool tests_at_events() const { return true; }
};

}} // namespace bursar::policies
