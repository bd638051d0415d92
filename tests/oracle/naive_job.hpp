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

/// When a job saves all its work at a stop. The save takes save_ms and write_ms, holding its GPUs.
enum class Saving : std::uint8_t {
    when_preempted, ///< at every stop, if there is time
    when_announced, ///< at reclaims and maintenance, if there is time
    never
};

/// The outcome of a job's work at its end.
enum class Outcome : std::uint8_t { kept, failed, cancelled, node_failed, stopped };

/// Pools that a job with a deadline may use while it can afford to wait for them, and the pools
/// after that.
struct Fallback {
    std::uint64_t early{};
    std::uint64_t late{};
    std::int64_t loss_ms{}; ///< the most that one attempt on an early pool may lose
    std::int64_t boot_ms{}; ///< of a node of a late pool
    std::int64_t number{};  ///< number of the fallback, from 1 on
};

/// How a job fails by its own fault.
struct Failing {
    std::function<std::int64_t(std::int64_t)> wear; ///< wear until the failure of that number
    std::vector<std::int64_t> per_ms;               ///< by pool: wear per millisecond of its run
    std::vector<std::int64_t> hold_ms;              ///< by pool: time until it is noticed
};

/// A number of GPUs that a job may have, and what goes with it; as in Request.
struct Form {
    std::int64_t gpus{};
    std::uint64_t permitted_pools{};
    std::int64_t cpu_milli{};
    std::int64_t memory_mib{};
    std::vector<Pace> paces{};
    std::vector<Pace> slow_paces{};
    std::vector<std::int64_t> failing_per_ms{}; ///< empty: it never fails
};

/// How a job works beside one of that class on the same GPUs, of which each has half.
struct Beside {
    std::size_t of_class{};
    std::uint64_t pools{};
    std::vector<Pace> paces{};
    std::vector<Pace> slow_paces{};
};

/// A submitted job. Times in ms.
struct Request {
    std::int64_t submit_ms{};
    std::int64_t work_ms{}; ///< at full speed
    std::int64_t gpus{1};
    std::uint64_t permitted_pools{1}; ///< bit p: pool p may run it
    std::int64_t startup_ms{};        ///< holding GPUs before work, first attempt
    std::int64_t staged_ms{};         ///< of startup_ms: what can be staged ahead
    std::size_t of_class{};
    std::int64_t recovery_ms{}; ///< likewise, every later attempt
    std::int64_t teardown_ms{}; ///< holding GPUs after the work has ended
    Saving saving{Saving::when_preempted};
    std::int64_t save_ms{};
    std::int64_t interval_ms{};        ///< at work between two saves; 0: no saves at intervals
    std::int64_t write_ms{};           ///< after a save, until it is durable
    std::int64_t full_every{1};        ///< the first of this many saves takes save_ms
    std::int64_t increment_ms{};       ///< save time of the others, which build on those before
    std::int64_t increment_write_ms{}; ///< write time of the others
    std::optional<std::int64_t> estimate_ms{}; ///< of the work, by the scheduler
    std::int64_t priority{};                   ///< higher is more important
    std::optional<std::int64_t> deadline_ms{}; ///< a point in time
    bool drops_late{};                         ///< it is dropped if it waits and must miss it
    std::int64_t value{};                      ///< of finishing it
    std::uint64_t key{};                       ///< Order::by_key
    std::size_t tenant{};
    std::int64_t cpu_milli{};           ///< of the whole gang
    std::int64_t memory_mib{};          ///< likewise
    Outcome outcome{};                  ///< known only at its end
    std::optional<Fallback> fallback{}; ///< permitted_pools change with it
    std::size_t order_row{};            ///< place of its order in NaiveRules::pool_orders
    std::int64_t egress{};              ///< of its saved state, to another region
    std::vector<Pace> paces{};          ///< by pool; empty: full speed, no stalls
    std::vector<Pace> slow_paces{};     ///< by pool, with a slow node; empty: as paces
    std::optional<Failing> failing{};   ///< absent: it never fails
    std::vector<std::size_t> after{};   ///< jobs that must have ended before it may wait for GPUs
    std::int64_t think_ms{};            ///< from the last of these ends until then
    bool waits_forever{};               ///< for a job that does not end as it must
    bool needs_completion{};            ///< a job that was dropped has not ended as it must
    std::vector<Form> forms{};          ///< fewest GPUs first, those that it asks for among them
    bool keeps_form{};                  ///< from a start to a stop
    std::int64_t rescale_ms{};          ///< as recovery_ms, after Cause::resized
    std::vector<Beside> beside{};       ///< the classes with which it may share GPUs

    /// Whether all work is saved at such a stop, given the time.
    [[nodiscard]] bool gets_saved(Cause cause) const {
        if (is_abrupt(cause))
            return false;
        if (saving == Saving::when_announced)
            return cause == Cause::reclaimed || cause == Cause::maintenance;
        return saving == Saving::when_preempted;
    }
    /// Time of an attempt's save with that number.
    [[nodiscard]] std::int64_t save_time(std::int64_t number) const {
        return number % full_every == 0 ? save_ms : increment_ms;
    }
    /// When that save is durable, if it ends at end_ms and those that it builds on are durable at
    /// base_ms.
    [[nodiscard]] std::int64_t
    lasts_from(std::int64_t number, std::int64_t end_ms, std::int64_t base_ms) const {
        return number % full_every == 0 ? end_ms + write_ms
                                        : std::max(base_ms, end_ms + increment_write_ms);
    }
    /// The time since work began up to which work is durable.
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
    /// Time of the saves within that much work; no save at its end.
    [[nodiscard]] std::int64_t saving_in(std::int64_t of_ms, std::int64_t every_ms) const {
        std::int64_t sum = 0;
        std::int64_t number = 0;
        for (std::int64_t at = every_ms; every_ms > 0 && at < of_ms; at += every_ms)
            sum += save_time(number++);
        return sum;
    }
    /// The pools that it may use at first.
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
    /// Null: it can't share GPUs with a job of that class.
    [[nodiscard]] const Beside* with(std::size_t other_class) const {
        for (const Beside& one : beside)
            if (one.of_class == other_class)
                return &one;
        return nullptr;
    }
    /// The slowest pace, which a scheduler assumes before the nodes are known.
    [[nodiscard]] Pace worst_pace_on(std::size_t pool) const { return pace_on(pool, true); }
};

/// One stretch of time in which a job held its GPUs.
struct AttemptRow {
    std::size_t job{};
    std::size_t pool{};
    std::int64_t start_ms{};
    std::int64_t end_ms{};
    Cause cause{}; ///< none: it ended by itself
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
    std::int64_t lost_stopped{};
};

/// Totals of the nodes of a pool.
struct FleetUse {
    std::int64_t paid_ms{};
    std::int64_t least{}; ///< at once, also inside an instant
    std::int64_t most{};  ///< likewise
    std::int64_t launches{};
    std::int64_t reclaims{};
    std::int64_t failures{};
    std::int64_t failed_launches{};

    bool operator==(const FleetUse&) const = default;
};

/// What a job staged ahead of its start; is_used: its start did not wait for done_ms.
struct StagedRow {
    std::size_t job{};
    bool is_used{};
    std::int64_t done_ms{};
    std::int64_t kept_ms{};

    auto operator<=>(const StagedRow&) const = default;
};

/// The result of a run. Per-job columns are in input order.
struct History {
    std::vector<std::int64_t> first_start_ms;
    std::vector<std::int64_t> eligible_ms; ///< since when it waits for GPUs; -1: never
    std::vector<std::int64_t> finish_ms;
    std::vector<std::int64_t> dropped_ms; ///< -1: it was not
    std::vector<std::int64_t> num_preemptions;
    std::vector<StagedRow> staged;
    std::vector<AttemptRow> attempts;      ///< by end, ties by job
    std::vector<IdleSplit> idle;           ///< by pool
    std::vector<HeldSplit> held;           ///< by pool
    std::vector<std::int64_t> booting;     ///< by pool, slot-ms of booting nodes
    std::vector<std::int64_t> spare;       ///< by pool, slot-ms of spare nodes
    std::vector<std::int64_t> offline;     ///< by pool, slot-ms of other unusable nodes
    std::vector<std::int64_t> unlaunched;  ///< by pool, slot-ms paid for after a node's end
    std::vector<FleetUse> nodes;           ///< by pool
    std::int64_t end_ms{};                 ///< after which no event is left
    std::vector<std::int64_t> promised_ms; ///< the first promise of backfill to each job; -1: none
    std::int64_t num_promised{};
};

} // namespace bursar::oracle
