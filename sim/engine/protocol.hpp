#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/event_key.hpp"
#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/capacity/free_nodes.hpp"
#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/node_lines.hpp"
#include "sim/engine/nodes/placement_traits.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/queues/queue_order.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/run_plan.hpp"
#include "sim/team/team.hpp"

/// What the parts of a run require of each other, as concepts. A part declares its optional members
/// (`has`, `traits`), and `defines_x == has.x` checks that: a misspelt member is declared but
/// missing, or exists undeclared. README.md explains each.
///
/// Members that are templates over the engine or the queue are checked with the types AnyEngine and
/// AnyQueue, which have no members; their bodies are not instantiated.
namespace bursar { inline namespace sim {

struct AnyEngine;
struct AnyQueue;
struct AnyCapacity;
using AnyTest = bool (*)(ShapeId);
using AnyAct = void (*)(ShapeId);
using AnyPieceAct = void (*)(std::uint32_t, std::uint32_t);
using AnyLeft = std::int64_t (*)(std::uint32_t);

// A pass: which jobs start and stop.

template <class P>
concept defines_standing =
    requires(P& pass, AnyEngine& engine, AttemptId slot) { pass.standing(engine, slot); };
template <class P>
concept defines_began =
    requires(P& pass, AnyEngine& engine, const Attempt& attempt, AttemptId slot) {
        pass.began(engine, attempt, slot);
    };
template <class P>
concept defines_stopping =
    requires(P& pass, AnyEngine& engine, AttemptId slot, std::int64_t release_ms) {
        pass.stopping(engine, slot, release_ms);
    };
template <class P>
concept defines_gone =
    requires(P& pass, AnyEngine& engine, const Attempt& attempt, AttemptId slot) {
        pass.gone(engine, attempt, slot);
    };
template <class P>
concept defines_capacity_changed =
    requires(P& pass, AnyEngine& engine, PoolId pool, std::int64_t slots) {
        pass.capacity_changed(engine, pool, slots);
    };
template <class P>
concept defines_unsettle = requires(P& pass) { pass.unsettle(); };
template <class P>
concept defines_withdraw =
    requires(P& pass, AnyEngine& engine, const Candidate& job) { pass.withdraw(engine, job); };
template <class P>
concept defines_wake_ms = requires(const P& pass) {
    { pass.wake_ms() } -> std::same_as<std::int64_t>;
};
template <class P>
concept defines_has_claims = requires(const P& pass) {
    { pass.has_claims() } -> std::same_as<bool>;
};
using AnyClaimAct = void (*)(const Candidate&, PoolId);
template <class P>
concept defines_for_each_claim =
    requires(const P& pass, AnyClaimAct act) { pass.for_each_claim(act); };
template <class P>
concept defines_moves_with_time = requires(const P& pass, AnyEngine& engine) {
    { pass.moves_with_time(engine) } -> std::same_as<bool>;
};
template <class P>
concept defines_are_shared = requires(const P& pass, const Attempt& attempt) {
    { pass.are_shared(attempt) } -> std::same_as<bool>;
};
template <class P>
concept defines_is_refused = requires(const P& pass, JobId job) {
    { pass.is_refused(job) } -> std::same_as<bool>;
};
template <class P>
concept defines_show_all_waiting =
    requires(P& pass, AnyEngine& engine) { pass.show_all_waiting(engine); };

/// Decides at the end of an instant; see sim/engine/passes.
template <class P>
concept Pass =
    requires(P& pass, AnyEngine& engine, std::int64_t time_ms) {
        pass.clear();
        pass.schedule(engine);
        pass.charge_idle(engine, time_ms, time_ms);
        { P::has } -> std::same_as<const PassMembers&>;
        requires defines_standing<P> == P::has.standing;
        requires defines_began<P> == P::has.began;
        requires defines_stopping<P> == P::has.stopping;
        requires defines_gone<P> == P::has.gone;
        requires defines_capacity_changed<P> == P::has.capacity_changed;
        requires defines_unsettle<P> == P::has.unsettle;
        requires defines_withdraw<P> == P::has.withdraw;
        requires defines_wake_ms<P> == P::has.wake_ms;
        requires defines_has_claims<P> == P::has.has_claims;
        requires defines_for_each_claim<P> == P::has.for_each_claim;
        requires defines_moves_with_time<P> == P::has.moves_with_time;
        requires defines_is_refused<P> == P::has.is_refused;
        requires defines_are_shared<P> == P::has.are_shared;
        requires defines_show_all_waiting<P> == P::has.show_all_waiting;
    } && std::default_initializable<P> &&
    std::constructible_from<P, ArenaCarver&, const RunPlan&, std::uint32_t, const RunOptions&>;

// A queue: waiting jobs, in order.

template <class Q>
concept defines_start = requires(Q& queue, const Candidate& next) { queue.start(next); };
template <class Q>
concept defines_head = requires(const Q& queue, const OneLane& team) {
    { queue.head(team) } -> std::same_as<Candidate>;
};
template <class Q>
concept defines_first_where =
    requires(const Q& queue, const OneLane& team, AnyTest test) { queue.first_where(team, test); };
template <class Q>
concept defines_for_each_shape =
    requires(const Q& queue, const OneLane& team, AnyAct act) { queue.for_each_shape(team, act); };
template <class Q>
concept defines_num_pending = requires(const Q& queue, ShapeId shape) {
    { queue.num_pending(shape) } -> std::same_as<std::uint32_t>;
};
template <class Q>
concept defines_released = requires(Q& queue, TenantId tenant, ShapeId shape, std::int64_t now_ms) {
    queue.released(tenant, shape);
    queue.advance(now_ms);
};
template <class Q>
concept defines_next_change_ms = requires(Q& queue, const OneLane& team, std::int64_t until_ms) {
    { queue.next_change_ms(team, until_ms) } -> std::same_as<std::int64_t>;
};
template <class Q>
concept defines_come_back =
    requires(Q& queue, const WaitingJob& job, const Progress& progress, const Candidate& leaving) {
        queue.come_back(job, progress);
        queue.take_out(leaving);
    };
using AnyPick = JobId (*)(ShapeId, JobId);
template <class Q>
concept defines_give_back = requires(Q& queue,
                                     const Q& asked,
                                     const Candidate& job,
                                     const Progress& progress,
                                     const OneLane& team,
                                     AnyPick pick,
                                     int change) {
    queue.give_back(job, progress);
    { asked.full() } -> std::same_as<bool>;
    { asked.first_picked(team, pick).job } -> std::convertible_to<JobId>;
    { asked.level_of(job.job) } -> std::same_as<std::uint64_t>;
    queue.count_apart(change);
};
template <class Q>
concept defines_put_back =
    requires(Q& queue, const typename Q::Pick& pick, const WaitingJob& job, int change) {
        { queue.take(pick) } -> std::same_as<WaitingJob>;
        { queue.full() } -> std::same_as<bool>;
        queue.put_back(job);
        queue.count_apart(change);
    };

/// Holds the waiting jobs in order; see sim/engine/queues.
template <class Q>
concept Queue = requires(Q& queue, JobId job) {
    queue.clear();
    queue.arrive(job);
    { queue.num_jobs() } -> std::same_as<std::uint32_t>;
    { Q::has } -> std::same_as<const QueueMembers&>;
    requires defines_start<Q> == Q::has.start;
    requires defines_head<Q> == Q::has.head;
    requires defines_first_where<Q> == Q::has.first_where;
    requires defines_for_each_shape<Q> == Q::has.for_each_shape;
    requires defines_num_pending<Q> == Q::has.num_pending;
    requires defines_released<Q> == Q::has.released;
    requires defines_next_change_ms<Q> == Q::has.next_change_ms;
    requires defines_come_back<Q> == Q::has.come_back;
    requires defines_give_back<Q> == Q::has.give_back;
    requires defines_put_back<Q> == Q::has.put_back;
} && std::default_initializable<Q>;

// A capacity: what is free.

template <class C>
concept defines_prepare = requires(C& capacity, const JobShape& shape) { capacity.prepare(shape); };
template <class C>
concept defines_close = requires(C& capacity,
                                 PoolId pool,
                                 std::uint32_t at,
                                 const Grant& grant,
                                 const JobShape& shape,
                                 AnyPieceAct act,
                                 AnyLeft left_of) {
    capacity.close(pool, at);
    capacity.open(pool, at);
    { capacity.lines(pool) } -> std::same_as<NodeLines>;
    { capacity.left_on(pool, at, at) } -> std::same_as<std::int64_t>;
    capacity.limit(pool, at, left_of);
    capacity.expect(PlannedPiece{});
    { capacity.fits_when_empty_on(pool, shape) } -> std::same_as<bool>;
    { capacity.num_for_rest(pool, shape) } -> std::same_as<std::uint32_t>;
    { capacity.free_on(pool, at) } -> std::same_as<std::uint32_t>;
    { capacity.free_slots_on(pool, at) } -> std::same_as<std::int64_t>;
    capacity.for_each_piece(grant, act);
};

/// Tracks free capacity and gives it to gangs; see sim/engine/capacity.
template <class C>
concept Capacity =
    requires(C& capacity,
             const JobShape& shape,
             PoolId pool,
             JobId job,
             std::uint32_t at,
             const Grant& grant) {
        capacity.clear();
        { capacity.free_slots(pool) } -> std::same_as<std::int64_t>;
        { capacity.is_full() } -> std::same_as<bool>;
        { capacity.fits(shape) } -> std::same_as<bool>;
        { capacity.fits_on(pool, shape) } -> std::same_as<bool>;
        { capacity.take(shape, job) } -> std::same_as<Grant>;
        { capacity.take_on(pool, shape, job) } -> std::same_as<Grant>;
        capacity.release(grant, shape);
        capacity.lend(grant, shape);
        capacity.reclaim(grant, shape);
        capacity.set_offline(pool, at);
        capacity.set_online(pool, at);
        { capacity.is_offline(pool, at) } -> std::same_as<bool>;
        { capacity.offline_slots(pool) } -> std::same_as<std::int64_t>;
        { capacity.num_empty(pool) } -> std::same_as<std::uint32_t>;
        { capacity.last_empty(pool) } -> std::same_as<std::uint32_t>;
        { capacity.fits_when_empty(shape) } -> std::same_as<bool>;
        { C::counts_only } -> std::same_as<const bool&>;
        { C::has } -> std::same_as<const CapacityMembers&>;
        requires defines_prepare<C> == C::has.prepare;
        requires defines_close<C> == C::has.close;
        requires C::has.close != C::counts_only;
    } &&
    std::default_initializable<C> &&
    std::constructible_from<C, ArenaCarver&, const RunPlan&, std::uint32_t, const RunOptions&>;

/// Records a run; see sim/record. It has no optional members.
template <class R>
concept Recorder = requires(R& recorder,
                            JobId job,
                            PoolId pool,
                            std::uint32_t level,
                            std::int64_t time_ms,
                            const Grant& grant,
                            const RunState& state,
                            const AnyQueue& queue,
                            const AnyCapacity& capacity) {
    recorder.started(job, pool, level, time_ms);
    recorder.formed(job, PlanForm{});
    recorder.staged(job, time_ms, time_ms, true);
    recorder.placed(job, grant, capacity);
    recorder.stopped(job, StopCause::preempted, time_ms, time_ms, time_ms, time_ms);
    recorder.finished(job, time_ms);
    recorder.dropped(job, time_ms);
    recorder.waits_for_others(job, time_ms);
    recorder.eligible(job, time_ms);
    recorder.reserved(job, time_ms);
    recorder.paid(pool, time_ms, time_ms);
    recorder.settled(state, queue, capacity);
    { recorder.bucket_ledger() } -> std::same_as<BucketLedger*>;
};

// What policies decide.

template <class P>
concept defines_first_node = requires(const P& placement, JobId job) {
    { placement.first_node(job, job) } -> std::same_as<std::uint32_t>;
};
template <class P>
concept defines_rest_node =
    requires(const P& placement, const FreeNodes& nodes, std::uint32_t rest) {
        { placement.rest_node(nodes, rest) } -> std::same_as<std::uint32_t>;
    };
template <class P>
concept defines_seed = requires(P& placement, std::uint64_t seed) { placement.seed = seed; };

/// Chooses the nodes of a gang.
template <class P>
concept Placement =
    requires(const P& placement, const FleetView& fleet, const PlacedPiece& placed) {
        { placement.score(fleet, placed) } -> std::same_as<std::int64_t>;
        { P::traits } -> std::same_as<const PlacementTraits&>;
        requires defines_first_node<P> == (P::traits.order == NodeOrder::from_a_node);
        requires defines_rest_node<P> == P::traits.rest_node;
        requires defines_seed<P> == P::traits.seed;
    } && std::is_trivially_copyable_v<P> && sizeof(P) <= PlacementSetting::max_bytes;

/// The parts of one run match.
template <class PassType, class QueueType, class CapacityType, class RecorderType>
struct RunParts {
    static_assert(Pass<PassType>, "not a Pass: see \"A pass\" in sim/engine/README.md");
    static_assert(Queue<QueueType>, "not a Queue: see \"A queue\" in sim/engine/README.md");
    static_assert(Capacity<CapacityType>,
                  "not a Capacity: see \"A capacity\" in sim/engine/README.md");
    static_assert(Recorder<RecorderType>,
                  "not a Recorder: see \"A recorder\" in sim/engine/README.md");
    static_assert(PassType::has.stops ? QueueType::has.put_back || QueueType::has.give_back
                                      : QueueType::has.start,
                  "a pass that stops attempts needs a queue that takes jobs back, another one a "
                  "queue whose jobs start");
    static_assert(QueueType::has.come_back || !PassType::has.stops,
                  "stopped jobs need a queue that they come back to");
    static constexpr bool go_together = true;
};

}} // namespace bursar::sim
