#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/oracle/naive_capacity.hpp"
#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/time_stepping.hpp"

namespace bursar::oracle {

enum class Order : std::uint8_t {
    fifo,
    sjf,           ///< least believed work first
    srtf,          ///< least remaining first
    srtf_gpu_time, ///< the same times its GPUs
    smallest,      ///< fewest GPUs first
    las,      ///< lowest list first; a job falls to the next when it has attained the list's limit
    gittins,  ///< likewise in lists, the one with the highest Gittins index first
    priority, ///< highest priority first
    edf,      ///< earliest deadline first, those without one last
    value_density, ///< most value per GPU time of its work first
    turns,         ///< round robin: a running job goes last once some of its work is durable
    fair_share,    ///< the tenant that holds, or held, the fewest GPUs for its weight first
    drf,           ///< the tenant with the smallest dominant share for its weight first
    multifactor,   ///< highest weighted sum of factors first
    ftf,           ///< worst finish-time fairness first
    by_key         ///< least Request::key first
};

/// The order of jobs of equal rank.
enum class TieRule : std::uint8_t {
    submit,        ///< in input order
    last_order,    ///< as they stood at the last pass, new ones last (Tiresias' sort in place)
    running_first, ///< as last_order; after each pass the running ones of a rank come before the
                   ///< pending ones, and a job whose rank has risen goes last (Tiresias' lists)
    pending_first  ///< pending ones as they came (back) to the queue, then running ones as they
                   ///< started (Helios)
};

enum class Backfill : std::uint8_t {
    none,
    easy,        ///< a blocked head has a reservation; jobs that would delay it do not start
    conservative ///< every pending job has a reservation
};

enum class Stop : std::uint8_t {
    never,    ///< running jobs are never stopped
    order,    ///< every pass distributes all GPUs again in the queue's order
    priority, ///< a job stops others of lower priority to fit
    value,    ///< a job stops others to fit if that delivers more value
    share,    ///< a job stops others to fit whose tenants keep at least its tenant's share
    fastest,  ///< every pass gives all jobs their pools anew (AllocationOfFastest)
    gain,     ///< every pass gives all jobs their pools and GPUs anew (AllocationByGain)
    deadline  ///< likewise, by deadline
};

/// How NaiveStaging predicts when running jobs end.
enum class Prediction : std::uint8_t { exact, estimate, class_history };

/// Limits of Stop::priority, Stop::value and Stop::share.
struct StopLimits {
    std::int64_t max_per_job{std::int64_t{1} << 40}; ///< a job preempted this often is not stopped
    std::int64_t min_run_ms{};                       ///< nor is an attempt younger than this
    std::int64_t grace_ms{}; ///< a preempted attempt works this long before it stops
};

/// How tenants' past use counts: averages are updated at the end of each period; their difference
/// to the period's use halves in each half-life.
struct UseRule {
    std::int64_t half_life_ms{}; ///< 0: only what is held now counts
    std::int64_t period_ms{1};
};

/// Order::multifactor.
struct FactorWeights {
    std::int64_t age{};
    std::int64_t size{};
    std::int64_t share{};
    std::int64_t priority{};
    std::int64_t max_age_ms{1};
    bool favors_small{};
};

/// When a list's limit is checked, in addition to all other events.
enum class WakeRule : std::uint8_t {
    exact,   ///< at the moment it is reached
    tiresias ///< (limit - time attained) / GPUs after the last event, in whole seconds: attained
             ///< time is not multiplied by the GPUs, so it is late except for jobs of one GPU. A
             ///< job of las falls one list per event
};

/// The price of a pool over time; before the first step, that of the first.
struct PoolPrice {
    enum class Kind : std::uint8_t { owned, reserved, on_demand, spot };
    Kind kind{};
    std::vector<std::pair<std::int64_t, std::int64_t>> steps{}; ///< instant, rate; at least one

    [[nodiscard]] bool is_paid_anyway() const {
        return kind == Kind::owned || kind == Kind::reserved;
    }
};

struct NaiveRules {
    Order order{Order::fifo};
    HeadRule head{HeadRule::block};
    Backfill backfill{Backfill::none};
    Stop stop{Stop::never};
    TieRule ties{TieRule::submit};
    CapacityRule capacity{CapacityRule::count};
    PlacementRule placement{PlacementRule::consolidated};
    std::vector<std::size_t> pool_preference{}; ///< empty: as given
    /// If jobs differ in their orders: the orders, and the place of each job's among them.
    std::vector<std::vector<std::size_t>> pool_orders{};
    std::vector<std::size_t> order_of_job{};
    bool follows_prices{}; ///< pools by price in place of those orders: NaiveBroker
    std::vector<PoolPrice> prices{};
    /// By order: GPU-hours of each pool for an hour of work; empty: one.
    std::vector<std::vector<double>> held_per_work{};
    /// Regions of pools, from 0 on, if moving saved state has a cost: each order is then followed
    /// by one for each region of saved state.
    std::vector<std::size_t> region_of_pool{};
    std::int64_t margin_milli{}; ///< a pool goes first if cheaper by more than these thousandths
    bool orders_by_place{};      ///< whether orders include the cost of moving saved state
    bool migrates{};             ///< NaiveMigration
    std::int64_t packing_gain_milli{}; ///< Stop::fastest: 0: jobs share no GPUs
    std::int64_t migrate_margin_milli{};
    std::int64_t migrate_every_ms{}; ///< 0: only after changes
    /// By kind of jobs: how much interruptions lengthen runs in a pool; empty: not at all.
    std::vector<std::vector<std::int64_t>> risk_stretch{};
    std::int64_t risk_parts{1};             ///< the value for no lengthening
    std::vector<std::size_t> kind_of_job{}; ///< by job
    bool keeps_pace{};                      ///< NaiveFallback: also when behind an even pace
    RestartRule restart{RestartRule::anew};
    /// Of queues of las and gittins: ascending; ms, or GPU-ms with las_by_gpu_time and for gittins.
    std::vector<std::int64_t> queue_limits{};
    bool las_by_gpu_time{true};
    WakeRule wake{WakeRule::exact};
    std::size_t max_lists{32};         ///< Order::gittins: levels of service
    std::vector<std::int64_t> sizes{}; ///< Order::gittins, GPU-ms; empty: those of the jobs
    std::int64_t delta_ms{}; ///< Order::gittins: GPU-ms by which it looks ahead; 0: the best
    /// Of las and gittins under Stop::order: a job that waits goes to the first queue once it has
    /// waited for this many times its service time, both since it last did; 0: never.
    std::int64_t starve_limit{};
    StopLimits limits{};
    std::size_t depth{~std::size_t{0}}; ///< Backfill::conservative: the most promises at once
    std::int64_t quantum_ms{};          ///< decisions are taken at its multiples; 0: at any event
    UseRule use{};
    std::size_t num_staging{}; ///< the most jobs that stage data at once
    Prediction predict{};
    FactorWeights factors{};
    std::vector<std::int64_t> tenant_weight{}; ///< >= 1 each

    [[nodiscard]] const std::vector<std::size_t>& pools_for(std::size_t job) const {
        return pools_for(job, place(job));
    }
    /// The same rules as if a job's last save were in that region.
    [[nodiscard]] const std::vector<std::size_t>& pools_for(std::size_t job,
                                                            std::size_t in_place) const {
        if (pool_orders.empty())
            return pool_preference;
        return pool_orders[order_of_job[job] + (orders_by_place ? in_place : 0)];
    }
    /// 1 + region of a job's last save; 0: none.
    [[nodiscard]] std::size_t place(std::size_t job) const {
        return job < saved_place.size() ? saved_place[job] : 0;
    }
    std::vector<std::size_t> saved_place{}; ///< current
    /// Whether a waiting job picks the running ones that it stops.
    [[nodiscard]] bool takes_victims() const {
        return stop == Stop::priority || stop == Stop::value || stop == Stop::share;
    }
    /// Whether a job that waits for its victims stays first, wherever the order puts it.
    [[nodiscard]] bool keeps_claims() const { return stop == Stop::value || stop == Stop::share; }
    /// Whether every pass decides for all jobs anew.
    [[nodiscard]] bool allocates() const { return stop >= Stop::fastest; }
    /// Whether a job that does not fit blocks those behind it, except for backfill.
    [[nodiscard]] bool blocks() const {
        return stop != Stop::order && (head == HeadRule::block || backfill != Backfill::none);
    }
    /// Whether a pass repeats the decisions of the one before until an event.
    [[nodiscard]] bool decides_alike() const {
        return stop != Stop::value && !allocates() && order != Order::turns &&
               wake != WakeRule::tiresias;
    }
    [[nodiscard]] bool is_round(std::int64_t time_ms) const {
        return quantum_ms == 0 || time_ms % quantum_ms == 0;
    }
    /// The first instant from then on at which a pass decides.
    [[nodiscard]] std::int64_t round_from(std::int64_t time_ms) const {
        return is_round(time_ms) ? time_ms : (time_ms / quantum_ms + 1) * quantum_ms;
    }
};

} // namespace bursar::oracle
