#pragma once

#include <string>

#include "models/training/job/layout.hpp"

namespace bursar { inline namespace models {

/// How the GPUs of a step are divided, for people: "tensor 8 x pipeline 16 (3 chunks) x data 8".
/// Tensor, pipeline and data always stand there, the others where they divide anything.
[[nodiscard]] std::string ranks_text(const Layout& layout);

}} // namespace bursar::models
