#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/market/discounts.hpp"
#include "models/market/price_generators.hpp"
#include "models/market/price_series.hpp"
#include "models/units/units.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/market/prices/price_file.hpp"
#include "scenarios/reader/read_values.hpp"

namespace bursar { inline namespace scenarios {

/// What a price is for.
enum class PricePer : std::uint8_t { gpu, node };

/// Which price a node pays when prices change: the current one, or the one at its launch.
enum class PaidPrice : std::uint8_t { market, at_launch };

/// Money as the user wrote it, per GPU or per node; per hour where it is a rate.
struct Price {
    std::int64_t nano_usd{};
    PricePer per{PricePer::gpu};
};

/// Nano-dollars per GPU.
[[nodiscard]] std::int64_t gpu_price(const Price& price, std::int64_t gpus_per_node);

/// An hourly price from a file.
struct FilePrice {
    std::string file; ///< as it was opened
    std::uint64_t hash{};
    PriceOffer offer;
    PriceTimes times{PriceTimes::none};
    PricePer per{PricePer::node};
    PriceSeries steps;                ///< per `per`; in the file's times
    std::int64_t end_ms{};            ///< end of the file's prices
    std::optional<std::int64_t> gpus; ///< of the machine, where the file says it
    std::vector<Finding> notes;       ///< of its reader
    Written where;                    ///< the key that names the file
    PaidPrice paid{PaidPrice::market};
    /// Whether its format gives prices of whole machines; else the scenario says what they are for.
    bool of_machines{};
    std::optional<Duration> from{}; ///< time since its first price at which the run begins

    /// Whether it changes with time; else it has a single step.
    [[nodiscard]] bool varies() const { return times != PriceTimes::none; }
    /// "prices.csv", without its folder.
    [[nodiscard]] std::string name() const;
    /// An instant of the file: "2020-01-05 00:00:00Z", "hour 48".
    [[nodiscard]] std::string instant(std::int64_t at_ms) const;
    /// Offer, file, hash and first and last instant, for the report.
    [[nodiscard]] std::string basis() const;
    /// Its steps per GPU-hour.
    [[nodiscard]] PriceSeries per_gpu_hour(std::int64_t gpus_per_node) const;
};

/// What a generator was fitted to, and its error.
struct PriceLike {
    PriceOffer offer;
    std::string file; ///< as it was opened
    std::uint64_t hash{};
    double
        worst{}; ///< of mean price, changes a day, mean and 90th percentile of up-time; as a share
};

/// An hourly price that is drawn by the seed.
struct DrawnPrice {
    PriceGenerator generator; ///< per hour of what `per` says
    PricePer per{PricePer::node};
    std::optional<PriceLike> like; ///< absent: the scenario gives its law
    std::vector<Finding> notes;    ///< of the file's reader
    Written where;                 ///< the key `generate`
    PaidPrice paid{PaidPrice::market};

    /// "drawn by the seed: regime-switching, like p3.2xlarge us-east-1b spot of p3.json
    /// (1a2b3c4d)".
    [[nodiscard]] std::string basis() const;
    /// Assumption for the bill about the draws.
    [[nodiscard]] std::string assumed() const;
    /// Its steps per GPU-hour from 0 until `until` (> 0). Pools with the same offer of one file
    /// have the same price; others draw by `pool`, their name.
    [[nodiscard]] PriceSeries per_gpu_hour(std::int64_t gpus_per_node,
                                           Duration until,
                                           std::uint64_t seed,
                                           std::string_view pool) const;
    /// Approximate number of steps until `until`.
    [[nodiscard]] double expected_steps(Duration until) const;
};

/// A currency that prices of the scenario may be written in, besides dollars.
struct Currency {
    std::string code;               ///< "EUR"
    std::int64_t nano_usd{};        ///< value of one unit, > 0
    std::optional<std::string> day; ///< of that rate: "2026-01-31"
    std::string source{};           ///< of that rate: "ECB reference rate"; may be empty
};

/// A limit on the rate of spending.
struct BurnSpec {
    std::int64_t nano_usd_per_hour{}; ///< > 0
    Duration over{};                  ///< time of the average, > 0
};

/// Effect of a budget once its limit is spent.
enum class BudgetThen : std::uint8_t { alert, stop_admitting, stop_jobs };

/// A limit on what a run, a pool or a tenant may spend.
struct BudgetSpec {
    std::string name; ///< empty: unnamed
    std::int64_t limit_nano_usd{};
    std::string pool;   ///< empty: of all
    std::string tenant; ///< empty: of all
    bool is_monthly{};  ///< the limit is per calendar month; else for the run
    bool fails{};       ///< exceeding it fails the program's exit code
    BudgetThen then{};
    std::optional<BurnSpec> burn;
    Place place{};
};

/// What moving data from one region to another costs: a row of the key `egress`.
struct EgressSpec {
    std::optional<std::string> from; ///< region of a pool; absent: any
    std::optional<std::string> to;   ///< likewise
    double usd_per_gb{};             ///< of 10^9 bytes, >= 0
};

/// The price of the first row that matches both regions; absent: none does.
[[nodiscard]] std::optional<double> egress_usd_per_gb(const std::vector<EgressSpec>& rows,
                                                      const std::string& from,
                                                      const std::string& to);

/// Discounts on a pool's price that depend on its use.
struct DiscountSpec {
    std::vector<std::int64_t> sustained_use; ///< see sustained_use(); empty: none
    std::vector<VolumeTier> volume;          ///< ascending; empty: none
};

/// An amount of money per period.
struct Spend {
    std::int64_t nano_usd{};
    Duration period{hour};
};

/// A promise to spend on some pools, paid for whether used or not.
struct CommitmentSpec {
    std::string name;
    Spend spend;
    std::vector<std::string> pools; ///< at least one, each in one commitment
};

/// Purchase price and running cost of an owned pool (models/market/owned_cost.hpp).
struct OwnedSpec {
    Price capex;
    Duration life{};                     ///< depreciation period, >= 1 h
    std::int64_t power_milliwatts{};     ///< per GPU, its share of the node included
    std::int64_t pue_milli{1000};        ///< >= 1000
    std::int64_t electricity_nano_usd{}; ///< per kWh
    std::int64_t colo_nano_usd{};        ///< per kW of IT power and month
};

}} // namespace bursar::scenarios
