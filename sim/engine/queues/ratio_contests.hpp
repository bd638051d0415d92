#pragma once

#include <cstdint>

#include "models/units/int128.hpp"

#include "sim/arena/arena.hpp"
#include "sim/arena/bit_tree.hpp"
#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/job_progress.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/queues/ratio_entry.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/job_group.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// The pending job with the largest claim of each group, as time passes: a kinetic tournament.
///
/// A group's jobs are leaves in blocks of 16 positions, under a tree whose nodes have four
/// children. Every block and inner node stores its leader, the leader's claim, and until when that
/// is certain. A contest is repeated when a job below it comes or goes, or when its certainty ends;
/// contests above it only as far as leaders change. Memory: 2.7 bytes per job of the plan.
/// Source: Basch, Guibas and Hershberger 1999, "Data structures for mobile data".
class RatioContests {
  public:
    /// The leader among some jobs.
    struct Leader {
        std::int64_t until_ms{horizon_ms}; ///< it certainly leads before this
        Claim claim{};
        JobId job{Candidate::no_job()};

        [[nodiscard]] BURSAR_HD bool is_none() const { return job == Candidate::no_job(); }
    };

    RatioContests() = default;
    BURSAR_HD RatioContests(ArenaCarver& carver,
                            const RunPlan& plan,
                            const CarriedJobs& carried,
                            const JobGroup* groups,
                            std::uint32_t num_groups,
                            const JobId* job_at)
        : plan_{plan}, carried_{carried}, groups_{groups}, num_groups_{num_groups}, job_at_{job_at},
          pending_{carver, plan.num_jobs}, trees_{carver.take<Tree>(num_groups)} {
        for (std::uint32_t group = 0; group < num_groups; ++group) {
            Tree tree;
            tree.begin = num_nodes_;
            for (std::uint32_t size = blocks_of(group); size > 1; size = parents_of(size))
                num_nodes_ += width * parents_of(size);
            tree.root = num_nodes_;
            num_nodes_ += width; // so that siblings share their cache lines
            if (trees_ != nullptr)
                trees_[group] = tree;
        }
        siblings_ = carver.take<Siblings>(num_nodes_ / width);
    }

    BURSAR_HD void clear() {
        pending_.clear();
        for (std::uint32_t node = 0; node < num_nodes_; ++node)
            write(node, {});
    }

    /// The leader of a group, until its certainty ends.
    [[nodiscard]] BURSAR_HD Leader leader(std::uint32_t group) const {
        return read(trees_[group].root);
    }
    [[nodiscard]] BURSAR_HD Claim claim_of(JobId job) const {
        const std::int64_t run_ms = plan_.believed_work_ms(job);
        const std::int64_t left_ms =
            carried_.has(job) ? believed_left_ms(plan_, job, carried_.of(job)) : run_ms;
        return {left_ms - plan_.since_ms[job], run_ms > 0 ? run_ms : 1};
    }

    BURSAR_HD void insert(std::uint32_t group, std::uint32_t position, std::int64_t now_ms) {
        pending_.insert(position);
        const std::uint32_t block = (position - groups_[group].begin) / block_size;
        const JobId job = job_at_[position];
        const Leader own{horizon_ms, claim_of(job), job};
        renew(group, 0, block, better(read(trees_[group].begin + block), own, now_ms), now_ms);
    }
    BURSAR_HD void erase(std::uint32_t group, std::uint32_t position, std::int64_t now_ms) {
        pending_.erase(position);
        const std::uint32_t block = (position - groups_[group].begin) / block_size;
        // The leader and its certainty do not change when another job has gone.
        if (read(trees_[group].begin + block).job == job_at_[position])
            renew(group, 0, block, lead_of_block(group, block, now_ms), now_ms);
    }

    /// Repeats every contest of a group whose outcome is no longer certain.
    BURSAR_HD void advance(std::uint32_t group, std::int64_t now_ms) {
        while (leader(group).until_ms <= now_ms)
            renew_uncertain(group, now_ms);
    }

    /// The job with the largest claim among some jobs of a group: `first_of(begin, end)` is the
    /// first of them at positions in [begin, end), or no_job(). Jobs certainly behind are skipped.
    template <class FirstOf>
    [[nodiscard]] BURSAR_HD Leader leader_among(std::uint32_t group,
                                                std::int64_t now_ms,
                                                const FirstOf& first_of) const {
        std::uint32_t begins[max_levels];
        unsigned top = 0;
        std::uint32_t begin = trees_[group].begin;
        for (std::uint32_t size = blocks_of(group); size > 1; up(begin, size))
            begins[top++] = begin;
        struct Open {
            unsigned level;
            std::uint32_t index;
        };
        Open open[width * max_levels];
        unsigned num_open = 0;
        open[num_open++] = {top, 0};
        Leader best;
        while (num_open > 0) {
            const Open next = open[--num_open];
            const Leader leader =
                read(next.level == top ? trees_[group].root : begins[next.level] + next.index);
            const bool is_behind =
                leader.until_ms > now_ms && !best.is_none() && !leads(leader, best, now_ms);
            if (leader.is_none() || is_behind)
                continue;
            if (next.level == 0) {
                look_in_block(group, next.index, now_ms, first_of, best);
                continue;
            }
            for (std::uint32_t child = 0; child < width; ++child)
                open[num_open++] = {next.level - 1, next.index * width + child};
        }
        return best;
    }

  private:
    static constexpr std::uint32_t block_size = 16;
    static constexpr std::uint32_t width = 4;  ///< children of a node
    static constexpr unsigned max_levels = 16; ///< 16 * 4^15 > 2^32

    struct Tree {
        std::uint32_t begin{}; ///< its blocks, then level by level
        std::uint32_t root{};
    };
    /// The leaders of a node's children, as an array per member. Each is read with the width with
    /// which it was written, so that store forwarding works.
    struct alignas(64) Siblings {
        Claim claim[width];
        std::int64_t until_ms[width];
        JobId job[width];
    };

    [[nodiscard]] BURSAR_HD Leader read(std::uint32_t node) const {
        const Siblings& four = siblings_[node / width];
        const std::uint32_t i = node % width;
        return {four.until_ms[i], four.claim[i], four.job[i]};
    }
    BURSAR_HD void write(std::uint32_t node, const Leader& leader) {
        Siblings& four = siblings_[node / width];
        const std::uint32_t i = node % width;
        four.until_ms[i] = leader.until_ms;
        four.claim[i] = leader.claim;
        four.job[i] = leader.job;
    }
    [[nodiscard]] BURSAR_HD static std::uint32_t parents_of(std::uint32_t size) {
        return (size + width - 1) / width;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t end_of(std::uint32_t group) const {
        return group + 1 < num_groups_ ? groups_[group + 1].begin : plan_.num_jobs;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t blocks_of(std::uint32_t group) const {
        return (end_of(group) - groups_[group].begin + block_size - 1) / block_size;
    }

    /// The better of two, and until when that is certain.
    [[nodiscard, gnu::always_inline]] BURSAR_HD static Leader
    better(const Leader& a, const Leader& b, std::int64_t now_ms) {
        if (b.is_none())
            return a;
        if (a.is_none())
            return b;
        const bool b_leads = leads(b, a, now_ms);
        Leader leader = b_leads ? b : a;
        const Leader& other = b_leads ? a : b;
        bound(leader, other, now_ms);
        return leader;
    }
    [[nodiscard]] BURSAR_HD static bool
    leads(const Leader& a, const Leader& b, std::int64_t now_ms) {
        const uint128 of_a = a.claim.against(b.claim, now_ms);
        const uint128 of_b = b.claim.against(a.claim, now_ms);
        return of_a != of_b ? of_a > of_b : a.job < b.job;
    }
    /// Limits a leader's certainty by a contest that `other` lost.
    BURSAR_HD static void bound(Leader& leader, const Leader& other, std::int64_t now_ms) {
        const std::int64_t overtaken_ms =
            overtakes_after(other.claim, leader.claim, now_ms, other.job < leader.job);
        leader.until_ms = other.until_ms < leader.until_ms ? other.until_ms : leader.until_ms;
        leader.until_ms = overtaken_ms < leader.until_ms ? overtaken_ms : leader.until_ms;
    }

    [[nodiscard]] BURSAR_HD Leader lead_of_block(std::uint32_t group,
                                                 std::uint32_t block,
                                                 std::int64_t now_ms) const {
        const std::uint32_t begin = groups_[group].begin + block * block_size;
        const std::uint32_t group_end = end_of(group);
        const std::uint32_t end = begin + block_size < group_end ? begin + block_size : group_end;
        Claim claims[block_size];
        JobId jobs[block_size];
        std::uint32_t num_found = 0;
        Leader leader;
        for (std::uint32_t at = pending_.first_at_or_after(begin); at < end; // none is past any end
             at = pending_.first_at_or_after(at + 1)) {
            const JobId job = job_at_[at];
            const Leader own{horizon_ms, claim_of(job), job};
            claims[num_found] = own.claim;
            jobs[num_found++] = job;
            if (leader.is_none() || leads(own, leader, now_ms))
                leader = own;
        }
        for (std::uint32_t i = 0; i < num_found; ++i) {
            if (jobs[i] != leader.job)
                bound(leader, {horizon_ms, claims[i], jobs[i]}, now_ms);
        }
        return leader;
    }
    template <class FirstOf>
    BURSAR_HD void look_in_block(std::uint32_t group,
                                 std::uint32_t block,
                                 std::int64_t now_ms,
                                 const FirstOf& first_of,
                                 Leader& best) const {
        const std::uint32_t begin = groups_[group].begin + block * block_size;
        const std::uint32_t end =
            begin + block_size < end_of(group) ? begin + block_size : end_of(group);
        for (std::uint32_t from = begin; from < end; ++from) {
            const JobId job = first_of(from, end);
            if (job == Candidate::no_job())
                return;
            const Leader own{horizon_ms, claim_of(job), job};
            if (best.is_none() || leads(own, best, now_ms))
                best = own;
            while (job_at_[from] != job)
                ++from;
        }
    }
    [[nodiscard, gnu::always_inline]] BURSAR_HD Leader lead_of_children(std::uint32_t children,
                                                                        std::int64_t now_ms) const {
        Leader leader;
        std::uint32_t first = width;
        for (std::uint32_t i = 0; i < width; ++i) {
            const Leader child = read(children + i);
            if (!child.is_none() && (leader.is_none() || leads(child, leader, now_ms))) {
                leader = child;
                first = i;
            }
        }
        for (std::uint32_t i = 0; i < width; ++i) {
            if (i != first && siblings_[children / width].job[i] != Candidate::no_job())
                bound(leader, read(children + i), now_ms);
        }
        return leader;
    }

    /// Sets the leader of the node at `index` of a level, and updates those above. level: 0 for
    /// blocks.
    [[gnu::always_inline]] BURSAR_HD void renew(std::uint32_t group,
                                                unsigned level,
                                                std::uint32_t index,
                                                Leader leader,
                                                std::int64_t now_ms) {
        std::uint32_t begin = trees_[group].begin;
        std::uint32_t size = blocks_of(group);
        for (; level > 0; --level)
            up(begin, size);
        while (true) {
            const std::uint32_t node = size > 1 ? begin + index : trees_[group].root;
            const Leader before = read(node);
            if (before.job == leader.job && before.until_ms == leader.until_ms)
                return;
            write(node, leader);
            if (size <= 1)
                return;
            index /= width;
            leader = lead_of_children(begin + index * width, now_ms);
            up(begin, size);
        }
    }
    BURSAR_HD static void up(std::uint32_t& begin, std::uint32_t& size) {
        begin += width * parents_of(size);
        size = parents_of(size);
    }

    /// Finds a contest whose certainty has ended, and repeats it.
    BURSAR_HD void renew_uncertain(std::uint32_t group, std::int64_t now_ms) {
        std::uint32_t begins[max_levels];
        unsigned level = 0;
        std::uint32_t begin = trees_[group].begin;
        for (std::uint32_t size = blocks_of(group); size > 1; up(begin, size))
            begins[level++] = begin;
        std::uint32_t index = 0; // of a node on `level` whose certainty has ended
        while (level > 0) {
            const std::uint32_t children = begins[level - 1] + index * width;
            std::uint32_t child = 0;
            while (child < width && read(children + child).until_ms > now_ms)
                ++child;
            if (child == width) {
                renew(group, level, index, lead_of_children(children, now_ms), now_ms);
                return;
            }
            index = index * width + child;
            --level;
        }
        renew(group, 0, index, lead_of_block(group, index, now_ms), now_ms);
    }

    RunPlan plan_;
    CarriedJobs carried_; ///< to be read
    const JobGroup* groups_{};
    std::uint32_t num_groups_{};
    const JobId* job_at_{};
    BitTree pending_;
    Tree* trees_{}; ///< by group
    std::uint32_t num_nodes_{};
    Siblings* siblings_{};
};

}} // namespace bursar::sim
