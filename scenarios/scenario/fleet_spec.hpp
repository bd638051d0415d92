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
#include "scenarios/faults/fault_log.hpp"
#include "scenarios/market/availability/read_availability.hpp"
#include "scenarios/market/grid/grid_file.hpp"
#include "scenarios/scenario/price_spec.hpp"

namespace bursar { inline namespace scenarios {

/// Limits of one node: plans keep 32-bit thousandths of a core and MiB.
inline constexpr std::int64_t max_cores = 100'000;
inline constexpr std::int64_t mebibyte = std::int64_t{1} << 20U;
inline constexpr std::int64_t max_memory_bytes = mebibyte << 30U;

/// Default idle timeout of a node: that of Kubernetes' cluster autoscaler
/// (`scale-down-unneeded-time`, its documentation of 2024).
inline constexpr Duration default_idle_timeout = 10 * minute;

/// Nodes that are available by a random law.
struct GeneratedSupply {
    Duration up;                   ///< mean time for which a node is available, >= 1 s
    Duration down;                 ///< mean time for which it is not, >= 1 s
    double correlation{};          ///< of two nodes: 0 (independent) .. 1 (all together)
    bool is_correlation_assumed{}; ///< not stated
};

/// How many nodes of a pool are available: key `availability`. One of `file`, `fitted`, `generated`
/// and `bid`.
struct AvailabilitySpec {
    std::shared_ptr<const AvailabilityFile> file; ///< as it was read
    std::shared_ptr<const FittedSupply> fitted;   ///< a generator fitted to a file
    std::optional<GeneratedSupply> generated;
    std::optional<Price> bid{};   ///< all nodes while the pool's price is not above it, else none
    bool all_or_none{};           ///< the file says yes or no for all nodes together
    std::optional<Duration> from; ///< time in the file at which the run begins
    Duration notice{};            ///< from an announcement to the end of a node
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
    std::string source{};     ///< of a region's intensity: publisher and year
    std::int64_t pue_milli{}; ///< of a region: its provider's
    std::shared_ptr<const GridFile> file{}; ///< null: it is constant
};

/// Emissions of making one GPU, its share of the node included.
struct EmbodiedSpec {
    std::int64_t grams{};
    Duration life{}; ///< over which it is spread, at least a day
};

/// Power usage effectiveness: what the building draws over what its computers draw.
struct PueSpec {
    std::int64_t milli{1000};
    std::string source{}; ///< of an operator; empty: a stated number
};

/// Power and emissions of GPUs, where the scenario gives them: key `energy`.
struct EnergySpec {
    std::optional<std::int64_t> idle_milliwatts; ///< per GPU, its share of the node included
    std::optional<std::int64_t> busy_milliwatts; ///< likewise
    std::optional<PueSpec> pue;
    std::optional<GridSpec> grid;
    std::optional<EmbodiedSpec> embodied;
    Place place{};
};

/// How the nodes of a pool fail: key `failures`.
struct FailureSpec {
    std::string like;       ///< an entry of `bursar catalog failures`; empty: the rates below
    bool like_by_default{}; ///< the scenario gives no rate
    double per_gpu_hour{};
    double per_node_day{};
    RepairTime repair{};    ///< from the time when the failure is noticed
    Duration detect{};      ///< how long the jobs on a failed node hold their GPUs
    Duration hang_detect{}; ///< the same for jobs that hang
    double hangs{};         ///< share of the failures that leave jobs standing still, 0..1
    InfantMortality infancy{};
    double bad_node_spread{};            ///< FailureModel::node_spread
    std::shared_ptr<const FaultLog> log; ///< replayed in place of all rates; null: drawn
    std::int64_t log_nodes{};            ///< that the log covers, those without a fault too
    Duration log_from{};                 ///< time in the log at which the run begins
    std::int64_t nodes_per_rack{};       ///< 0: racks do not fail
    double per_rack_day{};
    RepairTime rack_repair{};
};

/// Windows in which nodes are out of service: key `maintenance`.
struct MaintenanceSpec {
    MaintenancePlan windows;
    Duration drain{}; ///< time before a window in which its nodes take no new work
};

/// Nodes that are slow for the whole run: key `stragglers`.
struct StragglerSpec {
    double share{};    ///< of the nodes, in (0, 1]
    double slowdown{}; ///< time there over time elsewhere, > 1
};

/// Launches that fail although nodes are available: key `launch_failures` of a pool.
struct LaunchFailureSpec {
    LaunchFailures law;
    Duration retry{30 * second};     ///< until the next try
    Duration max_retry{15 * minute}; ///< the time doubles with each failure, up to this
};

/// Spare nodes that replace nodes out of service: key `spares` of a pool.
struct SpareSpec {
    std::int64_t nodes{};
    Duration takeover{}; ///< until a spare takes work
};

/// The most nodes that several pools may have together: a row of `quotas`. `pools` or `region`.
struct QuotaSpec {
    std::vector<std::string> pools;
    std::string region;
    std::int64_t nodes{};
    Place place{};
};

inline constexpr int days_of_week = 7;

/// Hours on some days of the week, and the least number of nodes then.
struct ScheduledHours {
    std::uint8_t days{}; ///< bit d: the d-th day of the week, Monday first
    std::int64_t from{}; ///< whole hours of the day, 0 .. 23
    std::int64_t to{24}; ///< up to here, 1 .. 24
    std::int64_t nodes{};
};

/// The least number of nodes of a pool by the hour of the week: key `provisioning.schedule`. Of
/// several matching rows the largest number counts; without one, the pool's least number.
struct ScheduleSpec {
    std::string zone{"UTC"};
    std::vector<ScheduledHours> rows; ///< at least one
};

struct BillingSpec {
    Duration granularity{1}; ///< paid time is rounded up to a multiple of this
    Duration minimum{};      ///< of each launch
};

/// Time from the launch of a node until it takes work.
struct BootSpec {
    Duration mean{};
    bool is_exponential{}; ///< else every boot takes the mean
};

/// How the nodes of a pool with a range are launched and end.
struct ProvisioningSpec {
    std::optional<std::int64_t> start; ///< nodes that are up at the zero; absent: the least number
    std::int64_t warm{};               ///< idle nodes to keep beyond what waiting jobs need
    std::optional<Duration> every;     ///< launches only at multiples of this; absent: at any time
    std::optional<std::int64_t> at_once;    ///< launches at one time; absent: any number
    bool cancel_boots{};                    ///< boots that no job waits for are cancelled
    bool follows_queue{true};               ///< launches nodes for waiting jobs
    std::optional<ScheduleSpec> schedule{}; ///< sets the least number by the hour; excludes
                                            ///< `predictive`
    /// The least number of nodes, as a factor on the need of the same hour a week before.
    std::optional<double> predictive{};

    [[nodiscard]] bool moves() const { return schedule || predictive; }
};

struct PoolSpec {
    std::string name; ///< [a-z0-9-]+
    Purchase purchase{Purchase::owned};
    std::string gpu;      ///< the catalogue's own name, aliases resolved
    std::int64_t nodes{}; ///< >= 1: pools without nodes are left out; of a range its upper end
    std::optional<std::int64_t> min_nodes; ///< of a range; absent: all nodes are always up
    BootSpec boot;                         ///< of a pool with a range
    std::optional<Duration> idle_timeout;
    ProvisioningSpec provisioning;
    std::int64_t gpus_per_node{}; ///< >= 1
    std::optional<Price> price;   ///< exactly one of price, file_price, drawn_price and owned
    std::shared_ptr<const FilePrice> file_price{};
    std::shared_ptr<const DrawnPrice> drawn_price{};
    std::optional<DiscountSpec> discount;
    std::optional<OwnedSpec> owned; ///< only for Purchase::owned
    MoneyRate rate{};               ///< of the chosen price, before a discount; 0 if
                                    ///< list_price_varies()
    std::string price_basis; ///< origin of the price, for the report: "declared", "owned cost"
    /// reserved: as many whole terms as cover the run are paid; absent: to the end of the run
    std::optional<Duration> term;
    bool is_amortised{}; ///< reserved: the run's share of its terms is paid; `term` is absent then
    std::optional<Duration> term_length; ///< reserved, if given; whether or not it is amortised
    std::optional<Price> upfront;        ///< reserved: for each term, part of `rate`
    BillingSpec billing;
    std::string region;
    std::int64_t cpu_milli{};    ///< per node; 0: no limit
    std::int64_t memory_bytes{}; ///< per node; 0: no limit
    /// Of all adapters of a node together, one direction; absent: usual_node_network.
    std::optional<ByteRate> network;
    std::optional<TopologySpec> topology{};         ///< absent: its nodes are not placed
    std::optional<AvailabilitySpec> availability{}; ///< absent: all its nodes are always available
    std::optional<FailureSpec> failures{};          ///< absent: its nodes never fail
    std::optional<MaintenanceSpec> maintenance{};   ///< absent: none
    std::optional<SpareSpec> spares{};              ///< absent: none
    std::optional<StragglerSpec> stragglers{};      ///< absent: none of its nodes is slow
    std::optional<LaunchFailureSpec> launch_failures{}; ///< absent: launches never fail
    std::optional<EnergySpec> energy{};                 ///< overrides the scenario's own
    Place place;
    Place boot_place; ///< of `boot`; without a file if it is not given

    [[nodiscard]] bool has_range() const { return min_nodes.has_value(); }
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
    /// Whether its price depends on when its nodes are launched and end.
    [[nodiscard]] bool price_follows_use() const {
        return launches() && (pays_price_of_launch() || discount);
    }
};

}} // namespace bursar::scenarios
