#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_moves.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_world.hpp"

namespace bursar::oracle {

/// Which nodes a provider reclaims first; ties: the higher number.
enum class TakesBack : std::uint8_t { newest, oldest, least_lot };

/// How the nodes of a pool come and go.
struct FleetRule {
    bool is_fixed{true}; ///< they do not: only the paid steps and spares apply
    std::int64_t first{};
    std::int64_t least{};
    std::int64_t warm{};
    bool follows_queue{};
    bool cancels_boots{};
    TakesBack takes_back{};
    std::int64_t idle_timeout_ms{};
    std::int64_t launch_every_ms{};
    std::int64_t max_launches{}; ///< 0: any number
    std::int64_t min_paid_ms{};
    std::int64_t paid_step_ms{1};
    std::int64_t retry_ms{}; ///< wait after a failed launch, twice as long after the next
    std::int64_t max_retry_ms{};
    std::int64_t spares{}; ///< spare nodes of a fixed pool: the last ones
    std::int64_t takeover_ms{};
    /// Boot time of a node, by launch number.
    std::function<std::int64_t(std::size_t node, std::int64_t launch)> boot_ms{};
    std::function<std::uint64_t(std::size_t node, std::int64_t launch)> lot{};
};

/// The most nodes of some pools together.
struct Quota {
    std::vector<std::size_t> pools;
    std::int64_t max_nodes{};

    [[nodiscard]] bool counts(std::size_t pool) const {
        return std::ranges::find(pools, pool) != pools.end();
    }
};

/// Nodes, and what is paid for them; it makes no decisions. Without rules all nodes are always
/// there.
class NaiveFleet {
  public:
    enum class Is : std::uint8_t { off, booting, up, broken, draining, closed, spare };
    struct Node {
        Is is{Is::up};
        Cause why{}; ///< broken
        std::int64_t launched_ms{};
        std::int64_t num_launches{};
        std::optional<std::int64_t> due_ms{}; ///< booting: up then; draining: ends then
    };

    NaiveFleet(std::vector<FleetRule> of_pools,
               std::vector<Quota> of_quotas,
               Cluster& cluster,
               Moves& moves)
        : rules{std::move(of_pools)}, quotas{std::move(of_quotas)}, tries(cluster.pools.size()),
          cluster_{cluster}, moves_{moves} {
        for (std::size_t pool = 0; pool < cluster.pools.size(); ++pool) {
            const auto num = static_cast<std::size_t>(cluster.pools[pool].nodes);
            nodes.emplace_back(num);
            supply.push_back(std::ssize(nodes[pool]));
            least.push_back(is_fixed(pool) ? supply[pool] : rules[pool].least);
            if (!is_fixed(pool))
                for (std::size_t node = static_cast<std::size_t>(rules[pool].first); node < num;
                     ++node)
                    become(pool, node, Is::off);
            for (std::size_t node = num - num_spares(pool); node < num; ++node)
                become(pool, node, Is::spare);
            cluster.history.nodes[pool] = {.least = num_there(pool), .most = num_there(pool)};
        }
    }

    [[nodiscard]] bool is_fixed(std::size_t pool) const {
        return rules.empty() || rules[pool].is_fixed;
    }
    /// A closed pool keeps no nodes for jobs.
    [[nodiscard]] FleetRule rule_now(std::size_t pool) const {
        FleetRule now = rules[pool];
        if (cluster_.pool_is_shut(pool)) {
            now.warm = 0;
            now.idle_timeout_ms = 0;
            now.cancels_boots = true;
        }
        return now;
    }
    [[nodiscard]] std::int64_t least_now(std::size_t pool) const {
        return cluster_.pool_is_shut(pool) ? 0 : least[pool];
    }
    [[nodiscard]] std::int64_t num(std::size_t pool, Is is) const {
        return std::ranges::count(nodes[pool], is, &Node::is);
    }
    /// Nodes that are paid for.
    [[nodiscard]] std::int64_t num_there(std::size_t pool) const {
        return std::ssize(nodes[pool]) - num(pool, Is::off);
    }
    [[nodiscard]] std::int64_t num_that_stay(std::size_t pool) const {
        return num_there(pool) - num(pool, Is::draining);
    }
    [[nodiscard]] std::int64_t num_to_launch(std::size_t pool) const {
        if (tries[pool].not_before_ms > cluster_.now_ms || cluster_.pool_is_shut(pool))
            return 0;
        std::int64_t most = std::min(supply[pool] - num_that_stay(pool), num(pool, Is::off));
        for (const Quota& quota : quotas)
            if (quota.counts(pool))
                most = std::min(most, left_of(quota));
        return std::max<std::int64_t>(most, 0);
    }
    [[nodiscard]] std::int64_t left_of(const Quota& quota) const {
        std::int64_t left = quota.max_nodes;
        for (const std::size_t pool : quota.pools)
            left -= num_there(pool);
        return std::max<std::int64_t>(left, 0);
    }
    [[nodiscard]] std::int64_t num_above_least(std::size_t pool) const {
        return std::max<std::int64_t>(num_that_stay(pool) - least_now(pool), 0);
    }

    /// Launches the first node that is off.
    void launch(std::size_t pool) {
        std::size_t node = 0;
        while (nodes[pool][node].is != Is::off)
            ++node;
        Node& one = nodes[pool][node];
        one.launched_ms = cluster_.now_ms;
        one.due_ms = cluster_.now_ms + rules[pool].boot_ms(node, ++one.num_launches);
        ++cluster_.history.nodes[pool].launches;
        tries[pool].num_in_a_row = 0;
        become(pool, node, Is::booting);
    }
    /// Records a failed launch; after the last event of the world it is not retried.
    void launch_fails(std::size_t pool, std::int64_t num) {
        Tries& of_pool = tries[pool];
        ++of_pool.num_in_a_row;
        std::int64_t wait = rules[pool].retry_ms;
        for (std::int64_t i = 1; i < of_pool.num_in_a_row && wait < rules[pool].max_retry_ms; ++i)
            wait *= 2;
        of_pool.not_before_ms =
            world_is_over ? no_time : cluster_.now_ms + std::min(wait, rules[pool].max_retry_ms);
        cluster_.history.nodes[pool].failed_launches += num;
    }
    void boot_ended(std::size_t pool, std::size_t node) {
        nodes[pool][node].due_ms.reset();
        become(pool, node, Is::up);
    }
    void drain(std::size_t pool, std::size_t node, std::int64_t until_ms) {
        become(pool, node, Is::draining);
        nodes[pool][node].due_ms = until_ms;
    }
    void break_down(std::size_t pool, std::size_t node, Cause why) {
        const bool was_spare = nodes[pool][node].is == Is::spare;
        cluster_.history.nodes[pool].failures += is_abrupt(why) ? 1 : 0;
        nodes[pool][node].why = why;
        become(pool, node, Is::broken);
        for (std::size_t other = 0; other < nodes[pool].size() && !was_spare; ++other) {
            if (nodes[pool][other].is != Is::spare)
                continue;
            become(pool, other, Is::booting);
            nodes[pool][other].due_ms = cluster_.now_ms + rules[pool].takeover_ms;
            break;
        }
    }
    /// As many nodes work as before the first one broke; the others are spare.
    void repair(std::size_t pool, std::size_t node) {
        const std::int64_t at_work =
            num(pool, Is::up) + num(pool, Is::booting) + num(pool, Is::closed);
        const auto wanted = std::ssize(nodes[pool]) - static_cast<std::int64_t>(num_spares(pool));
        become(pool, node, at_work < wanted ? Is::up : Is::spare);
    }
    void close_node(std::size_t pool, std::size_t node) { become(pool, node, Is::closed); }
    void end(std::size_t pool, std::size_t node) {
        pay(pool, node);
        nodes[pool][node].due_ms.reset();
        become(pool, node, Is::off);
        note_quota_freed(pool);
    }
    /// Other pools of its quotas may launch nodes for the same jobs.
    void note_quota_freed(std::size_t pool) {
        for (const Quota& quota : quotas)
            for (const std::size_t other : quota.pools)
                if (quota.counts(pool) && other != pool)
                    tries[other].ended_unused = false;
    }

    [[nodiscard]] std::optional<std::int64_t> next_due_ms() const {
        std::optional<std::int64_t> next;
        for (const auto& of_pool : nodes)
            for (const Node& node : of_pool)
                if (node.due_ms && (!next || *node.due_ms < *next))
                    next = node.due_ms;
        return next;
    }

    /// Books unusable nodes; of spares, only GPUs not held by attempts that clean up.
    void charge(std::int64_t span_ms) {
        for (std::size_t pool = 0; pool < nodes.size(); ++pool) {
            const std::int64_t per_node = cluster_.pools[pool].gpus_per_node;
            const std::int64_t booting = num(pool, Is::booting) * per_node;
            const std::int64_t off = num(pool, Is::off) * per_node;
            const std::int64_t unused = cluster_.free[pool].unavailable() - off - booting;
            const std::int64_t spare = std::min(num(pool, Is::spare) * per_node, unused);
            const std::int64_t offline = unused - spare;
            cluster_.history.spare[pool] += spare * slots_in_gpu * span_ms;
            cluster_.history.booting[pool] += booting * slots_in_gpu * span_ms;
            cluster_.history.offline[pool] += offline * slots_in_gpu * span_ms;
        }
    }
    /// Ends the run.
    void close() {
        for (std::size_t pool = 0; pool < nodes.size() && !rules.empty(); ++pool)
            for (std::size_t node = 0; node < nodes[pool].size(); ++node)
                if (nodes[pool][node].is != Is::off)
                    pay(pool, node);
    }

    /// Launches of a pool.
    struct Tries {
        bool fail{};                 ///< launches fail until an event ends that
        std::int64_t num_in_a_row{}; ///< failed launches
        std::int64_t not_before_ms{};
        bool ended_unused{}; ///< nodes did: none are launched for jobs before news, or before
                             ///< another pool of a quota has ended a node
    };

    std::vector<FleetRule> rules; ///< by pool, or empty
    std::vector<Quota> quotas;
    std::vector<Tries> tries;             ///< by pool
    std::vector<std::vector<Node>> nodes; ///< by pool
    bool world_is_over{};                 ///< no events are left
    std::vector<std::int64_t> supply;     ///< by pool: nodes on offer
    std::vector<std::int64_t> least;      ///< by pool: the least number of nodes

  private:
    [[nodiscard]] std::size_t num_spares(std::size_t pool) const {
        return is_fixed(pool) && !rules.empty() ? static_cast<std::size_t>(rules[pool].spares) : 0;
    }
    void become(std::size_t pool, std::size_t node, Is is) {
        const bool was_up = nodes[pool][node].is == Is::up;
        nodes[pool][node].is = is;
        if (was_up != (is == Is::up))
            moves_.set_offline(pool, node, was_up);
        FleetUse& use = cluster_.history.nodes[pool];
        use.least = std::min(use.least, num_there(pool));
        use.most = std::max(use.most, num_there(pool));
    }
    /// Paid time from its launch until now, with the minimum, in whole steps.
    void pay(std::size_t pool, std::size_t node) {
        const std::int64_t used = cluster_.now_ms - nodes[pool][node].launched_ms;
        std::int64_t paid = 0;
        while (paid < std::max(used, rules[pool].min_paid_ms))
            paid += rules[pool].paid_step_ms;
        cluster_.history.nodes[pool].paid_ms += paid;
        cluster_.history.unlaunched[pool] +=
            (paid - used) * cluster_.pools[pool].gpus_per_node * slots_in_gpu;
    }

    Cluster& cluster_;
    Moves& moves_;
};

} // namespace bursar::oracle
