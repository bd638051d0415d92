#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/units/units.hpp"

#include "scenarios/compile/training/trained_classes.hpp"

namespace bursar { inline namespace scenarios {

/// How a model timed the jobs of a class and gang size on one pool: what a result says of it.
struct ModelledGang {
    std::uint16_t plan_class{}; ///< their row in Plan::classes
    std::uint32_t pool{};
    std::uint32_t gpus{};
    Duration run_time{};                    ///< rounded up; at most horizon_ms
    std::string model;                      ///< what they train
    std::string stack;                      ///< name of the profile
    std::optional<double> held_out_error{}; ///< of its step times, as a share; absent: not known
};

/// In the order of `trained`, and there of its pools.
[[nodiscard]] std::vector<ModelledGang> modelled_gangs(const Scenario& scenario,
                                                       const std::vector<TrainedGang>& trained);

}} // namespace bursar::scenarios
