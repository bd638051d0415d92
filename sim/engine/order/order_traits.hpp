#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// The basis of an order: it decides the members of its functor and the queue that serves it.
enum class OrderBy : std::uint8_t {
    key,     ///< a number of each job (RankedQueue, LiveQueue)
    tenants, ///< what the job's tenant holds or held (TenantQueue)
    ratio    ///< waiting time and run time over run time (RatioQueue)
};

/// How the key of a job changes while it holds GPUs. Keys of waiting jobs do not change.
enum class KeyMotion : std::uint8_t {
    fixed, ///< never: one order for the whole run
    falls, ///< a time in ms that falls by one per ms held, down to 0, so that running jobs
           ///< keep their order among each other and gain on those that wait
    steps, ///< changes after `until_key_changes`; depends on a job's GPUs and attained service only
    flows, ///< only falls, at a speed that depends on the job: at every pass it is read
           ///< anew for all that run
};

/// The order of jobs with equal keys.
enum class Ties : std::uint8_t {
    submit, ///< the job submitted first; ties in input order
    turn,   ///< running jobs keep their place before waiting ones; a preempted job waits at the
            ///< front, and one whose key changes goes behind those with the new key
};

/// Properties of a queue order, as `static constexpr OrderTraits traits{...}`; protocol.hpp checks
/// that it has the members required by them.
struct OrderTraits {
    OrderBy by{OrderBy::key};
    KeyMotion motion{KeyMotion::fixed}; ///< steps: `until_key_changes(JobView) -> Duration`
    Ties ties{Ties::submit};
    /// Running jobs are preempted by jobs before them in the order, unless a scenario says
    /// otherwise.
    bool preempts{};
    bool tests_at_events{};     ///< `tests_at_events() -> bool`: keys may be read at events only
    bool moves_at_every_pass{}; ///< running jobs go to the end of the order at every pass
    /// One of several orders, chosen at the start of a run: `own_traits() -> OrderTraits` are those
    /// of the chosen one; these combine the traits of all.
    bool varies{};
};

/// The traits of an order: known at compile time unless it varies.
template <class Order>
[[nodiscard]] BURSAR_HD constexpr OrderTraits traits_of(const Order& order) {
    if constexpr (Order::traits.varies)
        return order.own_traits();
    else
        return Order::traits;
}

/// The order of all policies with fixed keys, which are in the JobOrder.
struct FixedOrder {
    static constexpr OrderTraits traits{};
};

}} // namespace bursar::sim
