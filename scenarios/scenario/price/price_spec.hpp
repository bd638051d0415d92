#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/market/price_generators.hpp"
#include "models/market/price_series.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/market/prices/price_file.hpp"
#include "scenarios/reader/written.hpp"

namespace bursar { inline namespace scenarios {

/// What a price is asked for.
enum class PricePer : std::uint8_t { gpu, node };

/// Which of the prices that change a node pays: that of the moment, or that of its launch until it
/// ends.
enum class PaidPrice : std::uint8_t { market, at_launch };

/// Money as the user wrote it, per GPU or per node; per hour where it is a rate.
struct Price {
    std::int64_t nano_usd{};
    PricePer per{PricePer::gpu};
};

/// Nano-dollars per GPU.
[[nodiscard]] std::int64_t gpu_price(const Price& price, std::int64_t gpus_per_node);

/// An hourly price that a file states.
struct FilePrice {
    std::string file; ///< as it was opened
    std::uint64_t hash{};
    PriceOffer offer;
    PriceTimes times{PriceTimes::none};
    PricePer per{PricePer::node};
    PriceSeries steps;                ///< of what `per` says; instants as the file's
    std::int64_t end_ms{};            ///< until when the file speaks of it
    std::optional<std::int64_t> gpus; ///< of the machine, where the file says it
    std::vector<Finding> notes;       ///< what its reader took for granted or found odd
    Written where;                    ///< the key that names the file
    PaidPrice paid{PaidPrice::market};
    /// The file asks for whole machines, which its format says; else the scenario says for what.
    bool of_machines{};
    std::optional<Duration> from{}; ///< time since its first price at which the run begins

    /// Whether it changes with time; else it has one step, from whenever on.
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

/// What a generator was fitted to, and how near it comes.
struct PriceLike {
    PriceOffer offer;
    std::string file; ///< as it was opened
    std::uint64_t hash{};
    double
        worst{}; ///< of mean price, changes a day, mean and 90th percentile of up-time, as a share
};

/// An hourly price that is drawn by the seed.
struct DrawnPrice {
    PriceGenerator generator; ///< per hour of what `per` says
    PricePer per{PricePer::node};
    std::optional<PriceLike> like; ///< absent: the scenario gives its law
    std::vector<Finding> notes;    ///< what was noticed in the file
    Written where;                 ///< the key `generate`
    PaidPrice paid{PaidPrice::market};

    /// "drawn by the seed: regime-switching, like p3.2xlarge us-east-1b spot of p3.json
    /// (1a2b3c4d)".
    [[nodiscard]] std::string basis() const;
    /// What a reader of the bill should know about the draws.
    [[nodiscard]] std::string assumed() const;
    /// Its steps per GPU-hour from 0 until `until` (> 0). Pools that name one offer of one file
    /// have one price; others are told apart by `pool`, their name.
    [[nodiscard]] PriceSeries per_gpu_hour(std::int64_t gpus_per_node,
                                           Duration until,
                                           std::uint64_t seed,
                                           std::string_view pool) const;
    /// How many steps a series until `until` has, roughly.
    [[nodiscard]] double expected_steps(Duration until) const;
};

}} // namespace bursar::scenarios
