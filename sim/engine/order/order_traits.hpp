#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// What an order goes by, which says what its functor decides and which queue serves it.
enum class OrderBy : std::uint8_t {
    key,     ///< a number of each job (RankedQueue, LiveQueue)
    tenants, ///< what the job's tenant holds or held (TenantQueue)
    ratio    ///< waiting time and run time over run time (RatioQueue)
};

/// How the key of a job moves while it holds GPUs. While it waits, nothing moves.
enum class KeyMotion : std::uint8_t {
    fixed, ///< never: one order for the whole run
    falls, ///< it is a time in ms and falls by one per ms held, down to 0, so that running jobs
           ///< keep their order among each other and gain on those that wait
    steps, ///< it is another one once `until_key_changes` has passed
    flows, ///< it only falls, for each job as fast as that job's does: at every pass it is read
           ///< anew for all that run
};

/// Who comes first among jobs of equal key.
enum class Ties : std::uint8_t {
    submit, ///< the job submitted first; ties in input order
    turn,   ///< running jobs keep their place before waiting ones; a preempted job waits at the
            ///< front, and one whose key changes goes behind those with the new key
};

/// What a queue order says of itself, as `static constexpr OrderTraits traits{...}`; protocol.hpp
/// holds that it has the members that go with it.
struct OrderTraits {
    OrderBy by{OrderBy::key};
    KeyMotion motion{KeyMotion::fixed}; ///< steps: `until_key_changes(JobView) -> Duration`
    Ties ties{Ties::submit};
    /// Running jobs give way to those before them in the order, unless a scenario says otherwise.
    bool preempts{};
    bool tests_at_events{};     ///< `tests_at_events() -> bool`: keys may be read at events only
    bool moves_at_every_pass{}; ///< running jobs take turns, whatever their keys
    /// One of several orders, chosen as a run starts: `own_traits() -> OrderTraits` says of which;
    /// these here have whatever one of them has.
    bool varies{};
};

/// What an order says of itself, known while compiling unless it varies.
template <class Order>
[[nodiscard]] BURSAR_HD constexpr OrderTraits traits_of(const Order& order) {
    if constexpr (Order::traits.varies)
        return order.own_traits();
    else
        return Order::traits;
}

/// The order of every policy with fixed keys, once the JobOrder holds them.
struct FixedOrder {
    static constexpr OrderTraits traits{};
};

}} // namespace bursar::sim
