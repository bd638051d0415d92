#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The most nodes of a pool that can take jobs at one time, whatever the seed, and why.
struct MostNodes {
    std::uint32_t nodes{};
    std::string why;        ///< empty: all nodes of the pool can take jobs at one time
    std::string suggestion; ///< empty in the same case
};

/// For every pool, by quotas, availability and provisioning. plan: with its pools and provisioning.
/// zero_utc_ms: the date of the scenario's zero, if it has one. Throws ScenarioError for dated
/// availability without a dated zero.
[[nodiscard]] std::vector<MostNodes>
most_nodes(const Scenario& scenario, const Plan& plan, std::optional<std::int64_t> zero_utc_ms);

/// Why a gang never gets its nodes in those pools, and what would help. pools: as bits, at least
/// one; each would hold the gang if all its nodes were up at one time. most: as most_nodes()
/// returns.
[[nodiscard]] Finding short_of_nodes(const std::vector<MostNodes>& most,
                                     const Plan& plan,
                                     const Labels& labels,
                                     std::uint64_t pools);

}} // namespace bursar::scenarios
