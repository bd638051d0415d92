#pragma once

#include "reports/answer/answer.hpp"

#include "tools/bursar/model/chinchilla_options.hpp"
#include "tools/bursar/model/chinchilla_question.hpp"

namespace bursar {

/// What the models say to `question`, with the terms of every figure and the source of every
/// constant; foolish wishes as warnings.
[[nodiscard]] Answer chinchilla_answer(const ChinchillaQuestion& question,
                                       const ChinchillaOptions& options);

} // namespace bursar
