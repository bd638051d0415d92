#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// The locality groups of one pool, by level: their nodes, which are contiguous in `node_at`, and
/// how many of these have all GPUs free. Level 0 is the nodes themselves and is not stored. A plan
/// with one level has no groups.
class NodeGroups {
  public:
    NodeGroups() = default;
    BURSAR_HD NodeGroups(ArenaCarver& carver, const PlanView& plan, PoolId pool)
        : pool_{pool}, num_nodes_{plan.pools[pool].num_nodes}, num_levels_{plan.num_levels} {
        if (num_levels_ == 1)
            return;
        nodes_ = carver.take<std::uint32_t>(num_nodes_);
        scratch_ = carver.take<std::uint32_t>(num_nodes_);
        levels_ = carver.take<Level>(num_levels_);
        for (std::uint32_t level = 1; level < num_levels_; ++level) {
            Level content;
            content.num_groups = count_groups(plan, level);
            content.groups = carver.take<Group>(content.num_groups);
            if (levels_ != nullptr)
                levels_[level] = content;
        }
    }

    /// Precondition: all GPUs of the pool are free.
    BURSAR_HD void clear(const PlanView& plan) {
        if (num_levels_ == 1)
            return;
        for (std::uint32_t node = 0; node < num_nodes_; ++node)
            nodes_[node] = node;
        // A group consists of whole groups of the level below, so the stable sort by the wider
        // level keeps those together.
        for (std::uint32_t level = 1; level < num_levels_; ++level)
            deal(plan, level);
        for (std::uint32_t level = 1; level < num_levels_; ++level)
            find_groups(plan, level);
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num_groups(std::uint32_t level) const {
        return levels_[level].num_groups;
    }
    /// The nodes of a group are node_at(i) for i from begin to end.
    [[nodiscard]] BURSAR_HD std::uint32_t begin(std::uint32_t level, std::uint32_t group) const {
        return levels_[level].groups[group].begin;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t end(std::uint32_t level, std::uint32_t group) const {
        return begin(level, group) + levels_[level].groups[group].size;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t node_at(std::uint32_t i) const { return nodes_[i]; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_all_free(std::uint32_t level,
                                                       std::uint32_t group) const {
        return levels_[level].groups[group].num_all_free;
    }

    /// A node now has all its GPUs free (by: 1), or no longer (by: -1).
    BURSAR_HD void count_all_free(const PlanView& plan, std::uint32_t node, std::int32_t by) {
        for (std::uint32_t level = 1; level < num_levels_; ++level) {
            Group& group = levels_[level].groups[plan.group_of(pool_, level, node)];
            group.num_all_free += static_cast<std::uint32_t>(by);
        }
    }

    /// The narrowest level, from `level` on, at which two nodes are in one group.
    [[nodiscard]] BURSAR_HD std::uint32_t common_level(const PlanView& plan,
                                                       std::uint32_t level,
                                                       std::uint32_t a,
                                                       std::uint32_t b) const {
        while (level + 1 < num_levels_ &&
               plan.group_of(pool_, level, a) != plan.group_of(pool_, level, b))
            ++level;
        return level;
    }

  private:
    struct Group {
        std::uint32_t begin{};
        std::uint32_t size{};
        std::uint32_t num_all_free{};
    };
    struct Level {
        std::uint32_t num_groups{};
        Group* groups{};
    };

    [[nodiscard]] BURSAR_HD std::uint32_t count_groups(const PlanView& plan,
                                                       std::uint32_t level) const {
        std::uint32_t most = 0;
        for (std::uint32_t node = 0; node < num_nodes_; ++node) {
            const std::uint32_t group = plan.group_of(pool_, level, node);
            most = group > most ? group : most;
        }
        return most + 1;
    }

    /// Sorts the nodes by their group at a level; those of one group keep their order.
    BURSAR_HD void deal(const PlanView& plan, std::uint32_t level) {
        Level& of = levels_[level];
        for (std::uint32_t group = 0; group < of.num_groups; ++group)
            of.groups[group] = Group{};
        for (std::uint32_t i = 0; i < num_nodes_; ++i)
            ++of.groups[plan.group_of(pool_, level, nodes_[i])].size;
        std::uint32_t next = 0;
        for (std::uint32_t group = 0; group < of.num_groups; ++group) {
            of.groups[group].begin = next;
            next += of.groups[group].size;
        }
        for (std::uint32_t i = 0; i < num_nodes_; ++i)
            scratch_[of.groups[plan.group_of(pool_, level, nodes_[i])].begin++] = nodes_[i];
        for (std::uint32_t i = 0; i < num_nodes_; ++i)
            nodes_[i] = scratch_[i];
    }

    BURSAR_HD void find_groups(const PlanView& plan, std::uint32_t level) {
        for (std::uint32_t i = 0; i < num_nodes_;) {
            const std::uint32_t number = plan.group_of(pool_, level, nodes_[i]);
            Group& group = levels_[level].groups[number];
            group.begin = i;
            group.num_all_free = group.size;
            i += group.size;
            assert(plan.group_of(pool_, level, nodes_[i - 1]) == number); // levels are nested
        }
    }

    PoolId pool_{};
    std::uint32_t num_nodes_{};
    std::uint32_t num_levels_{1};
    std::uint32_t* nodes_{};
    std::uint32_t* scratch_{};
    Level* levels_{};
};

}} // namespace bursar::sim
