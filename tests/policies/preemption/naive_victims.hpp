#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/engine/preemption/preemption_limits.hpp"
#include "sim/plan/plan.hpp"

#include "tests/oracle/naive_capacity.hpp"

namespace bursar::test {

/// One attempt as it came out.
struct NaiveAttempt {
    std::uint32_t job{};
    std::uint32_t pool{};
    std::int64_t start_ms{};
    std::int64_t stop_ms{};
    bool was_preempted{};
    auto operator<=>(const NaiveAttempt&) const = default;
};

/// Preemption by priority or by value as it is described, slow on purpose: lists are sorted anew
/// for each question, capacity is copied to try things out, and nothing is shared with the engine
/// but the plan. Jobs run at reference speed.
class NaiveVictims {
  public:
    struct Rules {
        bool by_value{};
        bool head_blocks{};
        bool counts{};
        oracle::PlacementRule placement{oracle::PlacementRule::consolidated};
        PreemptionLimits limits{};
        std::int64_t quantum_ms{}; ///< 0: none
    };

    NaiveVictims(const Plan& plan, const Rules& rules) : plan_{plan}, rules_{rules} {
        const auto rule = rules.counts ? oracle::CapacityRule::count : oracle::CapacityRule::nodes;
        for (const PlanPool& pool : plan.pools)
            free_.emplace_back(oracle::Pool{"", pool.num_nodes, pool.gpus_per_node}, rule);
        for (std::uint32_t job = 0; job < plan.num_jobs(); ++job)
            waiting_.push_back({job, plan.work_ms[job], 0});
    }

    std::vector<NaiveAttempt> run() {
        while (!waiting_.empty() || !running_.empty()) {
            now_ = next_instant(); // again the same where a pass started jobs of no length
            end_attempts();
            const bool decides = rules_.quantum_ms == 0 || now_ % rules_.quantum_ms == 0;
            while (decides && pass()) {
            }
        }
        std::sort(out_.begin(), out_.end());
        return out_;
    }

  private:
    struct Job {
        std::uint32_t job{};
        std::int64_t left_ms{};
        std::uint32_t preemptions{};
    };
    struct Attempt {
        Job job;
        std::uint32_t pool{};
        std::vector<oracle::Share> shares;
        std::int64_t start{}, begin{}, work_end{}, release{};
        std::optional<std::int64_t> notice{}; ///< when it stops work
        bool stopped{};                       ///< saves until `release`
        bool leaves{};
    };
    using Free = std::vector<oracle::FreeGpus>;

    [[nodiscard]] const PlanClass& class_of(std::uint32_t job) const {
        return plan_.classes[plan_.job_class[job]];
    }
    [[nodiscard]] std::int32_t priority(std::uint32_t job) const { return plan_.priority[job]; }

    /// Work time from 0 to the end of `work` with its saves.
    static std::int64_t stretched(const PlanClass& c, std::int64_t work) {
        if (c.checkpoint != Checkpoint::every)
            return work;
        std::int64_t time = 0;
        for (std::int64_t done = 0; done < work;) {
            const std::int64_t part = std::min(c.interval.count(), work - done);
            done += part;
            time += part + (done < work ? c.save.count() : 0);
        }
        return time;
    }
    /// What lasts of `offset` ms since work began: (time, work).
    static std::pair<std::int64_t, std::int64_t> lasting(const PlanClass& c, std::int64_t offset) {
        if (c.checkpoint == Checkpoint::on_preempt)
            return {offset, offset};
        std::int64_t time = 0, work = 0;
        if (c.checkpoint == Checkpoint::every)
            while (time + c.interval.count() + c.save.count() <= offset) {
                time += c.interval.count() + c.save.count();
                work += c.interval.count();
            }
        return {time, work};
    }
    [[nodiscard]] std::int64_t loss(const Attempt& a) const {
        const PlanClass& c = class_of(a.job.job);
        if (c.checkpoint == Checkpoint::on_preempt)
            return c.save.count() + c.recovery.count();
        const std::int64_t offset = std::max<std::int64_t>(now_ - a.begin, 0);
        const std::int64_t kept = lasting(c, offset).first;
        return (kept == 0 ? now_ - a.start : offset - kept) + c.recovery.count();
    }

    [[nodiscard]] std::int64_t next_instant() const {
        std::int64_t next = std::numeric_limits<std::int64_t>::max();
        bool pends = false;
        const auto at = [&](std::int64_t time) {
            if (time > now_)
                next = std::min(next, time);
        };
        for (const Job& job : waiting_) {
            at(plan_.submit_ms[job.job]);
            pends = pends || plan_.submit_ms[job.job] <= now_;
        }
        for (const Attempt& a : running_) {
            if (a.release <= now_)
                return now_;
            at(a.notice ? *a.notice : a.release);
            at(a.release);
            at(a.start + rules_.limits.min_run_ms);
            at(a.work_end);
        }
        if (rules_.quantum_ms > 0 && pends)
            at((now_ / rules_.quantum_ms + 1) * rules_.quantum_ms);
        return next;
    }

    void end_attempts() {
        for (std::size_t i = 0; i < running_.size();) {
            Attempt& a = running_[i];
            if (a.notice && *a.notice == now_ && !a.stopped)
                stop(a);
            if (a.release > now_) {
                ++i;
                continue;
            }
            free_[a.pool].give_back(a.shares);
            out_.push_back({a.job.job, a.pool, a.start, now_, a.stopped});
            if (a.stopped)
                waiting_.push_back(a.job);
            running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

    /// Work stops now; GPUs are released once the state is saved.
    void stop(Attempt& a) {
        const PlanClass& c = class_of(a.job.job);
        const std::int64_t offset = std::max<std::int64_t>(now_ - a.begin, 0);
        a.job.left_ms -= lasting(c, offset).second;
        ++a.job.preemptions;
        a.stopped = a.leaves = true;
        a.release =
            now_ + (c.checkpoint == Checkpoint::on_preempt && offset > 0 ? c.save.count() : 0);
    }

    [[nodiscard]] bool may_stop(const Attempt& a, std::uint32_t job, std::uint32_t pool) const {
        return a.pool == pool && !a.leaves && a.work_end > now_ &&
               now_ - a.start >= rules_.limits.min_run_ms &&
               a.job.preemptions < rules_.limits.max_per_job &&
               a.start + rules_.limits.min_run_ms < a.work_end &&
               (rules_.by_value || priority(a.job.job) < priority(job));
    }

    [[nodiscard]] std::int64_t needs(const Job& job) const {
        const PlanClass& c = class_of(job.job);
        return std::max<std::int64_t>(
            (job.preemptions > 0 ? c.recovery : c.startup).count() + stretched(c, job.left_ms), 1);
    }
    [[nodiscard]] int128 toll(const Attempt& a, const Job& job) const {
        const int128 left = std::max<std::int64_t>(a.work_end - now_, 1);
        return (int128{plan_.value_nano_usd[a.job.job]} * (needs(job) + loss(a)) + left - 1) / left;
    }

    [[nodiscard]] auto where(const Free& free, std::uint32_t job, std::uint32_t pool) const {
        return free[pool].find(plan_.gpus(job), rules_.placement);
    }
    [[nodiscard]] bool permitted(std::uint32_t job, std::uint32_t pool) const {
        return (plan_.shapes[plan_.shape[job]].permitted_pools >> pool & 1U) != 0;
    }

    /// Whom to stop for `job` on `pool`; nothing if that is no use.
    [[nodiscard]] std::optional<std::vector<std::size_t>>
    victims(const Free& free, const Job& job, std::uint32_t pool) const {
        std::vector<std::size_t> line;
        for (std::size_t i = 0; i < running_.size(); ++i)
            if (may_stop(running_[i], job.job, pool))
                line.push_back(i);
        std::sort(line.begin(), line.end(), [&](std::size_t x, std::size_t y) {
            const Attempt &a = running_[x], &b = running_[y];
            const std::int64_t ga = plan_.gpus(a.job.job), gb = plan_.gpus(b.job.job);
            const auto later = [](const Attempt& of) { return -std::int64_t{of.job.job}; };
            if (rules_.by_value)
                return std::tuple{toll(a, job) / ga, later(a)} <
                       std::tuple{toll(b, job) / gb, later(b)};
            return std::tuple{priority(a.job.job), ga * loss(a), -ga, later(a)} <
                   std::tuple{priority(b.job.job), gb * loss(b), -gb, later(b)};
        });
        const auto fits_without = [&](const std::vector<std::size_t>& gone) {
            Free tried = free;
            for (const std::size_t i : gone)
                tried[pool].give_back(running_[i].shares);
            return where(tried, job.job, pool).has_value();
        };
        std::vector<std::size_t> gone;
        while (!fits_without(gone)) {
            if (gone.size() == line.size())
                return std::nullopt;
            gone.push_back(line[gone.size()]);
        }
        for (std::size_t i = gone.size(); i-- > 0;) {
            std::vector<std::size_t> fewer = gone;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (fits_without(fewer))
                gone = std::move(fewer);
        }
        int128 sum = 0;
        for (const std::size_t i : gone)
            sum += rules_.by_value ? toll(running_[i], job) : 0;
        if (rules_.by_value && sum >= plan_.value_nano_usd[job.job])
            return std::nullopt;
        return gone;
    }

    void start(const Job& job, std::uint32_t pool, std::vector<oracle::Share> shares) {
        const PlanClass& c = class_of(job.job);
        free_[pool].take(shares);
        Attempt a{job, pool, std::move(shares)};
        a.start = now_;
        a.begin = now_ + (job.preemptions > 0 ? c.recovery : c.startup).count();
        a.work_end = a.begin + stretched(c, job.left_ms);
        a.release = a.work_end + c.teardown.count();
        running_.push_back(std::move(a));
    }

    /// The first pool on which `job` fits in `free`.
    [[nodiscard]] std::optional<std::pair<std::uint32_t, std::vector<oracle::Share>>>
    place(const Free& free, std::uint32_t job) const {
        for (const std::uint16_t pool : plan_.pool_preference) {
            if (!permitted(job, pool))
                continue;
            if (auto shares = where(free, job, pool))
                return std::pair{std::uint32_t{pool}, *std::move(shares)};
        }
        return std::nullopt;
    }

    /// The first that waits, in order, and may still be served by this pass.
    [[nodiscard]] std::optional<Job>
    first_in_order(const std::vector<std::uint16_t>& barred,
                   const std::vector<std::uint32_t>& served) const {
        std::optional<Job> first;
        const auto key = [&](const Job& job) {
            return std::tuple{rules_.by_value ? 0 : -std::int64_t{priority(job.job)}, job.job};
        };
        for (const Job& job : waiting_)
            if (plan_.submit_ms[job.job] <= now_ &&
                std::count(barred.begin(), barred.end(), plan_.shape[job.job]) == 0 &&
                std::count(served.begin(), served.end(), job.job) == 0 &&
                (!first || key(job) < key(*first)))
                first = job;
        return first;
    }

    [[nodiscard]] bool someone_leaves() const {
        return std::any_of(
            running_.begin(), running_.end(), [](const Attempt& a) { return a.leaves; });
    }
    /// What will be free once those that leave have left.
    [[nodiscard]] Free free_ahead() const {
        Free out = free_;
        for (const Attempt& a : running_)
            if (a.leaves)
                out[a.pool].give_back(a.shares);
        return out;
    }

    /// True if another pass is due: somebody has left while others wait for those that leave.
    bool pass() {
        std::optional<Free> ahead; // while somebody waits for those that leave
        std::vector<std::uint16_t> barred;
        std::vector<std::uint32_t> claimants;
        bool again = false;
        if (rules_.by_value)
            serve_claimants(ahead, claimants);
        if (rules_.head_blocks && !claimants.empty()) {
            claimants_ = claimants;
            return false;
        }
        while (const std::optional<Job> job = first_in_order(barred, claimants)) {
            auto found = place(ahead ? *ahead : free_, job->job);
            if (!found && !ahead && someone_leaves()) {
                ahead = free_ahead();
                found = place(*ahead, job->job);
            }
            if (!found && make_room(ahead, *job, again)) {
                if (!ahead && someone_leaves())
                    ahead = free_ahead();
                found = place(ahead ? *ahead : free_, job->job);
            }
            if (!found) {
                if (rules_.head_blocks)
                    break;
                barred.push_back(plan_.shape[job->job]);
                if (claimants.empty())
                    ahead.reset();
            } else if (!ahead) {
                std::erase_if(waiting_, [&](const Job& w) { return w.job == job->job; });
                start(*job, found->first, found->second);
            } else {
                (*ahead)[found->first].take(found->second);
                claimants.push_back(job->job);
                if (rules_.head_blocks)
                    break;
            }
        }
        claimants_ = claimants;
        return again;
    }

    /// By value, those for whom others leave come before everybody.
    void serve_claimants(std::optional<Free>& ahead, std::vector<std::uint32_t>& claimants) {
        for (const std::uint32_t claimant : claimants_) {
            const Job job = *std::find_if(
                waiting_.begin(), waiting_.end(), [&](const Job& w) { return w.job == claimant; });
            if (!ahead) {
                if (auto found = place(free_, claimant)) {
                    std::erase_if(waiting_, [&](const Job& w) { return w.job == claimant; });
                    start(job, found->first, found->second);
                    continue;
                }
                ahead = free_ahead();
            }
            if (auto found = place(*ahead, claimant)) {
                (*ahead)[found->first].take(found->second);
                claimants.push_back(claimant);
            }
        }
        if (claimants.empty())
            ahead.reset();
    }

    /// Stops whom `job` needs gone, on the first pool where that helps.
    bool make_room(std::optional<Free>& ahead, const Job& job, bool& again) {
        for (const std::uint16_t pool : plan_.pool_preference) {
            if (!permitted(job.job, pool))
                continue;
            const auto gone = victims(ahead ? *ahead : free_, job, pool);
            if (!gone)
                continue;
            for (const std::size_t i : *gone) {
                Attempt& a = running_[i];
                a.leaves = true;
                if (rules_.limits.grace_ms == 0)
                    stop(a);
                else if (now_ + rules_.limits.grace_ms < a.work_end)
                    a.notice = now_ + rules_.limits.grace_ms;
                if (ahead)
                    (*ahead)[a.pool].give_back(a.shares);
            }
            for (std::size_t i = 0; i < running_.size();) { // those with nothing to save
                const Attempt& a = running_[i];
                if (!a.stopped || a.release > now_) {
                    ++i;
                    continue;
                }
                again = again || ahead.has_value();
                free_[a.pool].give_back(a.shares);
                out_.push_back({a.job.job, a.pool, a.start, now_, true});
                waiting_.push_back(a.job);
                running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
            }
            return true;
        }
        return false;
    }

    const Plan& plan_;
    Rules rules_;
    Free free_;
    std::vector<Job> waiting_;
    std::vector<Attempt> running_;
    std::vector<std::uint32_t> claimants_; ///< by value: for whom others leave
    std::vector<NaiveAttempt> out_;
    std::int64_t now_{-1};
};

} // namespace bursar::test
