#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/calibration/validation.hpp"
#include "models/gpu/gpu.hpp"
#include "models/network/measured_curve.hpp"

#include "scenarios/measurements/operator_file.hpp"

namespace bursar { inline namespace scenarios {

/// Measured operators of one kind against the formulas, and against the other rows.
struct OperatorCheck {
    std::string operation{};           ///< "matmul, bf16", "all-reduce over 8 GPUs"
    ErrorStatistics formula{};         ///< times of the formulas with the constants of no stack
    ErrorStatistics look_up{};         ///< times interpolated between the other rows, where there
                                       ///< are some near
    std::optional<Precision> format{}; ///< of matrix products
    FlopRate best{};                   ///< of them, the best rate; 0: others
    std::optional<FittedLink> link{};  ///< of collectives with two sizes or more
};

/// One for each format of products and attention, and for each group of collectives. Throws
/// UnknownFact where the catalogue lacks a figure of `gpu` that a formula needs.
[[nodiscard]] std::vector<OperatorCheck> check_operators(const OperatorTable& table,
                                                         const Gpu& gpu);

}} // namespace bursar::scenarios
