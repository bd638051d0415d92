#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenarios/variants/variants.hpp"

namespace bursar { inline namespace scenarios {

enum class DrawMethod : std::uint8_t {
    random,          ///< each point independently
    latin_hypercube, ///< each equal part of every path's range once
};

/// The values that a path is drawn from: a list, or a range.
struct DrawnPath {
    std::string path;
    std::vector<std::string> values; ///< equally likely; empty: drawn from `range`
    std::string range{};  ///< `10..40`: any whole number; `0.2..0.4 USD/gpu-h`: four digits more
                          ///< than written; `10..40:5`: multiples of the step
    std::string origin{}; ///< its name in messages
};

/// An axis of `points` values for the paths, which change together. Equal arguments give equal
/// points. Points may repeat if there are few values.
///
/// points: >= 1. paths: at least one. Throws ScenarioError for a malformed or empty range.
/// Source of latin_hypercube: McKay, Beckman and Conover 1979, "A comparison of three methods for
/// selecting values of input variables in the analysis of output from a computer code",
/// Technometrics 21(2).
Axis draw_axis(std::span<const DrawnPath> paths,
               DrawMethod method,
               std::uint32_t points,
               std::uint64_t seed);

}} // namespace bursar::scenarios
