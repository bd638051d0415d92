#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "models/market/markov_supply.hpp"
#include "models/market/supply_generators.hpp"
#include "models/market/supply_statistics.hpp"

/// Generators fitted to a supply series.
namespace bursar { inline namespace models {

enum class SupplyFamily : std::uint8_t {
    exponential, ///< constant hazards; several nodes share a zone
    weibull,     ///< hazards that change with age; independent nodes
    markov,      ///< a chain over numbers of nodes; several nodes
    resampled,   ///< observed up-times and down-times; one node
    blocks       ///< stretches of the series; several nodes
};

inline constexpr std::array<std::string_view, 5> supply_family_names{
    "exponential", "weibull", "markov", "resampled", "blocks"};

[[nodiscard]] constexpr std::string_view name_of(SupplyFamily family) {
    return supply_family_names[static_cast<std::size_t>(family)];
}

using SupplyModel = std::variant<ZoneSupply, MarkovSupply, BlockSupply>;

/// generate() of the alternative that it holds.
[[nodiscard]] SupplySeries
generate(const SupplyModel& supply, Duration horizon, std::uint64_t seed, SupplyEntity entity = {});

/// A family with fitted parameters, and how close its generated series are to the fitted one.
struct FittedSupply {
    SupplyFamily family{};
    SupplyModel model;
    SupplyStatistics generated; ///< over seeds, of series as long as the fitted one
    /// The largest relative difference between generated and fitted: of the share of time that a
    /// node is up, changes a day, mean and 90th percentile of up-times.
    double worst_difference{};
};

/// Means over the series of seeds 1 .. num_seeds; for up-times, mean and 90th percentile of all
/// series together. num_seeds: >= 1.
[[nodiscard]] SupplyStatistics
pooled_statistics(const SupplyModel& supply, Duration horizon, int num_seeds);

/// Every family that the series can be fitted with, in the order of the enum. Up-times and
/// down-times are those of node_spells(). Means are kept exactly: time up by ends of up-times. The
/// shape of a Weibull law is the maximum-likelihood one, in which lives cut by the ends of the
/// series count as censored; the correlation reproduces the variance of the number of nodes;
/// resampled lives are all observed ones. Parameters are rounded to a ten-thousandth or a
/// millisecond, so that a fit is the same on every machine.
///
/// num_seeds: for the comparison of each family, >= 1. Throws ModelError for a series with fewer
/// than two whole up-times and two whole down-times.
[[nodiscard]] std::vector<FittedSupply> fit_supply(const SupplySeries& supply, int num_seeds = 200);

/// A family within this share of a series is near enough.
inline constexpr double near_enough_fit = 0.1;

/// The recommended family: the first that is near enough, else the nearest. fits: not empty.
[[nodiscard]] const FittedSupply& chosen_fit(const std::vector<FittedSupply>& fits);

}} // namespace bursar::models
