#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/ledger/leaf.hpp"
#include "sim/plan/plan.hpp"

namespace bursar::test {

/// Preemption in the queue's order by definition: time advances millisecond by millisecond, and at
/// every instant with a change all jobs are walked in order. GPUs are counted. It shares nothing
/// with the engine: no closed form, no heap, no event queue.
class NaivePreemption {
  public:
    enum class Order : std::uint8_t { submit, run_time, remaining, attained };

    struct Attempt {
        std::size_t job{};
        std::size_t pool{};
        std::int64_t start_ms{};
        std::int64_t stop_ms{}; ///< when its GPUs were free again
        bool operator==(const Attempt&) const = default;
        auto operator<=>(const Attempt&) const = default;
    };

    /// limits: GPU-ms at which the levels of Order::attained end.
    NaivePreemption(const Plan& plan,
                    Order order,
                    std::vector<std::int64_t> limits,
                    bool owes_recovery)
        : plan_{plan}, order_{order}, limits_{std::move(limits)}, owes_recovery_{owes_recovery},
          jobs_(plan.num_jobs()), lists_(limits_.size() + 1) {
        for (std::size_t job = 0; job < jobs_.size(); ++job) {
            jobs_[job].work_left = plan.work_ms[job];
            jobs_[job].delay = class_of(job).startup.count();
        }
    }

    /// Runs all jobs to their end.
    void run() {
        for (; num_done_ < jobs_.size(); ++now_) {
            while (happens()) {
            }
            for (std::size_t job = 0; job < jobs_.size(); ++job)
                pass_a_millisecond(job);
        }
    }

    std::vector<Attempt> attempts; ///< all attempts, by end
    std::uint64_t num_preempted{};
    std::map<std::pair<std::size_t, Leaf>, int128> leaves; ///< slot-ms by pool, without idle leaves

  private:
    enum class State : std::uint8_t { unknown, waiting, running, saving, done };

    /// A save, durable or still being written.
    struct Write {
        std::int64_t worked{};
        std::int64_t left{};
        bool is_full{};
    };

    struct Job {
        State state{};
        std::size_t pool{};
        std::int64_t start{};
        std::int64_t work_left{};    ///< at reference speed, at the attempt's start
        std::int64_t attained{};     ///< ms with GPUs, without saves at stops
        std::int64_t delay{};        ///< of the next attempt
        std::int64_t key_at_start{}; ///< Order::remaining
        std::int64_t level{};        ///< Order::attained: at the last test
        std::int64_t num_preempted{};
        // The attempt in progress, ms by ms.
        std::int64_t delay_left{};
        std::int64_t need{}; ///< time at work until it is done
        std::int64_t worked{};
        std::int64_t safe{}; ///< part of `worked` in its last durable save
        std::int64_t num_saves{};
        std::vector<Write> writes; ///< of the attempt
        std::int64_t save_left{};
        std::int64_t teardown_left{};
    };

    [[nodiscard]] const PlanClass& class_of(std::size_t job) const {
        return plan_.classes[plan_.job_class[job]];
    }
    [[nodiscard]] std::int64_t gpus(std::size_t job) const { return plan_.gpus(job); }
    [[nodiscard]] std::int64_t speed(std::size_t job, std::size_t pool) const {
        const PlanSpeed* speed = plan_.speed_of(job, pool);
        return speed == nullptr ? reference_speed : speed->speed;
    }
    [[nodiscard]] bool has_worked(const Job& job) const {
        return job.delay_left == 0 && job.worked == job.need && job.save_left == 0;
    }
    void book(std::size_t job, Leaf leaf, std::int64_t slots, std::int64_t ms) {
        if (slots * ms != 0)
            leaves[{jobs_[job].pool, leaf}] += int128{slots} * ms;
    }
    void book_work(std::size_t job, Leaf leaf, std::int64_t ms) {
        std::int64_t slots = gpus(job) * slots_per_gpu;
        const PlanSpeed* speed = plan_.speed_of(job, jobs_[job].pool);
        if (speed != nullptr && group_of(leaf) != LeafGroup::lost) {
            for (std::size_t i = 0; i < num_stalls; ++i) {
                constexpr Leaf stalls[num_stalls]{Leaf::stall_input,
                                                  Leaf::stall_comm,
                                                  Leaf::stall_bubble,
                                                  Leaf::stall_sync,
                                                  Leaf::stall_interference};
                book(job, stalls[i], speed->stalled_slots[i], ms);
                slots -= speed->stalled_slots[i];
            }
        }
        book(job, leaf, slots, ms);
    }
    [[nodiscard]] Leaf kept_leaf(std::size_t job) const {
        switch (plan_.end[job]) {
        case JobEnd::completed:
            return Leaf::prod_useful;
        case JobEnd::failed:
            return Leaf::lost_job_failed;
        case JobEnd::cancelled:
            return Leaf::lost_cancelled;
        case JobEnd::stopped:
            return Leaf::lost_stopped;
        case JobEnd::node_failed:
            return Leaf::lost_failure;
        case JobEnd::rejected:
            break;
        }
        return Leaf::prod_useful;
    }

    [[nodiscard]] static bool is_periodic(const PlanClass& of) {
        return of.checkpoint == Checkpoint::every ||
               of.checkpoint == Checkpoint::every_on_preempt ||
               of.checkpoint == Checkpoint::every_on_notice;
    }
    [[nodiscard]] static std::int64_t save_of(const PlanClass& of, std::int64_t number) {
        return number % of.full_every == 0 ? of.save.count() : of.increment.count();
    }
    [[nodiscard]] std::int64_t interval(std::size_t job) const {
        const PlanSpeed* speed = plan_.speed_of(job, jobs_[job].pool);
        return speed == nullptr || speed->interval_ms == 0 ? class_of(job).interval.count()
                                                           : speed->interval_ms;
    }
    void write(std::size_t id) {
        Job& job = jobs_[id];
        const PlanClass& of = class_of(id);
        const bool is_full = (job.num_saves - 1) % of.full_every == 0;
        job.writes.push_back(
            {job.worked, is_full ? of.write.count() : of.increment_write.count(), is_full});
        find_safe(job);
    }
    /// An increment needs the save that it builds on.
    static void find_safe(Job& job) {
        bool is_there = false;
        for (const Write& one : job.writes) {
            is_there = one.left == 0 && (one.is_full || is_there);
            if (is_there)
                job.safe = one.worked;
        }
    }

    void pass_a_millisecond(std::size_t id) {
        Job& job = jobs_[id];
        if (job.state != State::running && job.state != State::saving)
            return;
        job.attained += job.state == State::running ? 1 : 0;
        for (Write& one : job.writes)
            one.left -= one.left > 0 ? 1 : 0;
        find_safe(job);
        const std::int64_t slots = gpus(id) * slots_per_gpu;
        if (job.state == State::saving) {
            --job.save_left;
            book(id, Leaf::over_checkpoint, slots, 1);
        } else if (job.delay_left > 0) {
            --job.delay_left;
            book(id, job.num_preempted > 0 ? Leaf::over_recovery : Leaf::over_startup, slots, 1);
        } else if (job.save_left > 0) {
            book(id, Leaf::over_checkpoint, slots, 1);
            if (--job.save_left == 0)
                write(id);
        } else if (job.worked < job.need) {
            ++job.worked;
            const PlanClass& of = class_of(id);
            if (is_periodic(of) && job.worked % interval(id) == 0 && job.worked < job.need) {
                job.save_left = save_of(of, job.num_saves++);
                if (job.save_left == 0)
                    write(id);
            }
        } else {
            --job.teardown_left;
            book(id, Leaf::over_teardown, slots, 1);
        }
    }

    /// One round of this instant. Returns whether it changed anything.
    bool happens() {
        bool changed = false;
        for (std::size_t id = 0; id < jobs_.size(); ++id) {
            Job& job = jobs_[id];
            if (job.state == State::running && has_worked(job) && job.teardown_left == 0) {
                book_work(id, kept_leaf(id), job.worked);
                release(id, State::done);
                ++num_done_;
                changed = true;
            } else if (job.state == State::saving && job.save_left == 0) {
                release(id, State::waiting);
                changed = true;
            }
        }
        for (std::size_t id = 0; id < jobs_.size(); ++id)
            changed = change_level(id) || changed;
        for (std::size_t id = 0; id < jobs_.size(); ++id) {
            if (jobs_[id].state == State::unknown && plan_.submit_ms[id] == now_) {
                jobs_[id].state = State::waiting;
                lists_[0].push_back(id);
                changed = true;
            }
        }
        if (changed)
            hand_out();
        return changed;
    }

    void release(std::size_t id, State state) {
        attempts.push_back({id, jobs_[id].pool, jobs_[id].start, now_});
        jobs_[id].state = state;
        if (state == State::done)
            std::erase(lists_[static_cast<std::size_t>(jobs_[id].level)], id);
    }

    bool change_level(std::size_t id) {
        Job& job = jobs_[id];
        if (order_ != Order::attained || job.state != State::running || has_worked(job))
            return false;
        std::int64_t level = 0;
        while (level < std::ssize(limits_) &&
               job.attained * gpus(id) >= limits_[static_cast<std::size_t>(level)])
            ++level;
        if (level == job.level)
            return false;
        std::erase(lists_[static_cast<std::size_t>(job.level)], id);
        job.level = level;
        lists_[static_cast<std::size_t>(level)].push_back(id);
        return true;
    }

    /// Time of the saves between its work, at reference speed.
    [[nodiscard]] std::int64_t saves_ahead(std::size_t id, const Job& job) const {
        const PlanClass& of = plan_.classes[plan_.job_class[id]];
        std::int64_t sum = 0;
        std::int64_t number = 0;
        for (std::int64_t at = of.interval.count(); is_periodic(of) && at < job.work_left;
             at += of.interval.count())
            sum += save_of(of, number++);
        return sum;
    }

    [[nodiscard]] std::int64_t key(std::size_t id) const {
        const Job& job = jobs_[id];
        switch (order_) {
        case Order::submit:
        case Order::attained:
            return 0;
        case Order::run_time:
            return plan_.work_ms[id];
        case Order::remaining:
            return job.state == State::running ? job.key_at_start - (now_ - job.start)
                                               : job.delay + job.work_left + saves_ahead(id, job);
        }
        return 0;
    }

    /// Running and waiting jobs in their order; running ones whose work has ended are settled.
    [[nodiscard]] std::vector<std::size_t> in_order() const {
        std::vector<std::size_t> order;
        if (order_ == Order::attained) {
            for (const auto& list : lists_)
                order.insert(order.end(), list.begin(), list.end());
        } else {
            for (std::size_t id = 0; id < jobs_.size(); ++id)
                order.push_back(id);
            std::ranges::stable_sort(order, {}, [&](std::size_t id) { return key(id); });
        }
        std::erase_if(order, [&](std::size_t id) {
            const Job& job = jobs_[id];
            return job.state != State::waiting && (job.state != State::running || has_worked(job));
        });
        return order;
    }

    void hand_out() {
        for (bool goes_on = true; goes_on;) {
            std::vector<std::int64_t> left;
            std::vector<std::int64_t> free;
            for (const PlanPool& pool : plan_.pools)
                free.push_back(pool.num_gpus());
            left = free;
            for (std::size_t id = 0; id < jobs_.size(); ++id) {
                const Job& job = jobs_[id];
                if (job.state == State::running || job.state == State::saving)
                    free[job.pool] -= gpus(id);
                if (job.state == State::running && has_worked(job))
                    left[job.pool] -= gpus(id);
            }
            std::vector<std::size_t> losers;
            std::vector<std::pair<std::size_t, std::size_t>> winners; // and their pools
            for (const std::size_t id : in_order()) {
                Job& job = jobs_[id];
                if (job.state == State::running) {
                    if (left[job.pool] >= gpus(id))
                        left[job.pool] -= gpus(id);
                    else
                        losers.push_back(id);
                    continue;
                }
                for (const std::uint16_t pool : plan_.pool_preference) {
                    if (permits(id, pool) && left[pool] >= gpus(id)) {
                        left[pool] -= gpus(id);
                        winners.emplace_back(id, pool);
                        break;
                    }
                }
            }
            for (const std::size_t id : losers)
                free[jobs_[id].pool] += stop(id) ? gpus(id) : 0;
            bool moved = false; // another job may get its first pool's GPUs
            for (const auto& [id, given] : winners) {
                std::size_t pool = given;
                for (const std::uint16_t other : plan_.pool_preference) {
                    if (free[pool] < gpus(id) && free[other] >= gpus(id) &&
                        left[other] >= gpus(id) && permits(id, other))
                        pool = other;
                }
                if (free[pool] < gpus(id))
                    continue; // its GPUs are held for it
                left[given] += gpus(id);
                left[pool] -= gpus(id);
                moved = moved || pool != given;
                free[pool] -= gpus(id);
                start(id, pool);
            }
            for (auto& list : lists_) {
                std::ranges::stable_partition(
                    list, [&](std::size_t id) { return jobs_[id].state == State::running; });
            }
            goes_on = !losers.empty() || moved;
        }
    }

    [[nodiscard]] bool permits(std::size_t id, std::size_t pool) const {
        return (plan_.shapes[plan_.shape[id]].permitted_pools >> pool & 1U) != 0;
    }

    void start(std::size_t id, std::size_t pool) {
        Job& job = jobs_[id];
        job.state = State::running;
        job.key_at_start = job.delay + job.work_left + saves_ahead(id, job);
        job.pool = pool;
        job.start = now_;
        job.delay_left = job.delay;
        job.need = (job.work_left * reference_speed + speed(id, pool) - 1) / speed(id, pool);
        job.worked = job.safe = job.save_left = job.num_saves = 0;
        job.writes.clear();
        job.teardown_left = class_of(id).teardown.count();
    }

    /// Returns whether its GPUs are free at once.
    bool stop(std::size_t id) {
        Job& job = jobs_[id];
        const PlanClass& of = class_of(id);
        ++num_preempted;
        const bool saves = (of.checkpoint == Checkpoint::on_preempt ||
                            of.checkpoint == Checkpoint::every_on_preempt) &&
                           job.worked > job.safe;
        if (saves)
            job.safe = job.worked;
        book_work(id, kept_leaf(id), job.safe);
        book_work(id, Leaf::lost_preempt, job.worked - job.safe);
        job.work_left -= job.safe * speed(id, job.pool) / reference_speed;
        job.delay =
            of.recovery.count() + (owes_recovery_ && job.num_preempted > 0 ? job.delay_left : 0);
        ++job.num_preempted;
        job.save_left = saves ? of.save.count() + of.write.count() : 0;
        if (job.save_left > 0) {
            job.state = State::saving;
            return false;
        }
        release(id, State::waiting);
        return true;
    }

    const Plan& plan_;
    Order order_;
    std::vector<std::int64_t> limits_;
    bool owes_recovery_;
    std::vector<Job> jobs_;
    std::vector<std::vector<std::size_t>> lists_; ///< per level, Tiresias' lists
    std::int64_t now_{};
    std::size_t num_done_{};
};

} // namespace bursar::test
