#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/oracle/naive_capacity.hpp"

/// Backfilling as its definitions read, slow on purpose: from event to event, with plain lists that
/// are sorted again at every pass and availability summed up anew for every question. It knows
/// nothing of the engine, and shares no code with it.
namespace bursar::oracle {

struct BackfillJob {
    std::int64_t submit_ms{};
    std::int64_t rank{};                   ///< the queue's order, least first; ties by number
    std::int64_t gpus{1};                  ///< >= 1
    std::uint64_t permitted_pools{1};      ///< bit p: pool p may run it
    std::vector<std::int64_t> held_ms;     ///< by pool: how long it holds its GPUs
    std::vector<std::int64_t> believed_ms; ///< by pool: how long it is believed to
};

enum class BackfillRule : std::uint8_t { easy, conservative };

struct BackfillRules {
    BackfillRule backfill{};
    CapacityRule capacity{};
    PlacementRule placement{};
    std::size_t depth{~std::size_t{0}}; ///< conservative: so many reservations at once
    std::vector<std::size_t> pool_preference;
};

/// What became of each job, and every start that was reserved, as first told.
struct BackfillSchedule {
    std::vector<std::int64_t> start_ms;
    std::vector<std::int64_t> finish_ms;
    std::vector<std::size_t> pool;
    std::map<std::size_t, std::int64_t> reserved_ms; ///< job -> its first reservation
};

class NaiveBackfill {
  public:
    NaiveBackfill(std::vector<BackfillJob> jobs, std::vector<Pool> pools, BackfillRules rules)
        : jobs_{std::move(jobs)}, pools_{std::move(pools)}, rules_{std::move(rules)} {
        schedule_.start_ms.resize(jobs_.size());
        schedule_.finish_ms.resize(jobs_.size());
        schedule_.pool.resize(jobs_.size());
    }

    BackfillSchedule run() && {
        std::size_t coming = 0;
        while (coming < jobs_.size() || !pending_.empty() || !running_.empty()) {
            std::optional<std::int64_t> next;
            if (coming < jobs_.size())
                next = jobs_[coming].submit_ms;
            for (const Running& one : running_)
                next = std::min(next.value_or(one.end_ms), one.end_ms);
            if (!next)
                throw std::logic_error("a pending job is never started");
            now_ = *next;
            end_jobs();
            for (; coming < jobs_.size() && jobs_[coming].submit_ms == now_; ++coming)
                pending_.push_back(coming);
            std::sort(pending_.begin(), pending_.end(), [&](std::size_t a, std::size_t b) {
                return std::tuple{jobs_[a].rank, a} < std::tuple{jobs_[b].rank, b};
            });
            if (rules_.backfill == BackfillRule::easy)
                pass_easy();
            else
                pass_conservative();
        }
        return std::move(schedule_);
    }

  private:
    struct Running {
        std::size_t job{};
        std::size_t pool{};
        std::vector<Share> shares;
        std::int64_t end_ms{};
        std::int64_t believed_end_ms{};
    };
    /// A reservation. nodes: of EASY, all that the head would take.
    struct Reservation {
        std::size_t job{};
        std::size_t pool{};
        std::int64_t start_ms{};
        std::int64_t end_ms{};
        std::vector<Share> shares;
        std::int64_t extra{};

        [[nodiscard]] bool is_instant() const { return start_ms == end_ms; }
        /// Jobs of no length go before all others of their instant.
        [[nodiscard]] auto turn() const { return std::tuple{start_ms, !is_instant(), job}; }
        /// Whether it holds its GPUs from `at` on, for however short a time.
        [[nodiscard]] bool holds_from(std::int64_t at) const {
            return start_ms <= at && at < end_ms;
        }
    };

    void end_jobs() {
        std::vector<Running> left;
        for (const Running& one : running_) {
            if (one.end_ms > now_) {
                left.push_back(one);
                continue;
            }
            schedule_.finish_ms[one.job] = now_;
            if (one.believed_end_ms != now_)
                reservation_.reset();
            ended_early_ = ended_early_ || one.believed_end_ms > now_;
        }
        running_ = left;
    }

    /// Free GPUs of a pool now.
    [[nodiscard]] FreeGpus free_now(std::size_t pool) const {
        FreeGpus free{pools_[pool], rules_.capacity};
        for (const Running& one : running_) {
            if (one.pool == pool)
                free.take(one.shares);
        }
        return free;
    }
    [[nodiscard]] bool may_use(std::size_t job, std::size_t pool) const {
        return (jobs_[job].permitted_pools >> pool & 1U) != 0;
    }

    void start(std::size_t job, std::size_t pool, const std::vector<Share>& shares) {
        running_.push_back({job,
                            pool,
                            shares,
                            now_ + jobs_[job].held_ms[pool],
                            now_ + jobs_[job].believed_ms[pool]});
        std::erase(pending_, job);
        schedule_.start_ms[job] = now_;
        schedule_.pool[job] = pool;
    }

    // EASY

    void pass_easy() {
        while (!pending_.empty() && try_start(pending_.front(), std::nullopt))
            reservation_.reset();
        if (pending_.empty())
            return;
        std::int64_t free = 0;
        for (std::size_t pool = 0; pool < pools_.size(); ++pool)
            free += free_now(pool).total();
        if (free == 0) // nothing to reserve from others: made when something comes free
            return;
        const std::size_t head = pending_.front();
        if (!reservation_ || reservation_->job != head || reservation_->start_ms <= now_)
            reservation_ = reserve(head);
        const std::vector<std::size_t> behind{pending_.begin() + 1, pending_.end()};
        for (const std::size_t job : behind) {
            const std::size_t pool = reservation_->pool;
            const bool ends_in_time =
                may_use(job, pool) &&
                now_ + jobs_[job].believed_ms[pool] <= reservation_->start_ms &&
                free_now(pool).find(jobs_[job].gpus, rules_.placement);
            try_start(job, ends_in_time ? std::nullopt : reservation_);
        }
    }

    /// On the first pool with room, clear of a reservation where there is one.
    bool try_start(std::size_t job, const std::optional<Reservation>& clear_of) {
        for (const std::size_t pool : rules_.pool_preference) {
            if (!may_use(job, pool))
                continue;
            FreeGpus free = free_now(pool);
            if (clear_of && clear_of->pool == pool) {
                if (rules_.capacity == CapacityRule::nodes)
                    free.take_all_of(clear_of->shares);
                else if (jobs_[job].gpus > clear_of->extra)
                    continue;
            }
            const auto shares = free.find(jobs_[job].gpus, rules_.placement);
            if (!shares)
                continue;
            start(job, pool, *shares);
            if (reservation_ && reservation_->pool == pool &&
                running_.back().believed_end_ms > reservation_->start_ms)
                reservation_->extra -= jobs_[job].gpus;
            return true;
        }
        return false;
    }

    [[nodiscard]] Reservation reserve(std::size_t head) {
        std::optional<Reservation> best;
        for (const std::size_t pool : rules_.pool_preference) {
            std::set<std::int64_t> ends;
            for (const Running& one : running_)
                ends.insert(std::max(one.believed_end_ms, now_));
            for (const std::int64_t end : ends) {
                if (!may_use(head, pool) || (best && best->start_ms <= end))
                    break;
                FreeGpus free = free_now(pool);
                for (const Running& one : running_) {
                    if (one.pool == pool && one.believed_end_ms <= end)
                        free.give_back(one.shares);
                }
                const auto shares = free.find(jobs_[head].gpus, rules_.placement);
                if (!shares)
                    continue;
                best = Reservation{head, pool, end, 0, *shares, free.total() - jobs_[head].gpus};
                break;
            }
        }
        if (!best)
            throw std::logic_error("a pending job fits no empty pool");
        schedule_.reserved_ms.try_emplace(head, best->start_ms);
        return *best;
    }

    // Conservative

    void pass_conservative() {
        const bool is_late = std::any_of(promises_.begin(), promises_.end(), [&](const auto& one) {
            return one.second.start_ms < now_;
        });
        if (is_late) {
            promise_anew();
        } else if (ended_early_) {
            ended_early_ = false;
            std::vector<Reservation> by_start;
            for (const auto& [job, one] : promises_)
                by_start.push_back(one);
            std::sort(by_start.begin(), by_start.end(), [](const auto& a, const auto& b) {
                return a.turn() < b.turn();
            });
            for (const Reservation& old : by_start) {
                promises_.erase(old.job);
                const Reservation found = promise(old.job);
                promises_[old.job] =
                    old.is_instant() && found.start_ms >= old.start_ms ? old : found;
            }
        }
        while (true) {
            for (const std::size_t job : pending_) {
                if (promises_.contains(job) || promises_.size() >= rules_.depth)
                    continue;
                promises_[job] = promise(job);
                schedule_.reserved_ms.try_emplace(job, promises_[job].start_ms);
            }
            if (!start_due())
                return;
        }
    }

    /// Starts what is due; whether anything was.
    bool start_due() {
        bool any = false;
        while (true) {
            std::optional<Reservation> due;
            for (const auto& [job, one] : promises_) {
                if (one.start_ms <= now_ && (!due || one.turn() < due->turn()))
                    due = one;
            }
            if (!due)
                return any;
            bool is_free = true;
            FreeGpus free = free_now(due->pool);
            for (const Share& share : due->shares)
                is_free = is_free && free.free_on(share.node) >= share.gpus;
            const bool others_go = std::any_of(
                running_.begin(), running_.end(), [&](const auto& r) { return r.end_ms == now_; });
            if (!is_free && others_go)
                return any;
            if (!is_free) {
                promise_anew();
                continue;
            }
            promises_.erase(due->job);
            start(due->job, due->pool, due->shares);
            ended_early_ = ended_early_ || running_.back().believed_end_ms < due->end_ms;
            any = true;
        }
    }

    void promise_anew() {
        ended_early_ = false;
        std::set<std::size_t> promised;
        for (const auto& [job, one] : promises_)
            promised.insert(job);
        promises_.clear();
        for (Running& one : running_) {
            if (one.believed_end_ms <= now_)
                one.believed_end_ms = now_ + 1;
        }
        for (const std::size_t job : pending_) {
            if (promised.contains(job))
                promises_[job] = promise(job);
        }
    }

    [[nodiscard]] Reservation promise(std::size_t job) const {
        std::optional<Reservation> best;
        for (const std::size_t pool : rules_.pool_preference) {
            const std::int64_t held = jobs_[job].believed_ms[pool];
            std::set<std::int64_t> instants{now_};
            for (const Running& one : running_)
                instants.insert(std::max(one.believed_end_ms, now_));
            for (const auto& [other, one] : promises_)
                instants.insert(std::max(one.end_ms, now_));
            for (const std::int64_t at : instants) {
                if (!may_use(job, pool) || (best && best->start_ms <= at))
                    break;
                const auto shares =
                    free_over(pool, at, at + held).find(jobs_[job].gpus, rules_.placement);
                if (!shares)
                    continue;
                best = Reservation{job, pool, at, at + held, *shares, 0};
                break;
            }
        }
        if (!best)
            throw std::logic_error("a pending job fits no empty pool");
        return *best;
    }

    /// What of a pool is free over [begin, end), as believed: from each instant on, and, at an
    /// instant inside that a job of no length needs, beside what that one takes. Of begin == end:
    /// from that instant on.
    [[nodiscard]] FreeGpus
    free_over(std::size_t pool, std::int64_t begin_ms, std::int64_t end_ms) const {
        const auto free_where = [&](std::int64_t at, const auto& holds) {
            FreeGpus free{pools_[pool], rules_.capacity};
            for (const Running& one : running_) {
                if (one.pool == pool && one.believed_end_ms > at)
                    free.take(one.shares);
            }
            for (const auto& [job, one] : promises_) {
                if (one.pool == pool && holds(one))
                    free.take(one.shares);
            }
            return free;
        };
        const auto free_from = [&](std::int64_t at) {
            return free_where(at, [&](const Reservation& one) { return one.holds_from(at); });
        };
        FreeGpus least = free_from(begin_ms);
        for (const auto& [job, one] : promises_) {
            const std::int64_t at = one.start_ms;
            if (at <= begin_ms || at >= end_ms || one.pool != pool)
                continue;
            least = least.least_of(
                !one.is_instant() ? free_from(at) : free_where(at, [&](const Reservation& r) {
                    return (r.start_ms < at && at < r.end_ms) || r.job == one.job;
                }));
        }
        return least;
    }

    std::vector<BackfillJob> jobs_; ///< by submit time
    std::vector<Pool> pools_;
    BackfillRules rules_;
    std::int64_t now_{};
    std::vector<std::size_t> pending_; ///< in the queue's order
    std::vector<Running> running_;
    std::optional<Reservation> reservation_;      ///< EASY
    std::map<std::size_t, Reservation> promises_; ///< conservative, by job
    bool ended_early_{};
    BackfillSchedule schedule_;
};

} // namespace bursar::oracle
