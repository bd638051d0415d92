#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/market/price_integral.hpp"
#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"
#include "models/units/units.hpp"

#include "sim/plan/broker_rules.hpp"
#include "sim/plan/plan_energy.hpp"
#include "sim/plan/plan_staging.hpp"
#include "sim/plan/provisioning.hpp"
#include "sim/plan/purchase.hpp"
#include "sim/plan/speed.hpp"
#include "sim/plan/stop_cause.hpp"
#include "sim/plan/tenant_quota.hpp"
#include "sim/plan/world_event.hpp"

namespace bursar { inline namespace sim {

/// How a job ended, by the trace, or that it was refused.
enum class JobEnd : std::uint8_t {
    completed,   ///< its work was kept
    failed,      ///< ended by its own fault, nothing usable
    cancelled,   ///< ended by its user
    node_failed, ///< ended by a fault of the platform
    stopped,     ///< a trial that a stopping rule ended: a decision, not a failure
    rejected     ///< refused at its submit: it is never eligible
};

/// A pool as the engine sees it: nodes of one shape at one price, which may change with time.
struct PlanPool {
    static constexpr std::uint16_t constant_price = 0xffff;

    std::uint32_t num_nodes{};
    std::uint32_t gpus_per_node{};
    Purchase purchase{Purchase::owned};
    MoneyRate rate{};           ///< >= 0; has_series(): zero, and not read
    Duration billing_step{1};   ///< paid time is rounded up to a multiple of this; >= 1 ms
    std::uint32_t cpu_milli{};  ///< thousandths of a core per node; 0: unlimited
    std::uint32_t memory_mib{}; ///< main memory per node; 0: unlimited
    std::uint16_t price_series{constant_price}; ///< place in Plan::prices; constant_price: `rate`
    /// The prices that decisions follow, where others are paid (those of the launch, discounted
    /// ones): place in Plan::prices; constant_price: those that are paid.
    std::uint16_t asked_series{constant_price};

    [[nodiscard]] BURSAR_HD bool has_series() const { return price_series != constant_price; }
    /// The series that decisions follow. Precondition: has_series().
    [[nodiscard]] BURSAR_HD std::uint16_t followed_series() const {
        return asked_series == constant_price ? price_series : asked_series;
    }
    [[nodiscard]] BURSAR_HD std::int64_t num_gpus() const {
        return std::int64_t{num_nodes} * gpus_per_node;
    }
};

/// When a job saves its state: at intervals, when it is stopped (if it gets the time), or both.
/// Work that is not saved is done again.
enum class Checkpoint : std::uint8_t {
    on_preempt, ///< at every stop, whatever its cause
    none,
    on_notice, ///< at announced stops (reclaim, maintenance), but not where a
               ///< policy stops it
    every,     ///< after every interval at work, but not where its work ends
    every_on_preempt,
    every_on_notice,
};

[[nodiscard]] BURSAR_HD constexpr bool saves_on_the_way(Checkpoint checkpoint) {
    return checkpoint >= Checkpoint::every;
}
/// Whether a job that is stopped for this cause saves its state, given the time.
[[nodiscard]] BURSAR_HD constexpr bool saves_at_stop(Checkpoint checkpoint, StopCause cause) {
    if (checkpoint == Checkpoint::on_preempt || checkpoint == Checkpoint::every_on_preempt)
        return true;
    const bool on_notice =
        checkpoint == Checkpoint::on_notice || checkpoint == Checkpoint::every_on_notice;
    return on_notice && (cause == StopCause::reclaimed || cause == StopCause::maintenance);
}

/// What jobs of a class have in common.
struct PlanClass {
    Duration startup{};         ///< holding its GPUs before work begins, first attempt
    Duration teardown{};        ///< holding its GPUs after work ended
    std::uint16_t speed_row{0}; ///< row of Plan::speeds; 0: reference speed everywhere, no stalls
    Checkpoint checkpoint{Checkpoint::on_preempt};
    Duration recovery{}; ///< as startup, of every attempt after the first
    Duration save{}; ///< pause of the work for a save; for a full save where there are increments
    Duration interval{};  ///< saves_on_the_way(): time at work between saves, > 0, unless PlanSpeed
                          ///< says another
    Duration write{};     ///< from a save until it is durable; the work continues meanwhile
    Duration increment{}; ///< pause of the work for a save of the changes
    Duration increment_write{};  ///< as write, after such a save; <= write
    std::uint32_t full_every{1}; ///< one of this many saves of an attempt holds everything, the
                                 ///< first one and every save at a stop among them; >= 1
    Duration rescale{};          ///< as recovery, of an attempt that goes on with another form
    Duration staged{};           ///< of startup: what can be staged ahead of the start
    std::uint32_t form_begin{};  ///< its jobs' forms begin there in Plan::forms
    std::uint32_t num_forms{};   ///< of each of its jobs; 0: its jobs keep their shape
    bool is_moldable{};          ///< its jobs take a form at a start, and keep it until a stop
    bool drops_late{}; ///< its waiting jobs are dropped once they must miss their deadline
};

/// A number of GPUs that an elastic job may have: a shape, and the speeds and failures of a class.
/// The forms of a job differ in their number of GPUs and have its pools; one is its own shape.
struct PlanForm {
    std::uint16_t shape{};
    std::uint16_t job_class{};

    friend bool operator==(const PlanForm&, const PlanForm&) = default;
};

/// Jobs of two classes may share the GPUs of a gang: each then has half of every GPU, and how a job
/// of the first class works beside one of the second. Each pair of different classes is there
/// twice.
struct PlanPair {
    std::uint16_t job_class{};
    std::uint16_t partner{};      ///< class of the other job
    std::uint16_t shape{};        ///< that of the job, with half of each of its GPUs
    std::uint16_t paired_class{}; ///< by which the job works
    std::uint64_t pools{};        ///< bit p: they may share GPUs of pool p; never 0

    [[nodiscard]] BURSAR_HD PlanForm form() const { return {shape, paired_class}; }
};

/// What decides where a job fits: the resources it requests and the pools it may use. Jobs of one
/// shape are interchangeable for capacity; queues and the idle split work per shape.
struct JobShape {
    static constexpr std::uint8_t any_level = 0xff;

    std::uint32_t gpus{};                   ///< 0 only for a job that requests CPU or memory alone
    std::uint64_t permitted_pools{};        ///< bit p: pool p may run it; never 0
    std::uint16_t gpu_slots{slots_per_gpu}; ///< of each of its GPUs, 1 .. slots_per_gpu; less than
                                            ///< all only where gpus is 1, or of a PlanPair
    std::uint8_t required_level{any_level}; ///< may not spread over a higher locality level
    std::uint8_t preferred_level{
        any_level};              ///< avoids a higher level where the choice of nodes allows
    std::uint32_t cpu_milli{};   ///< thousandths of a core for the whole gang, divided by GPUs
    std::uint32_t memory_mib{};  ///< main memory, likewise
    std::uint16_t order_begin{}; ///< entry of Plan::pool_preference where the order of its pools
                                 ///< begins
    std::uint16_t fallback{};    ///< 1 + row of Plan::fallbacks, of its only job; 0: has none

    [[nodiscard]] BURSAR_HD std::int64_t slots() const { return std::int64_t{gpus} * gpu_slots; }
    auto operator<=>(const JobShape&) const = default;
};

inline constexpr std::int64_t no_deadline_ms = -1;

/// The largest NVLink domains have 576; a choice of GPUs on a node takes a buffer of this size.
inline constexpr std::uint32_t max_gpus_per_node = 1024;

inline constexpr std::size_t max_pools = 64; ///< one bit each in JobShape::permitted_pools

/// A job as policies see it. Times at work are the scheduler's estimates (Plan::estimate_ms) at
/// reference speed.
struct JobView {
    std::uint32_t index{}; ///< position in the plan: submit order, ties in input order
    std::uint32_t gpus{};
    Duration submit{};
    Duration run_time{};     ///< of the whole job
    Duration remaining{};    ///< time until its work ends if it starts now: start-up or recovery
                             ///< and what is left, what it must do again and saves included
    Duration attained{};     ///< time it has held its GPUs so far, all attempts, but for saves
                             ///< after it was stopped
    std::int32_t priority{}; ///< higher is more important; 0 where the plan names none
    std::uint16_t tenant{};
    std::uint16_t gpu_slots{slots_per_gpu}; ///< of each of its GPUs
    std::int64_t value_nano_usd{};          ///< of finishing it; 0 where the plan names none
    std::optional<Duration> deadline{};     ///< absent: none

    /// GPU time in `span`, in GPU-ms; a part of a GPU counts as a fraction, rounded down.
    [[nodiscard]] BURSAR_HD std::int64_t gpu_ms(Duration span) const {
        const std::int64_t whole = span.count() * gpus;
        return gpu_slots == slots_per_gpu ? whole : whole * gpu_slots / slots_per_gpu;
    }
    /// Time in which it uses that GPU time, rounded up. Precondition: it has GPUs.
    [[nodiscard]] BURSAR_HD Duration time_for(std::int64_t wanted_gpu_ms) const {
        if (gpu_slots == slots_per_gpu)
            return Duration{(wanted_gpu_ms + gpus - 1) / gpus};
        const std::int64_t each = std::int64_t{gpus} * gpu_slots;
        const int128 wanted = int128{wanted_gpu_ms} * slots_per_gpu;
        return Duration{static_cast<std::int64_t>((wanted + each - 1) / each)};
    }
};

/// Rates that change with time, at which the ledger books GPU time in addition to its price.
struct PlanMeter {
    static constexpr std::uint16_t no_series = 0xffff;

    PriceIntegrals integrals; ///< since the scenario's zero
    /// By pool, its place in `integrals`, or no_series; empty: the ledger keeps no such meter.
    std::vector<std::uint16_t> series;
};

/// The compiled scenario: immutable flat arrays, shared by all runs that differ only in a
/// Variation. Job columns are sorted by submit time; equal submit times keep the order of the
/// input.
struct Plan {
    // One row per job: 23 bytes, and 8 or 4 for each optional column. Columns have equal length.
    std::vector<std::int64_t> submit_ms;  ///< >= 0, ascending
    std::vector<std::int64_t> work_ms;    ///< time at work at reference speed, 0 .. horizon_ms
    std::vector<std::uint16_t> shape;     ///< index into shapes
    std::vector<std::uint16_t> job_class; ///< index into classes
    std::vector<std::uint16_t> tenant;    ///< 0 .. num_tenants-1
    std::vector<JobEnd> end;

    // Optional columns: empty, or one row per job.
    std::vector<std::int64_t> estimate_ms;    ///< the scheduler's estimate of work_ms; empty: exact
    std::vector<std::int32_t> priority;       ///< higher is more important; empty: all 0
    std::vector<std::int64_t> deadline_ms;    ///< no_deadline_ms: none; empty: none has one
    std::vector<std::int64_t> value_nano_usd; ///< of finishing the job, >= 0; empty: all 0

    // Jobs that wait for others to end before they wait for GPUs; all empty: there are none.
    std::vector<std::uint32_t> num_needed; ///< by job: jobs that must end before it is eligible;
                                           ///< more than need it: some never end as they must
    std::vector<std::uint32_t> dependent_begin; ///< job -> its entries of dependents; one more at
                                                ///< the end
    std::vector<std::uint32_t> dependents;      ///< jobs that need it, one job after the other
    std::vector<std::int64_t> think_ms;         ///< by job, from the last of these ends until it is
                                                ///< eligible, >= 0; empty: all 0
    bool needs_completion{}; ///< a dropped job does not end as those that need it must

    std::vector<JobShape> shapes;
    std::vector<PlanClass> classes;
    /// Forms of elastic jobs, each class's one after the other, fewest GPUs first. All jobs of a
    /// class with forms have one shape.
    std::vector<PlanForm> forms;
    /// By class, then by partner. Jobs of such classes have whole GPUs and one shape per class;
    /// they lose nothing by a stop, which takes no time, and clean up nothing. The world is static,
    /// but for jobs that wait for others.
    std::vector<PlanPair> pairs;
    /// [((row - 1) * pools + pool) * num_paces() + level]: row 0 has no entries. If some nodes are
    /// slow, level num_levels + l is level l of a gang with a slow node.
    std::vector<PlanSpeed> speeds;
    std::vector<PlanPool> pools; ///< scenario order
    /// Pools in the order in which the broker tries them, at the zero; events of the world may
    /// change it. If shapes differ in theirs, several orders one after the other
    /// (JobShape::order_begin).
    std::vector<std::uint16_t> pool_preference;
    std::vector<std::uint16_t> pool_orders; ///< orders that come later, one after the other
    /// Regions of pools, numbered from 0, if the broker considers the cost of moving a job's saved
    /// state. Then each order consists of 1 + num_regions() orders: one for jobs without saved
    /// state, and one for each region that holds it. Empty: not considered.
    std::vector<std::uint8_t> pool_region;
    /// The broker's beliefs about pools, by kind of jobs (PlanView::num_pools for each kind, in the
    /// order of their entries in pool_preference); empty: gangs are never interrupted.
    std::vector<GangRisk> gang_risks;
    /// By class: cost of moving a job's saved state to another region; empty: zero.
    std::vector<std::int64_t> egress_nano_usd;
    PlanStaging staging;
    PlanMigration migration; ///< of running jobs; is_on: egress_nano_usd goes with pool_region
    /// By kind of jobs as gang_risks, in PlanMigration::one_stretch: the factor by which
    /// interruptions are believed to lengthen held time, >= 1; empty: not used.
    std::vector<std::int64_t> risk_stretch;
    std::vector<std::uint16_t> pools_by_name; ///< pools in name order: the idle split's tie order
    PriceIntegrals prices;          ///< since the scenario's zero; pools whose price varies
    std::vector<PlanEnergy> energy; ///< by pool; empty: not requested
    /// Intensities of grids that change with time, in milligrams of CO2e per kWh. A pool without a
    /// series has a constant one: PlanEnergy::grid.
    PlanMeter grid;
    std::uint32_t num_tenants{1};
    std::vector<std::uint32_t> tenant_weight; ///< >= 1, shares are in proportion; empty: all 1
    std::vector<PlanTenant> tenants;          ///< by tenant; empty: none has a quota
    std::vector<TenantQuota> tenant_quotas;   ///< [tenant * pools + pool], with `tenants`

    /// Locality levels, narrowest first: a gang has the level of the narrowest group that holds all
    /// its nodes. The last one holds a whole pool. 1: where a gang sits makes no difference.
    std::uint32_t num_levels{1};
    /// Node -> its group, for pool p and level l from level_begin[p * num_levels + l] on, groups
    /// numbered from 0. Both empty where num_levels is 1.
    std::vector<std::uint32_t> node_group;
    std::vector<std::uint32_t> level_begin;
    /// Whether a node is slow, for pool p from slow_begin[p] on. Both empty where none is; else all
    /// jobs have a row of speeds.
    std::vector<std::uint8_t> slow_nodes;
    std::vector<std::uint32_t> slow_begin;

    /// Events of the world, by time; empty in a static world.
    std::vector<WorldEvent> world;
    bool admission_changes{}; ///< pool_admits or shape_admits are among them
    /// How nodes come and go, by pool; empty: all nodes are always there.
    std::vector<PlanProvisioning> provisioning;
    std::vector<std::int64_t> boot_ms; ///< >= 0; see PlanProvisioning
    /// Jobs with a deadline that wait for cheap capacity while they can; each has its own shape.
    std::vector<JobFallback> fallbacks;
    bool keeps_pace{};             ///< they fall back when behind schedule, see JobFallback
    std::vector<PlanQuota> quotas; ///< on nodes that are launched
    /// Failures of jobs by their own fault: [class * pools + pool]; empty: none.
    std::vector<OwnFailures> own_failures;
    std::uint64_t own_failure_seed{}; ///< for drawing own_failures

    std::optional<Duration> until;      ///< end of the run; absent: the last finish
    Duration measure_from{};            ///< jobs submitted before are not measured
    std::optional<Duration> measure_to; ///< absent: the end of what is paid

    /// Whether the world is not static: nodes come and go, jobs become eligible, stage data or are
    /// dropped, or other events happen.
    [[nodiscard]] bool moves() const {
        return !world.empty() || !provisioning.empty() || !fallbacks.empty() ||
               !own_failures.empty() || migration.is_on || staging.is_on() || has_dependencies() ||
               drops_late();
    }
    [[nodiscard]] bool drops_late() const {
        return std::ranges::any_of(classes, &PlanClass::drops_late);
    }
    [[nodiscard]] bool has_dependencies() const { return !num_needed.empty(); }
    /// Speeds of a row on a pool.
    [[nodiscard]] std::uint32_t num_paces() const {
        return slow_nodes.empty() ? num_levels : 2 * num_levels;
    }
    [[nodiscard]] std::size_t num_regions() const {
        return pool_region.empty() ? 0
                                   : *std::max_element(pool_region.begin(), pool_region.end()) + 1U;
    }
    /// Entries of pool_preference that belong to one kind of jobs.
    [[nodiscard]] std::size_t order_length() const { return (1 + num_regions()) * pools.size(); }
    [[nodiscard]] std::size_t num_jobs() const { return submit_ms.size(); }
    [[nodiscard]] std::uint32_t gpus(std::size_t job) const { return shapes[shape[job]].gpus; }
    /// The speed of a job on a pool, its gang at a locality level; null: reference speed without
    /// stalls.
    [[nodiscard]] const PlanSpeed*
    speed_of(std::size_t job, std::size_t pool, std::size_t level = 0) const {
        return speed_by_class(job_class[job], pool, level);
    }
    [[nodiscard]] const PlanSpeed*
    speed_by_class(std::uint16_t of_class, std::size_t pool, std::size_t level) const {
        const std::uint16_t row = classes[of_class].speed_row;
        return row == 0 ? nullptr
                        : &speeds[((row - 1U) * pools.size() + pool) * num_paces() + level];
    }
};

}} // namespace bursar::sim
