#pragma once

#include <array>
#include <string_view>

#include "scenarios/traces/job_columns.hpp"

namespace bursar {

/// Words for what became of a job: bursar's own (the first four), those of Slurm as Helios uses
/// them, those of Philly. A job that ran into its time limit has failed: nothing says that its work
/// was kept.
inline constexpr std::array state_words{
    StateWord{"completed", JobEnd::completed},
    StateWord{"failed", JobEnd::failed},
    StateWord{"cancelled", JobEnd::cancelled},
    StateWord{"node_failed", JobEnd::node_failed},
    StateWord{"COMPLETED", JobEnd::completed},
    StateWord{"FAILED", JobEnd::failed},
    StateWord{"CANCELLED", JobEnd::cancelled},
    StateWord{"TIMEOUT", JobEnd::failed},
    StateWord{"NODE_FAIL", JobEnd::node_failed},
    StateWord{"Pass", JobEnd::completed},
    StateWord{"Failed", JobEnd::failed},
    StateWord{"Killed", JobEnd::cancelled},
};

/// Bursar's own word for `end`.
constexpr std::string_view state_word(JobEnd end) {
    return state_words[static_cast<std::size_t>(end)].word;
}
static_assert(state_word(JobEnd::cancelled) == "cancelled");
static_assert(state_word(JobEnd::node_failed) == "node_failed");

} // namespace bursar
