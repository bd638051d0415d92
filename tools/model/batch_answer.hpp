#pragma once

#include "models/training/search/batch.hpp"

#include "reports/answer/answer.hpp"

#include "tools/model/options/job_options.hpp"

namespace bursar { inline namespace tools {

/// What `bursar model batch` is asked.
struct BatchQuestion {
    JobQuestion asked; ///< its own micro-batch does not matter
    BatchRounding rounding{BatchRounding::none};
};

/// The largest batch that fits, and the memory it takes. Throws ModelError and UnknownFact as
/// largest_micro_batch and largest_batch do.
[[nodiscard]] Answer batch_answer(const BatchQuestion& question);

}} // namespace bursar::tools
