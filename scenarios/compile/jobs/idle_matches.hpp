#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Warnings of what classes match and no job has: misspelt tenants and names, and classes that get
/// no job at all. jobs_of_class: how many jobs each class got.
[[nodiscard]] std::vector<std::string> idle_matches(const Scenario& scenario,
                                                    const Trace& trace,
                                                    std::span<const std::uint64_t> jobs_of_class);

}} // namespace bursar::scenarios
