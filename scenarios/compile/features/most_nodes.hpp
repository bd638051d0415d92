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

/// Nodes of a pool that can ever take jobs at one time, whatever the seed, and what says so.
struct MostNodes {
    std::uint32_t nodes{};
    std::string why;        ///< empty: they are all that the pool has
    std::string suggestion; ///< likewise
};

/// Of every pool: what quotas leave to it, what its availability has at best, and what is launched
/// at all. plan: with its pools and provisioning. zero_utc_ms: the date of the scenario's zero, if
/// it has one. Throws ScenarioError for dated availability without a dated zero.
[[nodiscard]] std::vector<MostNodes>
most_nodes(const Scenario& scenario, const Plan& plan, std::optional<std::int64_t> zero_utc_ms);

/// Why no gang gets its nodes in those pools (bits), at least one, which would hold it if they had
/// all of theirs at one time; and what would help. most: as above.
[[nodiscard]] Finding short_of_nodes(const std::vector<MostNodes>& most,
                                     const Plan& plan,
                                     const Labels& labels,
                                     std::uint64_t pools);

}} // namespace bursar::scenarios
