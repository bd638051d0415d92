#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/energy/metered.hpp"
#include "models/market/launch_failures.hpp"
#include "models/market/supply_fit.hpp"
#include "models/reliability/failure_draws.hpp"
#include "models/reliability/maintenance.hpp"
#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"
#include "sim/plan/provisioning.hpp"

#include "scenarios/catalog/topology_spec.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/market/availability/read_availability.hpp"
#include "scenarios/market/grid/grid_file.hpp"
#include "scenarios/scenario/price_spec.hpp"

namespace bursar { inline namespace scenarios {

/// Limits of what one node has, which plans keep as 32-bit thousandths of a core and MiB.
inline constexpr std::int64_t max_cores = 100'000;
inline constexpr std::int64_t mebibyte = std::int64_t{1} << 20U;
inline constexpr std::int64_t max_memory_bytes = mebibyte << 30U;

/// What ends a node that nobody needs where the scenario does not say: as long as Kubernetes'
/// cluster autoscaler waits (`scale-down-unneeded-time`, its documentation of 2024).
inline constexpr Duration default_idle_timeout = 10 * minute;

/// Nodes that come and go by a law of the scenario's own.
struct GeneratedSupply {
    Duration up;          ///< mean time that a node can be had at a stretch, >= 1 s
    Duration down;        ///< and that it cannot, >= 1 s
    double correlation{}; ///< of two nodes' being up: 0: each by itself .. 1: all as one
};

/// How many nodes of a pool can be had: key `availability`. One of `file`, `fitted`, `generated`
/// and `bid`.
struct AvailabilitySpec {
    std::shared_ptr<const AvailabilityFile> file; ///< as it was read
    std::shared_ptr<const FittedSupply> fitted;   ///< a generator of series like a file's
    std::optional<GeneratedSupply> generated;
    std::optional<Price> bid{};   ///< all nodes while the pool's price is not above it, else none
    bool all_or_none{};           ///< the file says yes or no, of all nodes
    std::optional<Duration> from; ///< time in the file at which the run begins
    Duration notice{};            ///< between an announcement and the end of a node
    ReclaimOrder reclaims{ReclaimOrder::newest};
    Place place{};

    [[nodiscard]] bool is_random() const {
        return fitted || generated || reclaims == ReclaimOrder::random;
    }
};

/// The grid that a pool draws from.
struct GridSpec {
    GridIntensity intensity;  ///< at most max_grid_intensity; of a file that of its first step
    std::string region{};     ///< of the carbon catalogue; empty: the scenario states the intensity
    std::string source{};     ///< of a region: who says so, and for when
    std::int64_t pue_milli{}; ///< of a region: its provider's
    std::shared_ptr<const GridFile> file{}; ///< null: it is constant
};

/// What making one GPU emitted, with its share of the node.
struct EmbodiedSpec {
    std::int64_t grams{};
    Duration life{}; ///< over which it is spread, at least a day
};

/// What GPUs draw and what comes of it, as far as the scenario says it: key `energy`.
struct EnergySpec {
    std::optional<std::int64_t> idle_milliwatts; ///< per GPU, its share of the node included
    std::optional<std::int64_t> busy_milliwatts; ///< likewise
    std::optional<std::int64_t> pue_milli;       ///< >= 1000
    std::optional<GridSpec> grid;
    std::optional<EmbodiedSpec> embodied;
    Place place{};
};

/// How the nodes of a pool fail: key `failures`.
struct FailureSpec {
    std::string like; ///< an entry of `bursar catalog failures`; empty: the rates below
    double per_gpu_hour{};
    double per_node_day{};
    RepairTime repair{};    ///< from when the failure is noticed
    Duration detect{};      ///< how long the jobs on a failed node hold their GPUs
    Duration hang_detect{}; ///< the same of those that hang
    double hangs{};         ///< share of the failures that leave jobs standing still, 0..1
    InfantMortality infancy{};
    std::int64_t nodes_per_rack{}; ///< 0: racks do not fail
    double per_rack_day{};
    RepairTime rack_repair{};
};

/// Windows in which nodes are worked on: key `maintenance`.
struct MaintenanceSpec {
    MaintenancePlan windows;
    Duration drain{}; ///< for so long before a window its nodes take no new work
};

/// Nodes that are slow for the whole run: key `stragglers`.
struct StragglerSpec {
    double share{};    ///< of the nodes, in (0, 1]
    double slowdown{}; ///< time there over time elsewhere, > 1
};

/// Launches that fail although nodes can be had: key `launch_failures` of a pool.
struct LaunchFailureSpec {
    LaunchFailures law;
    Duration retry{30 * second};     ///< until the next try
    Duration max_retry{15 * minute}; ///< it doubles up to here
};

/// Nodes kept aside for those that go out of service: key `spares` of a pool.
struct SpareSpec {
    std::int64_t nodes{};
    Duration takeover{}; ///< until one works in the place of another
};

/// The most nodes that several pools may have together: a row of `quotas`. `pools` or `region`.
struct QuotaSpec {
    std::vector<std::string> pools;
    std::string region;
    std::int64_t nodes{};
    Place place{};
};

inline constexpr int days_of_week = 7;

/// Hours of some days of the week, and the nodes that are there then.
struct ScheduledHours {
    std::uint8_t days{}; ///< bit d: the d-th day of the week, Monday first
    std::int64_t from{}; ///< whole hours of the day, 0 .. 23
    std::int64_t to{24}; ///< up to here, 1 .. 24
    std::int64_t nodes{};
};

/// How many nodes a pool has at least, by the hour of the week: key `provisioning.schedule`. Where
/// several rows hold, the one with the most nodes does; where none does, the pool's own least.
struct ScheduleSpec {
    std::string zone{"UTC"};
    std::vector<ScheduledHours> rows; ///< at least one
};

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

}} // namespace bursar::scenarios
