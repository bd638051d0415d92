#pragma once

#include <cstdint>
#include <vector>

#include "models/market/supply_generators.hpp"
#include "models/market/supply_series.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// Supply as a continuous-time Markov chain over numbers of nodes, with a rate from each to each
/// other. With two states, up-times and down-times are exponential.
class MarkovSupply {
  public:
    /// nodes: of each state, strictly ascending, >= 0, at least two. per_hour: rate from state i to
    /// state j at i · states + j, >= 0; the diagonal is ignored. Every state must be reachable from
    /// every other. Throws ModelError.
    MarkovSupply(std::vector<std::int32_t> nodes, std::vector<double> per_hour);

    [[nodiscard]] const std::vector<std::int32_t>& nodes() const { return nodes_; }
    [[nodiscard]] double per_hour(std::size_t from, std::size_t to) const {
        return per_hour_[from * nodes_.size() + to];
    }

    /// Share of the time in each state, in the long run.
    /// Source: Grassmann, Taksar and Heyman, "Regenerative analysis and steady state distributions
    /// for Markov chains", Operations Research 33(5), 1985: elimination without subtractions.
    [[nodiscard]] const std::vector<double>& shares() const { return shares_; }

    [[nodiscard]] double mean_nodes() const;

    /// Nodes lost per day.
    [[nodiscard]] double reclaims_per_day() const;

    /// Sum of the rates to all other states.
    [[nodiscard]] double leave_per_hour(std::size_t state) const;

  private:
    std::vector<std::int32_t> nodes_;
    std::vector<double> per_hour_;
    std::vector<double> shares_;
};

/// The chain with the transition rates of `supply`. A closing step from the last number back to the
/// first makes its shares of time exactly those of the series. Throws ModelError for a series that
/// never changes.
[[nodiscard]] MarkovSupply fit_markov(const SupplySeries& supply);

/// The supply from 0 until `horizon`, stationary: the first state is drawn by its share. Jump n
/// belongs to (seed, pool, n). horizon: >= 1 ms.
[[nodiscard]] SupplySeries generate(const MarkovSupply& supply,
                                    Duration horizon,
                                    std::uint64_t seed,
                                    SupplyEntity entity = {});

}} // namespace bursar::models
