#pragma once

#include "reports/answer/answer.hpp"

#include "tools/model/options/job_options.hpp"

namespace bursar { inline namespace tools {

/// What `bursar model memory` is asked.
struct MemoryQuestion {
    JobQuestion asked;
    bool anyway{}; ///< what does not fit is no refusal
};

/// The parts of the fullest GPU's memory, and what would fit where they do not. Throws ModelError
/// and UnknownFact as memory_use and what_fits do.
[[nodiscard]] Answer memory_answer(const MemoryQuestion& question);

}} // namespace bursar::tools
