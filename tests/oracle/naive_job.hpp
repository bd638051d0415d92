#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tests/oracle/naive_capacity.hpp"
#include "tests/oracle/naive_world.hpp"
#include "tests/oracle/time_stepping.hpp"

namespace bursar::oracle {

/// Who gets all of its work saved when it loses its GPUs before it is done. The save takes save_ms
/// and write_ms, holding its GPUs.
enum class Saving : std::uint8_t {
    when_preempted, ///< whoever is stopped, if there is time
    when_announced, ///< whose nodes are taken back or worked on, if there is time
    never
};

/// What becomes of a job's work when it ends.
enum class Outcome : std::uint8_t { kept, failed, cancelled, node_failed };

/// Pools that a job with a deadline may use while it can afford to wait for them, and others from
/// then on.
struct Fallback {
    std::uint64_t early{};
    std::uint64_t late{};
    std::int64_t loss_ms{}; ///< the most that one attempt on an early pool may lose
    std::int64_t boot_ms{}; ///< of a node of a late pool
    std::int64_t number{};  ///< among those that have one; from 1 on
};

/// How a job fails by itself.
struct Failing {
    std::function<std::int64_t(std::int64_t)> wear; ///< that its failure of that number takes
    std::vector<std::int64_t> per_ms;               ///< by pool: wear in a millisecond of its run
    std::vector<std::int64_t> hold_ms;              ///< by pool: until anybody notices
};

/// A job as its user hands it in. Times in ms.
struct Request {
    std::int64_t submit_ms{};
    std::int64_t work_ms{}; ///< at full speed
    std::int64_t gpus{1};
    std::uint64_t permitted_pools{1}; ///< bit p: pool p may run it
    std::int64_t startup_ms{};        ///< holding GPUs before work, first attempt
    std::int64_t recovery_ms{};       ///< likewise, every later attempt
    std::int64_t teardown_ms{};       ///< holding GPUs after the work has ended
    Saving saving{Saving::when_preempted};
    std::int64_t save_ms{};
    std::int64_t interval_ms{};  ///< at work between one save and the next; 0: none on the way
    std::int64_t write_ms{};     ///< after a save, until what it holds lasts
    std::int64_t full_every{1};  ///< one of so many saves on the way takes save_ms, the first
    std::int64_t increment_ms{}; ///< the others, which last only with those that they build on
    std::int64_t increment_write_ms{};         ///< after one of them
    std::optional<std::int64_t> estimate_ms{}; ///< of the work, as the scheduler believes
    std::int64_t priority{};                   ///< higher is more important
    std::optional<std::int64_t> deadline_ms{}; ///< a point in time
    std::int64_t value{};                      ///< of finishing it
    std::uint64_t key{};                       ///< Order::by_key
    std::size_t tenant{};
    std::int64_t cpu_milli{};           ///< of the whole gang
    std::int64_t memory_mib{};          ///< likewise
    Outcome outcome{};                  ///< known only as it ends
    std::optional<Fallback> fallback{}; ///< permitted_pools change with it
    std::size_t order_row{};            ///< NaiveRules::pool_orders: the place of its own
    std::int64_t egress{};              ///< of what it has saved, to another region
    std::vector<Pace> paces{};          ///< by pool; empty: full speed, no stalls
    std::vector<Pace> slow_paces{};     ///< by pool, with a slow node; empty: as paces
    std::optional<Failing> failing{};   ///< none: it never does

    /// Whether all that was done is saved at such a stop, given the time.
    [[nodiscard]] bool gets_saved(Cause cause) const {
        if (is_abrupt(cause))
            return false;
        if (saving == Saving::when_announced)
            return cause == Cause::reclaimed || cause == Cause::maintenance;
        return saving == Saving::when_preempted;
    }
    /// What the save with that number, of an attempt, takes.
    [[nodiscard]] std::int64_t save_time(std::int64_t number) const {
        return number % full_every == 0 ? save_ms : increment_ms;
    }
    /// When what it holds lasts, if that save is over at end_ms and those that it builds on last
    /// from base_ms on.
    [[nodiscard]] std::int64_t
    lasts_from(std::int64_t number, std::int64_t end_ms, std::int64_t base_ms) const {
        return number % full_every == 0 ? end_ms + write_ms
                                        : std::max(base_ms, end_ms + increment_write_ms);
    }
    /// Of so much time since work began, up to where what was done lasts.
    [[nodiscard]] std::int64_t lasting_ms(std::int64_t time_ms, std::int64_t every_ms) const {
        std::int64_t lasts = 0;
        std::int64_t from = 0;
        std::int64_t end = 0;
        for (std::int64_t number = 0; every_ms > 0; ++number) {
            end += every_ms + save_time(number);
            if (end > time_ms)
                break;
            from = lasts_from(number, end, from);
            if (from <= time_ms)
                lasts = end;
        }
        return lasts;
    }
    /// What the saves within so much work take: none where it ends.
    [[nodiscard]] std::int64_t saving_in(std::int64_t of_ms, std::int64_t every_ms) const {
        std::int64_t sum = 0;
        std::int64_t number = 0;
        for (std::int64_t at = every_ms; every_ms > 0 && at < of_ms; at += every_ms)
            sum += save_time(number++);
        return sum;
    }
    /// What it may use at first.
    [[nodiscard]] std::uint64_t first_pools() const {
        return fallback ? fallback->early : permitted_pools;
    }
    [[nodiscard]] std::int64_t number() const { return fallback ? fallback->number : 0; }
    [[nodiscard]] std::int64_t believed_work_ms() const { return estimate_ms.value_or(work_ms); }
    [[nodiscard]] Pace pace_on(std::size_t pool, bool has_slow_node = false) const {
        if (has_slow_node && !slow_paces.empty())
            return slow_paces[pool];
        return paces.empty() ? Pace{} : paces[pool];
    }
    /// What a scheduler counts on that does not know the nodes yet.
    [[nodiscard]] Pace worst_pace_on(std::size_t pool) const { return pace_on(pool, true); }
};

/// One stretch of time in which a job held its GPUs.
struct AttemptRow {
    std::size_t job{};
    std::size_t pool{};
    std::int64_t start_ms{};
    std::int64_t end_ms{};
    Cause cause{}; ///< none: it came to its own end
    std::vector<Share> shares;

    bool operator==(const AttemptRow&) const = default;
};

/// Slot-milliseconds of GPUs that jobs held, by what they did.
struct HeldSplit {
    std::int64_t startup{};
    std::int64_t recovery{};
    std::int64_t checkpoint{};
    std::int64_t hang{};
    std::int64_t teardown{};
    std::array<std::int64_t, num_stalls> stalled{};
    std::int64_t useful{};
    std::int64_t lost_to_preemption{};
    std::int64_t lost_to_failure{};
    std::int64_t lost_failed{};
    std::int64_t lost_cancelled{};
};

/// What became of the nodes of a pool.
struct FleetUse {
    std::int64_t paid_ms{};
    std::int64_t least{}; ///< there at once, also inside an instant
    std::int64_t most{};  ///< likewise
    std::int64_t launches{};
    std::int64_t reclaims{};
    std::int64_t failures{};
    std::int64_t failed_launches{};

    bool operator==(const FleetUse&) const = default;
};

/// What became of it all. Per-job columns are in input order.
struct History {
    std::vector<std::int64_t> first_start_ms;
    std::vector<std::int64_t> finish_ms;
    std::vector<std::int64_t> num_preemptions;
    std::vector<AttemptRow> attempts;      ///< by end, ties by job
    std::vector<IdleSplit> idle;           ///< by pool
    std::vector<HeldSplit> held;           ///< by pool
    std::vector<std::int64_t> booting;     ///< by pool, slot-ms of nodes not there yet
    std::vector<std::int64_t> spare;       ///< by pool, slot-ms of nodes kept aside
    std::vector<std::int64_t> offline;     ///< by pool, other slot-ms that nobody could have
    std::vector<std::int64_t> unlaunched;  ///< by pool, slot-ms paid for after a node's end
    std::vector<FleetUse> nodes;           ///< by pool
    std::int64_t end_ms{};                 ///< when nothing could happen any more
    std::vector<std::int64_t> promised_ms; ///< what backfill first promised each job; -1: nothing
    std::int64_t num_promised{};
};

} // namespace bursar::oracle
