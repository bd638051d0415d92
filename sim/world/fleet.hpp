#pragma once

#include <cassert>
#include <cstdint>

#include "models/market/billing.hpp"

#include "sim/arena/arena.hpp"
#include "sim/arena/quad_heap.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/stop_cause.hpp"
#include "sim/world/launch_limits.hpp"
#include "sim/world/node_life.hpp"

namespace bursar { inline namespace sim {

/// The state of every pool's nodes in a dynamic world, and what is paid for them. It makes no
/// decisions and knows no jobs; the capacity knows which nodes hold gangs.
///
/// A node is paid for from its launch to its end. Memory: 56 bytes per node.
class Fleet {
  public:
    Fleet() = default;
    BURSAR_HD Fleet(ArenaCarver& carver, const PlanView& plan)
        : plan_{plan}, pools_{carver.take<PoolLife>(plan.moves ? plan.num_pools : 0)} {
        std::uint32_t num_nodes = 0;
        for (PoolId pool{0}; plan.moves && pool < plan.num_pools; ++pool) {
            if (pools_ != nullptr)
                pools_[pool].first_node = num_nodes;
            num_nodes += plan.pools[pool].num_nodes;
        }
        nodes_ = carver.take<NodeLife>(num_nodes);
        due_ = DueNodes{carver, num_nodes};
    }

    BURSAR_HD void clear() {
        due_.clear();
        followed_again_ms_ = -1;
        rests_ = false;
        pools_due_ms_ = plan_.provisioning == nullptr ? horizon_ms : 0; // rules apply from the zero
        for (PoolId pool{0}; plan_.moves && pool < plan_.num_pools; ++pool)
            clear(pool);
    }

    [[nodiscard]] BURSAR_HD const PoolLife& operator[](PoolId pool) const { return pools_[pool]; }
    /// The pool's state, for changes by the world.
    [[nodiscard]] BURSAR_HD PoolLife& at(PoolId pool) {
        rests_ = false;
        return pools_[pool];
    }
    [[nodiscard]] BURSAR_HD const NodeLife& node(PoolId pool, std::uint32_t node) const {
        return nodes_[pools_[pool].first_node + node];
    }
    [[nodiscard]] BURSAR_HD PlanProvisioning rule(PoolId pool) const {
        return plan_.provisioning == nullptr ? PlanProvisioning{} : plan_.provisioning[pool];
    }
    /// Nodes that can be launched now: off, on offer, under every quota, and not delayed by a
    /// failed launch.
    [[nodiscard]] BURSAR_HD std::uint32_t num_launchable(PoolId pool, std::int64_t now_ms) const {
        const PoolLife& life = pools_[pool];
        if (!life.closed_by.is_empty() || life.retry_ms > now_ms)
            return 0;
        const std::uint32_t kept = num_kept(pool);
        const std::uint32_t supplied = life.supply > kept ? life.supply - kept : 0;
        const std::uint32_t off = life.num(NodePhase::off);
        const std::uint32_t num = supplied < off ? supplied : off;
        const std::int64_t allowed = room_under_quotas(plan_, pools_, pool);
        return num < allowed ? num : static_cast<std::uint32_t>(allowed);
    }
    /// Nodes beyond the provider's offer.
    [[nodiscard]] BURSAR_HD std::uint32_t num_excess(PoolId pool) const {
        const std::uint32_t kept = num_kept(pool);
        return kept > pools_[pool].supply ? kept - pools_[pool].supply : 0;
    }
    /// Nodes that may end without the pool falling below its least number.
    [[nodiscard]] BURSAR_HD std::int64_t num_above_min(PoolId pool) const {
        const std::uint32_t kept = num_kept(pool);
        const std::uint32_t least = pools_[pool].min_nodes_now();
        return kept > least ? kept - least : 0;
    }
    [[nodiscard]] BURSAR_HD bool
    is_broken(PoolId pool, std::uint32_t of_node, StopCause cause) const {
        const NodeLife& life = node(pool, of_node);
        return (life.phase == NodePhase::down || life.phase == NodePhase::maintenance) &&
               life.cause == cause;
    }
    /// The highest-numbered node in a phase. Precondition: there is one.
    [[nodiscard]] BURSAR_HD std::uint32_t last_in(PoolId pool, NodePhase phase) const {
        std::uint32_t last = plan_.pools[pool].num_nodes - 1;
        while (node(pool, last).phase != phase)
            --last;
        return last;
    }
    /// The node that the provider reclaims first, by the pool's rule. Precondition: one is neither
    /// off nor draining.
    [[nodiscard]] BURSAR_HD std::uint32_t next_reclaimed(PoolId pool) const {
        return first_reclaimed(
            {nodes_ + pools_[pool].first_node, plan_.pools[pool].num_nodes}, pool, rule(pool));
    }

    /// The next instant at which a node's phase ends; horizon_ms: never.
    [[nodiscard]] BURSAR_HD std::int64_t next_node_ms() const {
        return due_.empty() ? horizon_ms : due_.top().time_ms;
    }
    /// When a pool's rule launches or ends nodes next, if nothing changes; horizon_ms: never.
    [[nodiscard]] BURSAR_HD std::int64_t next_rule_ms() const { return pools_due_ms_; }
    struct Place {
        PoolId pool{};
        std::uint32_t node{};
    };
    /// The node that is due first. Precondition: there is one.
    [[nodiscard]] BURSAR_HD Place next() const {
        PoolId pool{0};
        const std::uint32_t node = due_.top().node;
        while (pool + 1 < plan_.num_pools && pools_[PoolId{pool + 1}].first_node <= node)
            ++pool;
        return {pool, node - pools_[pool].first_node};
    }

    /// Launches the nodes that jobs need and the pool's least number, if it may launch now.
    /// num_demand_changes: grows whenever demand may have changed; nodes that ended unused are not
    /// launched again before, or before another pool leaves room under a quota. is_over: failed
    /// launches are not retried.
    BURSAR_HD void launch_some(PoolId pool,
                               std::int64_t num_needed,
                               std::int64_t now_ms,
                               std::uint64_t num_demand_changes,
                               bool is_over) {
        PoolLife& life = pools_[pool];
        const PlanProvisioning rule = this->rule(pool);
        std::int64_t num = life.unused_at_change == num_demand_changes ? 0 : num_needed;
        const std::int64_t lacking = std::int64_t{life.min_nodes_now()} - num_kept(pool);
        num = num < lacking ? lacking : num;
        const std::int64_t launchable = num_launchable(pool, now_ms);
        num = num < launchable ? num : launchable;
        life.launch_due_ms = life.retry_ms > now_ms ? life.retry_ms : horizon_ms;
        if (num <= 0)
            return;
        const std::int64_t every = rule.launch_every_ms;
        if (every > 0 && (now_ms % every != 0 || life.launched_ms == now_ms)) {
            life.launch_due_ms = (now_ms / every + 1) * every;
            return;
        }
        if (rule.max_launches > 0 && num > rule.max_launches) {
            num = rule.max_launches;
            life.launch_due_ms = now_ms + every;
        }
        if (life.launches_fail) {
            note_failed_launches(life, rule, num, now_ms, is_over);
            return;
        }
        life.waited_ms = 0;
        life.launched_ms = now_ms;
        for (; num > 0; --num)
            launch(pool, now_ms);
    }

    /// Sets the number of idle nodes.
    BURSAR_HD void set_num_idle(PoolId pool, std::int64_t num, std::int64_t now_ms) {
        PoolLife& life = pools_[pool];
        if (life.num_idle > num)
            life.num_idle = static_cast<std::uint32_t>(num);
        for (; life.num_idle < num; ++life.num_idle)
            idle_since(pool, life.num_idle) = now_ms;
    }
    /// When the first of them will have been idle for the pool's idle timeout; horizon_ms: never.
    [[nodiscard]] BURSAR_HD std::int64_t idle_ms(PoolId pool) {
        return pools_[pool].num_idle == 0
                   ? horizon_ms
                   : idle_since(pool, 0) + followed_now(rule(pool), pools_[pool]).idle_timeout_ms;
    }
    BURSAR_HD void forget_first_idle(PoolId pool, std::uint64_t num_demand_changes) {
        PoolLife& life = pools_[pool];
        life.unused_at_change = num_demand_changes;
        life.idle_begin = (life.idle_begin + 1) % plan_.pools[pool].num_nodes;
        --life.num_idle;
    }
    /// Whether launches and ends of a pool depend on waiting jobs; otherwise it keeps its least
    /// number.
    [[nodiscard]] BURSAR_HD bool follows_demand(PoolId pool) const {
        const PlanProvisioning& rule = plan_.provisioning[pool];
        const bool asks = rule.follows_queue || rule.cancels_boots || rule.warm_nodes > 0;
        return !rule.is_fixed && (asks || num_above_min(pool) > 0);
    }
    /// Whether no pool's rule applies before a node or the world changes.
    [[nodiscard]] BURSAR_HD bool rests() const { return rests_ || plan_.provisioning == nullptr; }
    /// Every pool's rule has been applied.
    BURSAR_HD void note_timers() {
        pools_due_ms_ = horizon_ms;
        rests_ = true;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            const std::int64_t idle = idle_ms(pool);
            const std::int64_t due = pools_[pool].launch_due_ms;
            const std::int64_t first = idle < due ? idle : due;
            pools_due_ms_ = first < pools_due_ms_ ? first : pools_due_ms_;
            rests_ = rests_ && idle == horizon_ms && due == horizon_ms && !follows_demand(pool);
        }
    }

    /// A node of a pool has ended: other pools of its quotas may launch nodes again for the same
    /// jobs.
    BURSAR_HD void note_quota_freed(PoolId of_pool) {
        for (std::uint32_t i = 0; i < plan_.num_quotas; ++i)
            for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
                if ((plan_.quotas[i].pools >> of_pool & plan_.quotas[i].pools >> pool & 1U) != 0 &&
                    pool != of_pool)
                    pools_[pool].unused_at_change = PoolLife{}.unused_at_change;
    }
    /// Applies every pool's rule again at this instant, once: nodes have ended, so quotas may allow
    /// other launches.
    BURSAR_HD void follow_rules_again(std::int64_t now_ms) {
        if (plan_.num_quotas == 0 || followed_again_ms_ == now_ms)
            return;
        followed_again_ms_ = now_ms;
        pools_due_ms_ = now_ms;
        rests_ = false;
    }

    /// Boots the lowest-numbered node that is off. Precondition: there is one.
    BURSAR_HD void launch(PoolId pool, std::int64_t now_ms) {
        std::uint32_t node = 0;
        while (this->node(pool, node).phase != NodePhase::off)
            ++node;
        NodeLife& life = nodes_[pools_[pool].first_node + node];
        life.paid_from_ms = now_ms;
        ++life.num_launches;
        ++pools_[pool].num_launches;
        set_phase(pool, node, NodePhase::booting);
        set_due(pool, node, now_ms + boot_ms(pool, node));
    }
    /// Puts a node into service; it is no longer due.
    BURSAR_HD void boot_ended(PoolId pool, std::uint32_t node) {
        forget_due(pool, node);
        set_phase(pool, node, NodePhase::up);
    }
    /// Drains a node: it takes no more work and ends at `end_ms`.
    BURSAR_HD void drain(PoolId pool, std::uint32_t node, std::int64_t end_ms) {
        set_phase(pool, node, NodePhase::draining);
        set_due(pool, node, end_ms);
    }
    BURSAR_HD void postpone(PoolId pool, std::uint32_t node, std::int64_t due_ms) {
        forget_due(pool, node);
        set_due(pool, node, due_ms);
    }
    /// Takes a node out of service, while it is still paid for.
    BURSAR_HD void break_down(PoolId pool, std::uint32_t node, StopCause cause) {
        nodes_[pools_[pool].first_node + node].cause = cause;
        set_phase(
            pool, node, cause == StopCause::maintenance ? NodePhase::maintenance : NodePhase::down);
        pools_[pool].num_failures += is_abrupt(cause) ? 1 : 0;
    }
    /// Puts a node back into service. Returns whether it takes work; otherwise it is now a spare.
    BURSAR_HD bool repair(PoolId pool, std::uint32_t node) {
        nodes_[pools_[pool].first_node + node].cause = StopCause::none;
        const bool is_needed =
            pools_[pool].num_in_place() + rule(pool).spare_nodes < plan_.pools[pool].num_nodes;
        set_phase(pool, node, is_needed ? NodePhase::up : NodePhase::spare);
        return is_needed;
    }
    /// Closes a node: it takes no more work.
    BURSAR_HD void close_node(PoolId pool, std::uint32_t node) {
        set_phase(pool, node, NodePhase::closed);
    }
    /// The first spare, if any, replaces a node that went down.
    BURSAR_HD void call_spare(PoolId pool, std::int64_t now_ms) {
        if (pools_[pool].num(NodePhase::spare) == 0)
            return;
        std::uint32_t node = 0;
        while (this->node(pool, node).phase != NodePhase::spare)
            ++node;
        set_phase(pool, node, NodePhase::booting);
        set_due(pool, node, now_ms + rule(pool).takeover_ms);
    }

    /// Ends a node. Returns until when it is paid for, given its minimum.
    BURSAR_HD std::int64_t
    end(Ledger& ledger, PoolId pool, std::uint32_t node, std::int64_t now_ms) {
        forget_due(pool, node);
        const std::int64_t paid_to = bill(pool, node, now_ms);
        charge_unlaunched(ledger, pool, now_ms, paid_to);
        set_phase(pool, node, NodePhase::off);
        note_quota_freed(pool);
        return paid_to;
    }

    /// Bills the nodes that are there at the end of the run.
    template <class Recorder>
    BURSAR_HD void close(Ledger& ledger, Recorder& recorder, std::int64_t end_ms) {
        const bool counts = !plan_.has_window_end && plan_.window_begin_ms <= end_ms;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            for (std::uint32_t node = 0; node < plan_.pools[pool].num_nodes; ++node) {
                if (this->node(pool, node).phase == NodePhase::off)
                    continue;
                const std::int64_t paid_to = bill(pool, node, end_ms);
                recorder.paid(pool, this->node(pool, node).paid_from_ms, paid_to);
                if (counts)
                    charge_unlaunched(ledger, pool, end_ms, paid_to);
            }
        }
    }

  private:
    using DueNodes = QuadHeap<NodeDue, PlaceOfSlot>;

    /// Nodes that are there and not about to end.
    [[nodiscard]] BURSAR_HD std::uint32_t num_kept(PoolId pool) const {
        return pools_[pool].num_launched() - pools_[pool].num(NodePhase::draining);
    }
    [[nodiscard]] BURSAR_HD std::int64_t& idle_since(PoolId pool, std::uint32_t i) {
        const PoolLife& life = pools_[pool];
        const std::uint32_t at = (life.idle_begin + i) % plan_.pools[pool].num_nodes;
        return nodes_[life.first_node + at].idle_since_ms;
    }

    BURSAR_HD void clear(PoolId pool) {
        const PlanProvisioning rule = this->rule(pool);
        const std::uint32_t num_nodes = plan_.pools[pool].num_nodes;
        PoolLife& life = pools_[pool];
        life = PoolLife{.first_node = life.first_node};
        life.supply = num_nodes;
        life.min_nodes = rule.is_fixed ? num_nodes : rule.min_nodes;
        life.launch_due_ms = horizon_ms;
        const std::uint32_t num_up =
            rule.is_fixed ? num_nodes - rule.spare_nodes : rule.first_nodes;
        const NodePhase others = rule.is_fixed ? NodePhase::spare : NodePhase::off;
        for (std::uint32_t node = 0; node < num_nodes; ++node) {
            nodes_[life.first_node + node] = NodeLife{};
            nodes_[life.first_node + node].phase = node < num_up ? NodePhase::up : others;
        }
        life.num_in[static_cast<int>(NodePhase::up)] = num_up;
        life.num_in[static_cast<int>(others)] = num_nodes - num_up;
        life.note_launched();
    }

    BURSAR_HD void set_phase(PoolId pool, std::uint32_t node, NodePhase phase) {
        rests_ = false;
        PoolLife& life = pools_[pool];
        NodeLife& of_node = nodes_[life.first_node + node];
        --life.num_in[static_cast<int>(of_node.phase)];
        of_node.phase = phase;
        ++life.num_in[static_cast<int>(phase)];
        life.note_launched();
    }

    BURSAR_HD void set_due(PoolId pool, std::uint32_t node, std::int64_t time_ms) {
        NodeLife& life = nodes_[pools_[pool].first_node + node];
        assert(!life.is_due);
        life.is_due = true;
        due_.push({time_ms < horizon_ms ? time_ms : horizon_ms - 1,
                   pools_[pool].first_node + node,
                   life.phase == NodePhase::draining});
    }
    BURSAR_HD void forget_due(PoolId pool, std::uint32_t node) {
        NodeLife& life = nodes_[pools_[pool].first_node + node];
        if (life.is_due)
            due_.erase(pools_[pool].first_node + node);
        life.is_due = false;
    }

    [[nodiscard]] BURSAR_HD std::int64_t boot_ms(PoolId pool, std::uint32_t node) const {
        const PlanProvisioning rule = this->rule(pool);
        const std::uint32_t draw = node + this->node(pool, node).num_launches * 0x9e3779b1U;
        const std::uint32_t mask = (std::uint32_t{1} << rule.boot_bits) - 1;
        return plan_.boot_ms[rule.boot_begin + (draw & mask)];
    }

    /// Bills a node that ends. Returns until when it is paid for.
    BURSAR_HD std::int64_t bill(PoolId pool, std::uint32_t node, std::int64_t end_ms) {
        const NodeLife& life = this->node(pool, node);
        const std::int64_t least_ms = rule(pool).min_paid_ms;
        const std::int64_t used_ms = end_ms - life.paid_from_ms;
        const std::int64_t paid_ms = billed(Duration{used_ms < least_ms ? least_ms : used_ms},
                                            plan_.pools[pool].billing_step)
                                         .count();
        pools_[pool].paid_ms += paid_ms;
        return life.paid_from_ms + paid_ms;
    }
    BURSAR_HD void charge_unlaunched(Ledger& ledger,
                                     PoolId pool,
                                     std::int64_t end_ms,
                                     std::int64_t paid_to) const {
        ledger.charge(pool,
                      ledger.no_tenant(),
                      Leaf::unavail_reserved_unlaunched,
                      plan_.pools[pool].gpus_per_node,
                      end_ms,
                      paid_to);
    }

    PlanView plan_;
    PoolLife* pools_{};
    NodeLife* nodes_{};
    DueNodes due_;                          ///< nodes whose phase has a known end
    std::int64_t pools_due_ms_{horizon_ms}; ///< when a pool's rule next launches or ends nodes
    std::int64_t followed_again_ms_{-1};
    bool rests_{}; ///< neither a node nor a pool's state in the world has changed since
};

}} // namespace bursar::sim
