#pragma once

#include <cstdint>

#include "models/units/int128.hpp"

#include "sim/arena/arena.hpp"
#include "sim/arena/bit_tree.hpp"
#include "sim/engine/queues/candidate.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/job_group.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// A pending job's claim, (elapsed + remaining) / run: it grows by 1 / run while time passes.
struct Claim {
    std::int64_t offset_ms{}; ///< elapsed + remaining is now + offset
    std::int64_t run_ms{1};   ///< of the whole job, >= 1

    /// Whether this claim is larger than `other` at `now`.
    [[nodiscard]] BURSAR_HD bool exceeds(const Claim& other, std::int64_t now_ms) const {
        return int128{now_ms + offset_ms} * other.run_ms >
               int128{now_ms + other.offset_ms} * run_ms;
    }
};

/// The first instant at which `rival`, not ahead at `now`, is ahead of `leader`; horizon_ms: never.
/// wins_ties: equal claims suffice.
BURSAR_HD inline std::int64_t
overtakes_at(const Claim& rival, const Claim& leader, bool wins_ties) {
    const std::int64_t gain = leader.run_ms - rival.run_ms;
    if (gain <= 0)
        return horizon_ms;
    // (t + offset) leader.run > (t + leader.offset) run
    const int128 behind =
        int128{leader.offset_ms} * rival.run_ms - int128{rival.offset_ms} * leader.run_ms;
    if (behind >= int128{horizon_ms} * gain)
        return horizon_ms;
    const auto last_behind = static_cast<std::int64_t>((behind - (wins_ties ? 1 : 0)) / gain);
    return last_behind + 1;
}

/// Of each group, the pending job with the largest claim, as time passes: a kinetic tournament.
///
/// The groups' jobs stand in blocks of 16 positions under a tree. Every block and inner node knows
/// its leader and until when that is certain; a contest is held anew when a job below comes or
/// goes, or when its certainty ends. Each costs the way up. Memory: 2 bytes per job of the plan.
/// Source: Basch, Guibas and Hershberger 1999, "Data structures for mobile data".
class RatioContests {
  public:
    RatioContests() = default;
    BURSAR_HD RatioContests(ArenaCarver& carver,
                            const PlanView& plan,
                            const JobGroup* groups,
                            std::uint32_t num_groups,
                            const JobId* job_at)
        : plan_{plan}, groups_{groups}, num_groups_{num_groups}, job_at_{job_at},
          pending_{carver, plan.num_jobs}, tree_begin_{carver.take<std::uint32_t>(num_groups + 1)} {
        for (std::uint32_t group = 0; group < num_groups; ++group) {
            if (tree_begin_ != nullptr)
                tree_begin_[group] = num_nodes_;
            num_nodes_ += 2 * blocks_of(group);
        }
        nodes_ = carver.take<Leader>(num_nodes_);
    }

    BURSAR_HD void clear() {
        pending_.clear();
        for (std::uint32_t i = 0; i < num_nodes_; ++i)
            nodes_[i] = {};
    }

    /// The leader of a group; no_job() if nothing is pending. Precondition: advance() was called.
    [[nodiscard]] BURSAR_HD JobId leader(std::uint32_t group) const { return tree(group)[1].job; }
    [[nodiscard]] BURSAR_HD Claim claim_of(JobId job) const {
        const std::int64_t run_ms = plan_.believed_work_ms(job);
        return {run_ms - plan_.submit_ms[job], run_ms > 0 ? run_ms : 1};
    }

    BURSAR_HD void insert(std::uint32_t group, std::uint32_t position, std::int64_t now_ms) {
        pending_.insert(position);
        renew(group, leaf_of(group, position), now_ms);
    }
    BURSAR_HD void erase(std::uint32_t group, std::uint32_t position, std::int64_t now_ms) {
        pending_.erase(position);
        renew(group, leaf_of(group, position), now_ms);
    }

    /// Holds every contest of a group anew whose outcome is no longer certain.
    BURSAR_HD void advance(std::uint32_t group, std::int64_t now_ms) {
        const Leader* nodes = tree(group);
        while (nodes[1].until_ms <= now_ms) {
            std::uint32_t node = 1; // down to a contest whose own certainty has ended
            while (node < blocks_of(group)) {
                if (nodes[2 * node].until_ms <= now_ms)
                    node = 2 * node;
                else if (nodes[2 * node + 1].until_ms <= now_ms)
                    node = 2 * node + 1;
                else
                    break;
            }
            renew(group, node, now_ms);
        }
    }

  private:
    static constexpr std::uint32_t block_size = 16;

    struct Leader {
        std::int64_t until_ms{horizon_ms}; ///< it leads for certain before this
        JobId job{Candidate::no_job()};
    };

    [[nodiscard]] BURSAR_HD std::uint32_t end_of(std::uint32_t group) const {
        return group + 1 < num_groups_ ? groups_[group + 1].begin : plan_.num_jobs;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t blocks_of(std::uint32_t group) const {
        return (end_of(group) - groups_[group].begin + block_size - 1) / block_size;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t leaf_of(std::uint32_t group,
                                                  std::uint32_t position) const {
        return blocks_of(group) + (position - groups_[group].begin) / block_size;
    }
    /// As in Tournament: node 1 is the root, blocks are the leaves from n on.
    [[nodiscard]] BURSAR_HD Leader* tree(std::uint32_t group) const {
        return nodes_ + tree_begin_[group];
    }

    [[nodiscard]] BURSAR_HD Leader contest(Leader a, Leader b, std::int64_t now_ms) const {
        if (b.job == Candidate::no_job())
            return a;
        if (a.job == Candidate::no_job())
            return b;
        const Claim of_a = claim_of(a.job);
        const Claim of_b = claim_of(b.job);
        const bool b_leads =
            of_b.exceeds(of_a, now_ms) || (b.job < a.job && !of_a.exceeds(of_b, now_ms));
        const std::int64_t until_ms = b_leads ? overtakes_at(of_a, of_b, a.job < b.job)
                                              : overtakes_at(of_b, of_a, b.job < a.job);
        Leader leader = b_leads ? b : a;
        for (const std::int64_t certain : {a.until_ms, b.until_ms, until_ms})
            leader.until_ms = certain < leader.until_ms ? certain : leader.until_ms;
        return leader;
    }

    [[nodiscard]] BURSAR_HD Leader lead_of_block(std::uint32_t group,
                                                 std::uint32_t leaf,
                                                 std::int64_t now_ms) const {
        const std::uint32_t begin = groups_[group].begin + (leaf - blocks_of(group)) * block_size;
        const std::uint32_t group_end = end_of(group);
        const std::uint32_t end = begin + block_size < group_end ? begin + block_size : group_end;
        Leader leader;
        for (std::uint32_t at = pending_.first_at_or_after(begin); at < end; // none is past any end
             at = pending_.first_at_or_after(at + 1)) {
            leader = contest(leader, {horizon_ms, job_at_[at]}, now_ms);
        }
        return leader;
    }

    /// The contest at `node` and those above it.
    BURSAR_HD void renew(std::uint32_t group, std::uint32_t node, std::int64_t now_ms) {
        Leader* nodes = tree(group);
        const std::uint32_t num_blocks = blocks_of(group);
        for (; node > 0; node /= 2) {
            nodes[node] = node >= num_blocks
                              ? lead_of_block(group, node, now_ms)
                              : contest(nodes[2 * node], nodes[2 * node + 1], now_ms);
        }
    }

    PlanView plan_;
    const JobGroup* groups_{};
    std::uint32_t num_groups_{};
    const JobId* job_at_{};
    BitTree pending_;
    std::uint32_t* tree_begin_{};
    std::uint32_t num_nodes_{};
    Leader* nodes_{};
};

} // namespace bursar::inline sim
