#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/oracle/naive_capacity.hpp"
#include "tests/oracle/naive_idle_split.hpp"

/// A second, independent way to the engine's answer, slow on purpose: time advances tick by tick,
/// every list is a plain vector, the queue is sorted again at each step. It shares no code with the
/// engine.
namespace bursar::oracle {

inline constexpr std::uint64_t every_pool = std::numeric_limits<std::uint64_t>::max();
inline constexpr std::int64_t slots_in_gpu = 1000;
inline constexpr std::size_t num_stalls = 5; ///< input, communication, bubble, sync, interference
inline constexpr std::int64_t full_speed = 1'048'576;

/// The speed and stalls of a job on one pool.
struct Pace {
    std::int64_t speed{full_speed};                    ///< work done per time, of full_speed; > 0
    std::array<std::int64_t, num_stalls> idle_slots{}; ///< of its slots, while at work, by stall
    std::int64_t interval_ms{}; ///< at work between saves; 0: the job's own interval
};

struct Job {
    std::int64_t submit_ms{};   ///< >= 0
    std::int64_t work_ms{};     ///< >= 0, at full speed; what SJF orders by
    std::int64_t overhead_ms{}; ///< startup and teardown, in addition to the work; >= 0
    std::int64_t gpus{1};       ///< >= 1
    std::uint64_t permitted_pools{every_pool}; ///< bit p: pool p may run it
    std::vector<Pace> paces{};                 ///< by pool; empty: full speed, no stalls
};

enum class QueueRule : std::uint8_t { fifo, sjf };
enum class HeadRule : std::uint8_t {
    block, ///< the first job that does not fit stops the pass
    skip   ///< the pass continues with the next
};

struct Rules {
    QueueRule queue{QueueRule::fifo};
    HeadRule head{HeadRule::block};
    CapacityRule capacity{CapacityRule::count};
    PlacementRule placement{PlacementRule::consolidated};
    std::vector<std::size_t>
        pool_preference; ///< pools in the order they are tried; empty: as given
};

/// Slot-milliseconds of jobs at work.
struct WorkSplit {
    std::array<std::int64_t, num_stalls> stalled{};
    std::int64_t working{};
};

/// The result: jobs in input order; free and working GPUs of each pool from time 0 to the last
/// finish (slot-milliseconds).
struct Schedule {
    std::vector<std::int64_t> start_ms;
    std::vector<std::int64_t> finish_ms;
    std::vector<std::size_t> pool;
    std::vector<IdleSplit> idle;
    std::vector<WorkSplit> work;
};

class TimeStepper {
  public:
    TimeStepper(std::vector<Job> jobs, std::vector<Pool> pools, Rules rules)
        : jobs_{std::move(jobs)}, pools_{std::move(pools)}, rules_{std::move(rules)} {
        if (rules_.pool_preference.empty()) {
            rules_.pool_preference.resize(pools_.size());
            std::iota(rules_.pool_preference.begin(), rules_.pool_preference.end(), 0U);
        }
        for (const Pool& pool : pools_)
            free_.emplace_back(pool, rules_.capacity);
        for (std::size_t job = 0; job < jobs_.size(); ++job) {
            coming_.push_back(job);
            if (pools_.size() < 64)
                jobs_[job].permitted_pools &= (std::uint64_t{1} << pools_.size()) - 1;
        }
        schedule_.start_ms.resize(jobs_.size());
        schedule_.finish_ms.resize(jobs_.size());
        schedule_.pool.resize(jobs_.size());
        schedule_.idle.resize(pools_.size());
        schedule_.work.resize(pools_.size());
    }

    /// Steps from time 0 until every job has finished. Throws std::logic_error when a job is too
    /// large for every pool it may use.
    Schedule run() && {
        const std::int64_t tick = choose_tick();
        while (true) {
            settle_instant();
            if (coming_.empty() && pending_.empty() && running_.empty())
                return std::move(schedule_);
            if (coming_.empty() && running_.empty())
                throw std::logic_error("a pending job fits no empty pool");
            charge_idle(tick);
            get_on(tick);
            now_ += tick;
        }
    }

  private:
    struct Running {
        std::size_t job{};
        std::size_t pool{};
        std::vector<Share> shares;
        std::int64_t overhead_left{}; ///< ms; passes before work begins
        std::int64_t work_left{};     ///< ms times full_speed; below zero: the last tick had more

        [[nodiscard]] bool is_done() const { return overhead_left == 0 && work_left <= 0; }
    };

    /// 1 s when every time in the input is whole seconds, else 1 ms.
    [[nodiscard]] std::int64_t choose_tick() const {
        for (const Job& job : jobs_)
            if (job.submit_ms % 1000 != 0 || job.work_ms % 1000 != 0 ||
                job.overhead_ms % 1000 != 0 || !job.paces.empty())
                return 1;
        return 1000;
    }

    [[nodiscard]] Pace pace_of(const Running& attempt) const {
        const std::vector<Pace>& paces = jobs_[attempt.job].paces;
        return paces.empty() ? Pace{} : paces[attempt.pool];
    }

    /// One tick of every running job.
    void get_on(std::int64_t tick) {
        for (Running& attempt : running_) {
            if (attempt.overhead_left > 0) {
                attempt.overhead_left -= tick;
                continue;
            }
            const Pace pace = pace_of(attempt);
            attempt.work_left -= tick * pace.speed;
            WorkSplit& sum = schedule_.work[attempt.pool];
            std::int64_t working = jobs_[attempt.job].gpus * slots_in_gpu;
            for (std::size_t stall = 0; stall < num_stalls; ++stall) {
                sum.stalled[stall] += pace.idle_slots[stall] * tick;
                working -= pace.idle_slots[stall];
            }
            sum.working += working * tick;
        }
    }

    /// All events of this instant: ends, then arrivals, then one pass; again while the pass starts
    /// jobs of zero length, which end at this instant.
    void settle_instant() {
        do {
            end_jobs();
            receive_arrivals();
            schedule_pending();
        } while (std::any_of(running_.begin(), running_.end(), [](const Running& attempt) {
            return attempt.is_done();
        }));
    }

    void end_jobs() {
        std::vector<Running> still_running;
        for (Running& attempt : running_) {
            if (!attempt.is_done()) {
                still_running.push_back(std::move(attempt));
                continue;
            }
            free_[attempt.pool].give_back(attempt.shares);
            schedule_.finish_ms[attempt.job] = now_;
        }
        running_ = std::move(still_running);
    }

    void receive_arrivals() {
        std::vector<std::size_t> later;
        for (const std::size_t job : coming_)
            (jobs_[job].submit_ms == now_ ? pending_ : later).push_back(job);
        coming_ = std::move(later);
    }

    void schedule_pending() {
        std::sort(pending_.begin(), pending_.end(), [&](std::size_t a, std::size_t b) {
            const auto key = [&](std::size_t job) {
                const std::int64_t rank = rules_.queue == QueueRule::sjf ? jobs_[job].work_ms : 0;
                return std::tuple{rank, jobs_[job].submit_ms, job};
            };
            return key(a) < key(b);
        });
        std::vector<std::size_t> left;
        bool is_blocked = false;
        for (const std::size_t job : pending_) {
            if (is_blocked || !try_start(job)) {
                left.push_back(job);
                is_blocked = rules_.head == HeadRule::block;
            }
        }
        pending_ = std::move(left);
    }

    bool try_start(std::size_t job) {
        for (const std::size_t pool : rules_.pool_preference) {
            if ((jobs_[job].permitted_pools >> pool & 1U) == 0)
                continue;
            auto shares = free_[pool].find(jobs_[job].gpus, rules_.placement);
            if (!shares)
                continue;
            free_[pool].take(*shares);
            schedule_.start_ms[job] = now_;
            schedule_.pool[job] = pool;
            running_.push_back({job,
                                pool,
                                *std::move(shares),
                                jobs_[job].overhead_ms,
                                jobs_[job].work_ms * full_speed});
            return true;
        }
        return false;
    }

    /// Under `block` a blocked head holds every free GPU of every pool.
    void charge_idle(std::int64_t tick) {
        std::vector<std::int64_t> free_gpus;
        for (const FreeGpus& pool : free_)
            free_gpus.push_back(pool.total());
        std::vector<IdleSplit> split(pools_.size());
        if (rules_.head == HeadRule::block && !pending_.empty()) {
            for (std::size_t pool = 0; pool < pools_.size(); ++pool)
                split[pool].gang = free_gpus[pool];
        } else {
            std::vector<Demand> demand;
            for (const std::size_t job : pending_)
                demand.push_back({jobs_[job].gpus, jobs_[job].permitted_pools, jobs_[job].gpus});
            split = split_idle(pools_, free_gpus, demand);
        }
        for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
            IdleSplit& sum = schedule_.idle[pool];
            sum.no_demand += split[pool].no_demand * slots_in_gpu * tick;
            sum.ineligible += split[pool].ineligible * slots_in_gpu * tick;
            sum.fragmented += split[pool].fragmented * slots_in_gpu * tick;
            sum.gang += split[pool].gang * slots_in_gpu * tick;
        }
    }

    std::vector<Job> jobs_;
    std::vector<Pool> pools_;
    Rules rules_;
    std::vector<FreeGpus> free_;       ///< by pool
    std::vector<std::size_t> coming_;  ///< not submitted yet, in input order
    std::vector<std::size_t> pending_; ///< in queue order as of the last pass
    std::vector<Running> running_;
    std::int64_t now_{};
    Schedule schedule_;
};

inline Schedule step_through_time(std::vector<Job> jobs, std::vector<Pool> pools, Rules rules) {
    return TimeStepper{std::move(jobs), std::move(pools), std::move(rules)}.run();
}

} // namespace bursar::oracle
