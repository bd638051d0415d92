#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_moves.hpp"

namespace bursar::oracle {

/// By job: whether it works, some of its work since its start would survive a stop, and none of its
/// GPUs ends or closes soon.
inline std::vector<bool> movable(const Cluster& cluster) {
    std::vector<bool> out;
    for (std::size_t job = 0; job < cluster.jobs.size(); ++job) {
        const JobState& state = cluster.jobs[job];
        out.push_back(
            cluster.can_be_stopped(job) && !cluster.is_on_leaving(job) && !state.partner &&
            cluster.lasts_if_preempted_ms(job) * cluster.pace_of(job).speed >= full_speed);
    }
    return out;
}

/// By pool: the GPUs that are free or held by jobs that may move.
inline std::vector<std::int64_t> left_to_give(const Cluster& cluster,
                                              const std::vector<bool>& may_move) {
    std::vector<std::int64_t> left;
    for (const FreeGpus& free : cluster.free)
        left.push_back(free.open());
    for (std::size_t job = 0; job < cluster.jobs.size(); ++job)
        if (may_move[job])
            left[cluster.jobs[job].pool] += cluster.requests[job].gpus;
    return left;
}

/// First come, first served, for all jobs anew at every decision: in order of submission, each gets
/// the pool where it is fastest among those with enough GPUs left, by count; once no pool has
/// enough for a job, those behind it get none. GPUs of jobs that save or clean up are not given,
/// nor are those of a job that a stop now would throw back to its start, or whose GPUs end or close
/// soon: it stays.
/// Then jobs stop that hold others than they got, and those that can be placed start.
///
/// With packing_gain, in thousandths: jobs that got none, in order of submission, each get the GPUs
/// of a job with as many that has its GPUs for itself, where both together work faster than
/// packing_gain: of those that hold or got GPUs the one where that is most, of equal ones the
/// first. Once there is none for a job, those behind it get none. Both have half of the GPUs until
/// one ends; neither is moved.
class AllocationOfFastest {
  public:
    AllocationOfFastest(Cluster& cluster, Moves& moves, const std::int64_t& packing_gain)
        : cluster_{cluster}, moves_{moves}, packing_gain_{packing_gain} {}

    void pass() {
        const std::size_t num_jobs = cluster_.jobs.size();
        may_move_ = movable(cluster_);
        std::vector<std::int64_t> left = left_to_give(cluster_, may_move_);
        std::vector<std::optional<std::size_t>> given(num_jobs);
        for (std::size_t job = 0; job < num_jobs; ++job) {
            if (!takes_part(job))
                continue;
            if (!has_room(job, left))
                break;
            given[job] = fastest(job, left);
            if (given[job])
                left[*given[job]] -= cluster_.requests[job].gpus;
        }
        const Joins joins = packing_gain_ > 0 ? pack(given) : Joins{};
        for (std::size_t job = 0; job < num_jobs; ++job)
            if (may_move(job) && given[job] != cluster_.jobs[job].pool)
                moves_.stop(job, Cause::preempted, 0);
        for (std::size_t job = 0; job < num_jobs; ++job) {
            if (!given[job] || cluster_.jobs[job].phase != Phase::pending)
                continue;
            auto place = cluster_.place_in(cluster_.free[*given[job]], job);
            if (!place)
                continue;
            for (const auto& [guest, partner] : joins)
                if (partner == job)
                    cluster_.jobs[job].paced_beside = cluster_.requests[guest].of_class;
            moves_.start(job, *given[job], std::move(*place));
        }
        for (const auto& [job, partner] : joins)
            if (cluster_.jobs[partner].phase == Phase::running)
                moves_.start_beside(job, partner);
        for (std::size_t job = 0; job < num_jobs; ++job)
            if (cluster_.jobs[job].phase == Phase::running && !cluster_.jobs[job].partner)
                cluster_.set_pace(job, std::nullopt);
    }

  private:
    using Joins = std::vector<std::pair<std::size_t, std::size_t>>;

    [[nodiscard]] Joins pack(const std::vector<std::optional<std::size_t>>& given) const {
        Joins joins;
        std::vector<bool> is_taken(given.size());
        for (std::size_t job = 0; job < given.size(); ++job) {
            if (cluster_.jobs[job].phase != Phase::pending || given[job])
                continue;
            std::optional<std::size_t> best;
            double most = static_cast<double>(packing_gain_) / 1000;
            for (std::size_t other = 0; other < given.size(); ++other) {
                const JobState& state = cluster_.jobs[other];
                const bool stays = state.phase == Phase::running && !may_move(other);
                if ((!given[other] && !stays) || state.partner || is_taken[other])
                    continue;
                const double sum = together(job, other, stays ? state.pool : *given[other]);
                if (sum > most) {
                    most = sum;
                    best = other;
                }
            }
            if (!best)
                break;
            is_taken[*best] = true;
            joins.emplace_back(job, *best);
        }
        return joins;
    }
    /// 0: they can't share GPUs of that pool.
    [[nodiscard]] double together(std::size_t job, std::size_t other, std::size_t pool) const {
        const Request& one = cluster_.requests[job];
        const Request& two = cluster_.requests[other];
        const Beside* const first = one.with(two.of_class);
        const Beside* const second = two.with(one.of_class);
        if (first == nullptr || second == nullptr || (first->pools >> pool & 1U) == 0 ||
            !cluster_.may_use(job, pool) || one.gpus != two.gpus)
            return 0;
        return static_cast<double>(first->paces[pool].speed) / full_speed /
                   (static_cast<double>(speed(job, pool)) / full_speed) +
               static_cast<double>(second->paces[pool].speed) / full_speed /
                   (static_cast<double>(speed(other, pool)) / full_speed);
    }
    [[nodiscard]] bool takes_part(std::size_t job) const {
        return cluster_.jobs[job].phase == Phase::pending || may_move(job);
    }
    [[nodiscard]] bool may_move(std::size_t job) const { return may_move_[job]; }
    [[nodiscard]] bool has_room(std::size_t job, const std::vector<std::int64_t>& left) const {
        for (const std::int64_t gpus : left)
            if (cluster_.requests[job].gpus <= gpus)
                return true;
        return false;
    }
    /// A running job may stay in a pool that it may no longer start in.
    [[nodiscard]] std::optional<std::size_t> fastest(std::size_t job,
                                                     const std::vector<std::int64_t>& left) const {
        std::optional<std::size_t> best;
        for (std::size_t pool = 0; pool < left.size(); ++pool) {
            const bool may_be_there = cluster_.may_use(job, pool) || holds(job, pool);
            if (may_be_there && cluster_.requests[job].gpus <= left[pool] &&
                (!best || speed(job, pool) > speed(job, *best)))
                best = pool;
        }
        return best;
    }
    [[nodiscard]] bool holds(std::size_t job, std::size_t pool) const {
        return may_move(job) && cluster_.jobs[job].pool == pool;
    }
    [[nodiscard]] std::int64_t speed(std::size_t job, std::size_t pool) const {
        const std::vector<Pace>& paces = cluster_.requests[job].paces;
        return paces.empty() ? full_speed : paces[pool].speed;
    }

    Cluster& cluster_;
    Moves& moves_;
    const std::int64_t& packing_gain_;
    std::vector<bool> may_move_{}; ///< by job, as the pass begins
};

/// Elastic jobs get GPUs one step at a time, at every decision anew, by count. GPUs that are not
/// given are those of AllocationOfFastest.
/// 1. In order of submission each job gets the fewest GPUs that it may have, in the pool where it
///    is fastest with them among those with enough left; of equal ones the pool that it holds, or
///    the first. A job for which no pool has enough gets none, and the next one is looked at.
/// 2. As long as some job may have more in its pool, and enough are left for its next larger
///    number: the one whose remaining work would end sooner by the most for each GPU more, of equal
///    ones the first, gets that number.
/// Then those that have another pool, or none, stop; those with fewer GPUs than before go on with
/// them, then those with more, if they can be placed; those that wait start if they can be placed.
class AllocationByGain {
  public:
    AllocationByGain(Cluster& cluster, Moves& moves) : cluster_{cluster}, moves_{moves} {}

    void pass() {
        std::vector<std::int64_t> left = look();
        std::vector<std::optional<Given>> given(cluster_.jobs.size());
        for (std::size_t job = 0; job < given.size(); ++job)
            if (takes_part(job)) {
                given[job] = least(job, left);
                if (given[job])
                    left[given[job]->pool] -= given[job]->form.gpus;
            }
        for (std::optional<std::size_t> best = most_gain(given, left); best;
             best = most_gain(given, left)) {
            const Form next = *larger(*best, *given[*best]);
            left[given[*best]->pool] -= next.gpus - given[*best]->form.gpus;
            given[*best]->form = next;
        }
        follow(given);
    }

    /// In place of 1 and 2: by deadline, those without one last and equal ones by submission, each
    /// job gets the pool and number of GPUs where it is fastest among those with enough left; of
    /// equal ones the pool that it holds, or the first, and the fewest GPUs.
    void pass_by_deadline() {
        std::vector<std::int64_t> left = look();
        std::vector<std::optional<Given>> given(cluster_.jobs.size());
        std::vector<std::size_t> order(given.size());
        for (std::size_t job = 0; job < order.size(); ++job)
            order[job] = job;
        const auto due = [&](std::size_t job) {
            return cluster_.requests[job].deadline_ms.value_or(std::int64_t{1} << 60);
        };
        std::ranges::stable_sort(order, {}, due);
        for (const std::size_t job : order)
            if (takes_part(job)) {
                given[job] = fastest(job, left);
                if (given[job])
                    left[given[job]->pool] -= given[job]->form.gpus;
            }
        follow(given);
    }

  private:
    struct Given {
        std::size_t pool{};
        Form form;
    };

    std::vector<std::int64_t> look() {
        may_move_ = movable(cluster_);
        return left_to_give(cluster_, may_move_);
    }
    [[nodiscard]] bool takes_part(std::size_t job) const {
        return cluster_.jobs[job].phase == Phase::pending || may_move(job);
    }
    void follow(const std::vector<std::optional<Given>>& given) {
        const std::size_t num_jobs = given.size();
        for (std::size_t job = 0; job < num_jobs; ++job)
            if (may_move(job) && (!given[job] || given[job]->pool != cluster_.jobs[job].pool))
                moves_.stop(job, Cause::preempted, 0);
        for (const bool grows : {false, true})
            for (std::size_t job = 0; job < num_jobs; ++job)
                if (given[job] && may_move(job) && given[job]->pool == cluster_.jobs[job].pool &&
                    (grows ? given[job]->form.gpus > cluster_.requests[job].gpus
                           : given[job]->form.gpus < cluster_.requests[job].gpus))
                    resize(job, *given[job]);
        for (std::size_t job = 0; job < num_jobs; ++job)
            if (given[job] && cluster_.jobs[job].phase == Phase::pending)
                start(job, *given[job]);
    }

    void start(std::size_t job, const Given& given) {
        const std::int64_t asked = cluster_.requests[job].gpus;
        cluster_.set_gpus(job, given.form.gpus);
        if (auto place = cluster_.place_in(cluster_.free[given.pool], job))
            moves_.start(job, given.pool, std::move(*place));
        else
            cluster_.set_gpus(job, asked);
    }
    void resize(std::size_t job, const Given& given) {
        FreeGpus without = cluster_.free[given.pool];
        without.give_back(cluster_.jobs[job].shares);
        const std::int64_t before = cluster_.requests[job].gpus;
        cluster_.set_gpus(job, given.form.gpus);
        const bool fits = cluster_.place_in(without, job).has_value();
        cluster_.set_gpus(job, before);
        if (!fits)
            return;
        moves_.stop(job, Cause::resized, 0);
        start(job, given);
    }

    [[nodiscard]] bool may_move(std::size_t job) const { return may_move_[job]; }
    [[nodiscard]] std::vector<Form> forms_of(std::size_t job) const {
        const Request& own = cluster_.requests[job];
        const bool is_fixed = own.keeps_form && cluster_.jobs[job].phase == Phase::running;
        if (!own.forms.empty() && !is_fixed)
            return own.forms;
        return {{own.gpus, own.permitted_pools, own.cpu_milli, own.memory_mib, own.paces}};
    }
    [[nodiscard]] bool may_have(std::size_t job, const Form& form, std::size_t pool) const {
        const JobState& state = cluster_.jobs[job];
        const bool is_held =
            may_move(job) && state.pool == pool && cluster_.requests[job].gpus == form.gpus;
        const bool is_open = !cluster_.job_is_barred(job) && !cluster_.pool_is_shut(pool) &&
                             (form.permitted_pools >> pool & 1U) != 0;
        return is_held || (is_open && could_hold(form, pool));
    }
    /// Whether the pool's nodes that are up could hold the gang if they were empty.
    [[nodiscard]] bool could_hold(const Form& form, std::size_t pool) const {
        FreeGpus empty = cluster_.free[pool];
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            if (cluster_.holds_gpus(job) && cluster_.jobs[job].pool == pool)
                empty.give_back(cluster_.jobs[job].shares);
        return cluster_.finds(empty, form.gpus);
    }
    [[nodiscard]] static double speed(const Form& form, std::size_t pool) {
        return form.paces.empty() ? 1.0 : static_cast<double>(form.paces[pool].speed) / full_speed;
    }
    [[nodiscard]] std::optional<Given> least(std::size_t job,
                                             const std::vector<std::int64_t>& left) const {
        std::optional<Given> best;
        for (std::size_t pool = 0; pool < left.size(); ++pool) {
            for (const Form& form : forms_of(job)) {
                if (!may_have(job, form, pool))
                    continue;
                const bool is_better = !best || speed(form, pool) > speed(best->form, best->pool) ||
                                       (speed(form, pool) == speed(best->form, best->pool) &&
                                        may_move(job) && cluster_.jobs[job].pool == pool);
                if (form.gpus <= left[pool] && is_better)
                    best = Given{pool, form};
                break;
            }
        }
        return best;
    }
    [[nodiscard]] std::optional<Given> fastest(std::size_t job,
                                               const std::vector<std::int64_t>& left) const {
        std::optional<Given> best;
        for (std::size_t pool = 0; pool < left.size(); ++pool)
            for (const Form& form : forms_of(job)) {
                if (!may_have(job, form, pool) || form.gpus > left[pool])
                    continue;
                const bool is_held = may_move(job) && cluster_.jobs[job].pool == pool;
                if (!best || speed(form, pool) > speed(best->form, best->pool) ||
                    (speed(form, pool) == speed(best->form, best->pool) && is_held &&
                     best->pool != pool))
                    best = Given{pool, form};
            }
        return best;
    }
    [[nodiscard]] std::optional<Form> larger(std::size_t job, const Given& given) const {
        for (const Form& form : forms_of(job))
            if (form.gpus > given.form.gpus && may_have(job, form, given.pool))
                return form;
        return std::nullopt;
    }
    /// Believed work left now, at full speed.
    [[nodiscard]] std::int64_t left_ms(std::size_t job) const {
        std::int64_t left = cluster_.believed_left_ms(job);
        const JobState& state = cluster_.jobs[job];
        if (state.phase == Phase::running)
            left -= cluster_.progress_of(job).at_work_ms *
                    cluster_.requests[job].pace_on(state.pool, state.is_slow).speed / full_speed;
        return left > 0 ? left : 0;
    }
    [[nodiscard]] std::optional<std::size_t>
    most_gain(const std::vector<std::optional<Given>>& given,
              const std::vector<std::int64_t>& left) const {
        std::optional<std::size_t> best;
        double best_gain = 0;
        for (std::size_t job = 0; job < given.size(); ++job) {
            if (!given[job])
                continue;
            const std::optional<Form> next = larger(job, *given[job]);
            if (!next || next->gpus - given[job]->form.gpus > left[given[job]->pool])
                continue;
            const auto work = static_cast<double>(left_ms(job));
            const std::size_t pool = given[job]->pool;
            const double sooner = work / speed(given[job]->form, pool) - work / speed(*next, pool);
            const double gain = sooner / static_cast<double>(next->gpus - given[job]->form.gpus);
            if (gain > best_gain) {
                best = job;
                best_gain = gain;
            }
        }
        return best;
    }

    Cluster& cluster_;
    Moves& moves_;
    std::vector<bool> may_move_{}; ///< by job, as the pass begins
};

} // namespace bursar::oracle
