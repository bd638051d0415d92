#pragma once

#include <array>
#include <string_view>

#include "scenarios/traces/trace_format.hpp"

namespace bursar { inline namespace scenarios {

/// Words for the end of a job: bursar's, those of Slurm and Helios, those of Philly. A job that
/// reached its time limit counts as failed, as its work may be lost.
inline constexpr std::array state_words{
    StateWord{"completed", JobEnd::completed},
    StateWord{"failed", JobEnd::failed},
    StateWord{"cancelled", JobEnd::cancelled},
    StateWord{"node_failed", JobEnd::node_failed},
    StateWord{"stopped", JobEnd::stopped},
    StateWord{"COMPLETED", JobEnd::completed},
    StateWord{"FAILED", JobEnd::failed},
    StateWord{"CANCELLED", JobEnd::cancelled},
    StateWord{"TIMEOUT", JobEnd::failed},
    StateWord{"NODE_FAIL", JobEnd::node_failed},
    StateWord{"Pass", JobEnd::completed},
    StateWord{"Failed", JobEnd::failed},
    StateWord{"Killed", JobEnd::cancelled},
};

}} // namespace bursar::scenarios
