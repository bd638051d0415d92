#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/market/discounts.hpp"
#include "models/storage/checkpoint_storage.hpp"
#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"

#include "policies/choice/policy_choice.hpp"

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/catalog/topology_spec.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/reader/count_range.hpp"
#include "scenarios/scenario/fleet/availability_spec.hpp"
#include "scenarios/scenario/fleet/energy_spec.hpp"
#include "scenarios/scenario/fleet/failure_spec.hpp"
#include "scenarios/scenario/fleet/launch_spec.hpp"
#include "scenarios/scenario/fleet/locality_spec.hpp"
#include "scenarios/scenario/fleet/schedule_spec.hpp"
#include "scenarios/scenario/price/budget_spec.hpp"
#include "scenarios/scenario/price/currency.hpp"
#include "scenarios/scenario/price/egress_spec.hpp"
#include "scenarios/scenario/price/price_spec.hpp"
#include "scenarios/scenario/sweep/sweep_spec.hpp"
#include "scenarios/scenario/workload/job_failure_spec.hpp"
#include "scenarios/scenario/workload/run_times_spec.hpp"
#include "scenarios/scenario/workload/trace_workload.hpp"
#include "scenarios/scenario/workload/training_spec.hpp"

namespace bursar { inline namespace scenarios {

/// A workload drawn from published statistics by the seeded generator.
struct SyntheticSpec {
    std::string like;    ///< a profile: philly, helios, pai, or one of `profiles`
    std::int64_t jobs{}; ///< >= 1
    std::int64_t gpus{}; ///< size of the cluster that `load` refers to; >= 1
    double load{1.0};    ///< offered GPU time over capacity; > 0
    std::uint64_t seed{1};
    std::string profiles{}; ///< a file of profiles in place of the built-in ones; empty: those
    Place place{};          ///< of `workload.synthetic`; no file where no scenario asks

    bool operator==(const SyntheticSpec&) const = default;
};

/// A job, or equal jobs in a row, that the scenario spells out.
struct ListedJob {
    std::string name;
    std::int64_t gpus{}; ///< >= 1
    Duration submit{};   ///< of the first
    std::int64_t count{1};
    Duration every{};                 ///< between one submit and the next; > 0 where count > 1
    std::string tenant;               ///< empty: "all"
    std::optional<Duration> duration; ///< absent: its class says what it trains
    Place place;
};

/// A workload written by hand.
struct JobList {
    std::vector<ListedJob> jobs; ///< at least one
};

/// Which jobs a class takes; an absent field matches all.
struct ClassMatch {
    std::optional<CountRange> gpus;
    std::vector<std::string> tenants;
    std::vector<std::string> names{};
};

/// What finishing a job is worth.
struct JobValue {
    enum class Per : std::uint8_t { job, gpu_hour };
    std::int64_t nano_usd{};
    Per per{Per::job}; ///< gpu_hour: of its work at reference speed
};

/// A tenant's weight, and where it was written.
struct DeclaredShare {
    std::uint32_t weight{1};
    Place place;
    std::string path;
};

/// Where checkpoints are kept, and for how long.
struct CheckpointKeeping {
    StorageTier tier;
    std::int64_t bytes{};           ///< of the newest, > 0
    std::int64_t older_bytes{};     ///< of each of the others that hold everything, > 0
    std::int64_t increment_bytes{}; ///< of each that holds what has changed
    std::int64_t loaded_bytes{};    ///< by a start after a stop, in the mean, > 0
    std::int64_t keep{1};           ///< so many of a job, >= 1
    Duration retain{};              ///< after the end of their job
};

/// When a job saves its state, and what that takes: as PlanClass has it.
struct CheckpointSpec {
    Checkpoint kind{Checkpoint::on_preempt};
    Duration interval{}; ///< saves_on_the_way(kind) and not young_daly: > 0
    Duration save{};
    Duration write{};
    Duration increment{};
    Duration increment_write{};
    std::int64_t full_every{1};
    Duration load{};   ///< of what a start after a stop reads, beside its `restart`
    bool young_daly{}; ///< its interval follows from how often each pool interrupts it
    std::optional<CheckpointKeeping> keeping{}; ///< absent: it costs nothing
};

/// How fast jobs run on a GPU, where the run time that the workload states is speed 1.
struct GpuSpeed {
    std::string gpu; ///< the catalogue's own name, aliases resolved
    double speed{1}; ///< > 0
};

struct ClassSpec {
    std::optional<ClassMatch> match; ///< absent: takes everything left
    Duration startup{};
    Duration teardown{};
    std::optional<CheckpointSpec> checkpoint{}; ///< absent: on preemption, at no cost
    std::optional<Duration> restart{};          ///< absent: startup
    std::vector<std::string> pools;             ///< pools it may use; empty: all
    std::optional<std::int64_t> cpu_milli{}; ///< thousandths of a core per GPU; absent: the job's
    std::optional<std::int64_t> memory_bytes{}; ///< per GPU; absent: the job's
    std::optional<std::int64_t> priority{};     ///< an int32; absent: the job's
    std::optional<Duration> deadline{};         ///< after submit; absent: none
    std::optional<JobValue> value{};            ///< absent: none
    TrainingSpec training;
    LocalitySpec locality{};
    std::vector<LevelSlowdown> slowdown{}; ///< in the order of writing; empty: none
    std::vector<GpuSpeed> speed{};         ///< each GPU once; empty: 1 everywhere
    std::string job_type{};                ///< of the measured throughputs; empty: its jobs' names
    std::vector<Precision> forbidden{}; ///< formats that policy.precision may not give; never fp32
    std::optional<JobFailureSpec> failures{}; ///< absent: its jobs do not fail by themselves
    double overflow_restarts{};               ///< failures more of a job in fp16, in a day; >= 0
    Place place;
};

/// What the class says of that GPU; absent: nothing.
inline std::optional<double> speed_on(const ClassSpec& spec, const std::string& gpu) {
    const auto declared = std::ranges::find(spec.speed, gpu, &GpuSpeed::gpu);
    return declared == spec.speed.end() ? std::nullopt : std::optional{declared->speed};
}

struct BillingSpec {
    Duration granularity{1}; ///< paid time is rounded up to a multiple of this
    Duration minimum{};      ///< of each launch
};

/// How long a node takes from its launch until it takes work.
struct BootSpec {
    Duration mean{};
    bool is_exponential{}; ///< else every boot takes the mean
};

/// How the nodes of a pool with a range of them come and go.
struct ProvisioningSpec {
    std::optional<std::int64_t> start; ///< nodes that are up at the zero; absent: the least number
    std::int64_t warm{};               ///< nodes kept idle beside what waiting jobs need
    std::optional<Duration> every;     ///< launches at its multiples only; absent: at any time
    std::optional<std::int64_t> at_once;    ///< launches at one time; absent: any number
    bool cancel_boots{};                    ///< a boot that nobody waits for any more is called off
    bool follows_queue{true};               ///< launches nodes for those who wait
    std::optional<ScheduleSpec> schedule{}; ///< of the least number; this or `predictive`
    /// The least number is so many times what the jobs of the same hour a week before needed.
    std::optional<double> predictive{};

    [[nodiscard]] bool moves() const { return schedule || predictive; }
};

/// How the price of a pool falls as its nodes are used.
struct DiscountSpec {
    std::vector<std::int64_t> sustained_use; ///< see sustained_use(); empty: none
    std::vector<VolumeTier> volume;          ///< ascending; empty: none
};

/// So much money in every period.
struct Spend {
    std::int64_t nano_usd{};
    Duration period{hour};
};

/// A promise to spend on some pools, paid for whether it is used or not.
struct CommitmentSpec {
    std::string name;
    Spend spend;
    std::vector<std::string> pools; ///< at least one, each in one commitment
};

/// What an owned pool cost to buy and costs to keep (models/market/owned_cost.hpp).
struct OwnedSpec {
    Price capex;
    Duration life{};                     ///< depreciation period, >= 1 h
    std::int64_t power_milliwatts{};     ///< per GPU, its share of the node included
    std::int64_t pue_milli{1000};        ///< >= 1000
    std::int64_t electricity_nano_usd{}; ///< per kWh
    std::int64_t colo_nano_usd{};        ///< per kW of IT power and month
};

struct PoolSpec {
    std::string name; ///< [a-z0-9-]+
    Purchase purchase{Purchase::owned};
    std::string gpu;      ///< the catalogue's own name, aliases resolved
    std::int64_t nodes{}; ///< >= 1: pools without nodes are left out; of a range the most
    std::optional<std::int64_t> min_nodes; ///< of a range; absent: all nodes are there all the time
    BootSpec boot;                         ///< of a range, as what follows
    std::optional<Duration> idle_timeout;
    ProvisioningSpec provisioning;
    std::int64_t gpus_per_node{}; ///< >= 1
    std::optional<Price> price;   ///< exactly one of price, file_price, drawn_price and owned
    std::shared_ptr<const FilePrice> file_price{};
    std::shared_ptr<const DrawnPrice> drawn_price{};
    std::optional<DiscountSpec> discount;
    std::optional<OwnedSpec> owned; ///< only for Purchase::owned
    MoneyRate rate{}; ///< worked out from them, before a discount; list_price_varies(): nothing
    std::string price_basis; ///< how its price came about, for the report: "declared", "owned cost"
    /// reserved: whole terms are paid, as many as cover the run; absent: to the end of the run
    std::optional<Duration> term;
    bool is_amortised{}; ///< reserved: of its terms the run's share is paid; `term` is absent then
    std::optional<Duration> term_length; ///< reserved, where it is said; whichever way it is paid
    std::optional<Price> upfront;        ///< reserved: for each term, part of `rate`
    BillingSpec billing;
    std::string region;
    std::int64_t cpu_milli{};    ///< per node; 0: never what is short
    std::int64_t memory_bytes{}; ///< per node; 0: never what is short
    /// What a node sends to others, all its adapters together; absent: usual_node_network.
    std::optional<ByteRate> network;
    std::optional<TopologySpec> topology{}; ///< absent: nothing is said of where its nodes stand
    std::optional<AvailabilitySpec> availability{}; ///< absent: all its nodes can be had, always
    std::optional<FailureSpec> failures{};          ///< absent: its nodes never fail
    std::optional<MaintenanceSpec> maintenance{};   ///< absent: none
    std::optional<SpareSpec> spares{};              ///< absent: none
    std::optional<StragglerSpec> stragglers{};      ///< absent: none of its nodes is slow
    std::optional<LaunchFailureSpec> launch_failures{}; ///< absent: what is launched comes up
    std::optional<EnergySpec> energy{};                 ///< over the scenario's own
    Place place;
    Place boot_place; ///< of `boot`; no file where it is not given

    [[nodiscard]] bool has_range() const { return min_nodes.has_value(); }
    /// Whether something happens to its nodes that nobody in the run decides.
    [[nodiscard]] bool moves() const {
        return failures || maintenance || availability || launch_failures ||
               (has_range() && provisioning.moves());
    }
    /// Whether nodes are launched and end.
    [[nodiscard]] bool launches() const { return has_range() || availability; }
    [[nodiscard]] bool list_price_varies() const {
        return drawn_price || (file_price && file_price->varies());
    }
    [[nodiscard]] bool price_varies() const { return list_price_varies() || discount; }
    /// Whether a node pays the price of its launch until it ends.
    [[nodiscard]] bool pays_price_of_launch() const {
        return (drawn_price
                    ? drawn_price->paid
                    : (file_price ? file_price->paid : PaidPrice::market)) == PaidPrice::at_launch;
    }
    /// Whether its price depends on when its nodes come and go.
    [[nodiscard]] bool price_follows_use() const {
        return launches() && (pays_price_of_launch() || discount);
    }
};

/// Where choices were written, for mistakes that show with the jobs or their run; the scenario's
/// file as a whole where they were not.
struct ChoicePlaces {
    Place queue;
    Place preemption;
    Place precision{};
    Place broker{};
    Place measure;
};

/// What the user wrote, checked, with units; every path relative to the file that named it is
/// resolved.
struct Scenario {
    std::string file;
    std::string name;
    std::vector<std::string> inputs; ///< every file that it was read from or that it names
    std::variant<TraceWorkload, SyntheticSpec, JobList> workload;
    RunTimesSpec run_times{};
    std::vector<ClassSpec> classes;
    /// What is chosen from for a class with a model and no `stack`; null: nothing, as no
    /// document was read.
    std::shared_ptr<const Stacks> stacks;
    std::vector<std::pair<std::string, DeclaredShare>> shares; ///< by tenant; empty: all weigh 1
    std::vector<Currency> currencies;                          ///< beside dollars
    std::string bill_currency{}; ///< one of them, which totals are shown in, too; empty: none
    std::vector<PoolSpec> fleet;
    std::optional<EnergySpec> energy{}; ///< of pools that do not say it themselves
    std::vector<BudgetSpec> budgets{};
    std::string calendar{}; ///< time zone of calendar months; empty: none are asked for
    std::vector<CommitmentSpec> commitments;
    std::vector<EgressSpec> egress{}; ///< the first row that holds counts
    std::vector<QuotaSpec> quotas{};
    PolicyChoice policy;
    std::string preset; ///< whose habits lie under it; empty: nobody's
    ChoicePlaces places;
    std::optional<Duration> until;
    bool until_last_submit{}; ///< the run ends with the last submit; `until` is absent then
    Duration measure_from{};
    std::optional<Duration> measure_to;
    std::int64_t seeds{1};
    std::optional<SweepSpec> sweep{}; ///< no part of what a run does, nor of `hash`
    /// Of the document after include and --set, and of what files hold that it takes models and
    /// stacks from.
    std::uint64_t hash{};
    std::uint64_t hash_but_policy{}; ///< the same as if there were no `policy`
    std::vector<Finding> warnings;
    std::vector<std::string> assumed;    ///< what was taken for granted: the scenario does not say
    std::vector<std::string> unmodelled; ///< what it asks for and this version leaves out

    /// Whether the energy of its pools is worked out: of all of them, where one says something.
    [[nodiscard]] bool asks_for_energy() const {
        return energy || std::ranges::any_of(
                             fleet, [](const PoolSpec& pool) { return pool.energy.has_value(); });
    }
};

/// Whether the scenario says when its run ends; else the last job's end does.
inline bool has_end(const Scenario& scenario) {
    return scenario.until || scenario.until_last_submit;
}

/// Whether two seeds give two runs.
inline bool is_random(const Scenario& scenario) {
    return std::holds_alternative<SyntheticSpec>(scenario.workload) ||
           draws_at_random(scenario.policy) ||
           std::ranges::any_of(
               scenario.classes,
               [](const ClassSpec& spec) { return spec.failures || spec.overflow_restarts > 0; }) ||
           std::ranges::any_of(scenario.fleet, [](const PoolSpec& pool) {
               return pool.failures || pool.stragglers || pool.launch_failures ||
                      pool.drawn_price || (pool.launches() && pool.boot.is_exponential) ||
                      (pool.availability && pool.availability->is_random());
           });
}

}} // namespace bursar::scenarios
