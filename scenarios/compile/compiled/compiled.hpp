#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/plan/labels.hpp"
#include "sim/plan/notes.hpp"
#include "sim/plan/plan.hpp"

#include "policies/choice/policy_choice.hpp"

#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/compile/training/trained_classes.hpp"

namespace bursar { inline namespace scenarios {

/// How a model timed the jobs of a class and gang size on one pool, as results show it.
struct ModelledGang {
    std::uint16_t plan_class{}; ///< their row in Plan::classes
    std::uint32_t pool{};
    std::uint32_t gpus{};
    Duration run_time{};                ///< rounded up; at most horizon_ms
    std::string model;                  ///< what they train
    std::string stack;                  ///< name of the profile
    std::optional<double> range_low{};  ///< 80 % range of true / modelled run time; absent: not
    std::optional<double> range_high{}; ///< known
};

/// A scenario made ready to run: names resolved, files read.
struct Compiled {
    Plan plan;
    Labels labels;
    /// How far Plan::world and prices are drawn; absent: they need no draws.
    std::optional<Duration> drawn_until;
    std::vector<std::uint16_t> scenario_class; ///< by row of Plan::classes
    std::vector<TrainedGang> trained;          ///< of classes with a model, by class and gang size
    std::vector<ModelledGang> modelled;        ///< what results show of `trained`
    /// Beyond the scenario's own; some of what is assumed holds under some policies only:
    /// assumed_under().
    Notes notes;
    std::vector<std::string> trace_notes; ///< how many rows were read and selected, and as what
};

/// Assumptions that compile() adds to every plan although they hold under some policies only. Plans
/// are compared without them.
inline constexpr std::string_view knows_run_times =
    "the scheduler knows every run time before the job has run (policy.estimates: exact)";
inline constexpr std::string_view youngest_leave =
    "capacity count: where a node goes, the youngest jobs of its pool leave";

/// `assumed` of a plan without the assumptions that do not apply under `choice`.
[[nodiscard]] inline std::vector<std::string> assumed_under(const PolicyChoice& choice,
                                                            std::vector<std::string> assumed) {
    std::erase_if(assumed, [&](const std::string& text) {
        return (text == knows_run_times && !needs_run_times(choice)) ||
               (text == youngest_leave && choice.capacity != capacity_count);
    });
    return assumed;
}

}} // namespace bursar::scenarios
