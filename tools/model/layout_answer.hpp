#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/training/search/layout_budget.hpp"

#include "reports/answer/answer.hpp"

namespace bursar { inline namespace tools {

/// What `bursar model layout` is asked.
struct LayoutQuestion {
    TrainingJob job;                 ///< its layout does not matter
    std::vector<FleetOption> fleets; ///< one or more
    StackProfile profile;
    std::string why_stack;                    ///< as ChosenStack says it
    std::optional<std::int64_t> global_batch; ///< absent: a sequence for each GPU
    std::int64_t max_micro_batch{16};
    std::vector<Precision> precisions; ///< empty: the job's
    std::size_t keep{10};
    std::optional<TrainingGoal> goal; ///< absent: layouts of one fleet, whatever a run takes
    std::string network_source;
};

/// The fastest layouts of one fleet, or the best plan for each of several. Throws ModelError where
/// nothing fits, UnknownFact where a GPU lacks a fact.
[[nodiscard]] Answer layout_answer(const LayoutQuestion& question);

}} // namespace bursar::tools
