#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "models/market/supply_fit.hpp"
#include "models/units/units.hpp"

#include "sim/plan/provisioning.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/market/availability/read_availability.hpp"
#include "scenarios/scenario/price/price_spec.hpp"

namespace bursar { inline namespace scenarios {

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

}} // namespace bursar::scenarios
