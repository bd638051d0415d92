#pragma once

#include <concepts>
#include <cstdint>

#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/plan/plan.hpp"

/// Queue orders as concepts: traits and members must match.
namespace bursar { inline namespace sim {

template <class O>
concept defines_key = requires(const O& order, const JobView& job) {
    { order.key(job) } -> std::same_as<std::uint64_t>;
};
template <class O>
concept defines_until_key_changes = requires(const O& order, const JobView& job) {
    { order.until_key_changes(job) } -> std::same_as<Duration>;
};
template <class O>
concept defines_tests_at_events = requires(const O& order) {
    { order.tests_at_events() } -> std::same_as<bool>;
};
template <class O>
concept defines_own_traits = requires(const O& order) {
    { order.own_traits() } -> std::same_as<OrderTraits>;
};
/// Ranks tenants and their jobs during the run.
template <class O>
concept TenantRanking = requires(const O& order,
                                 const TenantUse& use,
                                 const FleetTotals& totals,
                                 std::uint32_t weight,
                                 std::uint64_t part,
                                 std::int64_t age_ms) {
    { order.memory() } -> std::same_as<UseMemory>;
    { order.follows_time() } -> std::same_as<bool>;
    { order.reads_ages() } -> std::same_as<bool>;
    { order.share(use, weight, totals) } -> std::same_as<std::uint64_t>;
    { order.rank(part, part, age_ms) } -> std::same_as<std::uint64_t>;
};
template <class O>
concept defines_share =
    TenantRanking<O> && requires(const O& order, const Plan& plan) { order.merits(plan); };
template <class O>
concept defines_stretch =
    requires(const O& order, const JobShape& shape, std::uint64_t weight, const FleetTotals& all) {
        { order.stretch(shape, weight, weight, all) } -> std::same_as<std::uint64_t>;
        { order.fair_weight(shape, weight, all) } -> std::same_as<double>;
        { order.rough_speed(1.0, 1.0) } -> std::same_as<double>;
    };

/// The order of jobs: by a key of each job, by what tenants hold, or by a ratio of times.
template <class O>
concept QueueOrder = requires {
    { O::traits } -> std::same_as<const OrderTraits&>;
    requires defines_key<O> == (O::traits.by == OrderBy::key);
    requires defines_share<O> == (O::traits.by == OrderBy::tenants);
    requires defines_stretch<O> == (O::traits.by == OrderBy::ratio);
    requires defines_until_key_changes<O> == (O::traits.motion == KeyMotion::steps);
    requires defines_tests_at_events<O> == O::traits.tests_at_events;
    requires defines_own_traits<O> == O::traits.varies;
    requires O::traits.by == OrderBy::key || O::traits.motion == KeyMotion::fixed;
    requires O::traits.motion == KeyMotion::steps || !O::traits.tests_at_events;
    requires O::traits.tests_at_events || !O::traits.moves_at_every_pass;
};

}} // namespace bursar::sim
