#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document/override.hpp"

namespace bursar::inline scenarios {

/// A path of a scenario and the values it takes one after the other.
struct Axis {
    std::string path;                ///< as Override::path
    std::vector<std::string> values; ///< YAML each; at least one
};

/// Splits `PATH=V1,V2,...` at the first '=' and at commas outside of brackets, braces and quotes.
/// Throws ScenarioError where a part is missing or empty, or brackets do not match.
Axis parse_axis(std::string_view text);

/// One scenario out of those that some axes span.
struct Variant {
    std::string label;          ///< for people: "las, by: time", "sjf, skip"
    std::vector<Override> sets; ///< one per axis, in order
};

inline constexpr std::size_t max_variants = 1000;

/// Every combination of the axes' values, the last axis changing fastest. The first is the base: it
/// has every axis' first value. Throws ScenarioError where a path comes twice, where there are less
/// than two combinations, or more than max_variants.
std::vector<Variant> all_variants(std::span<const Axis> axes);

} // namespace bursar::inline scenarios
