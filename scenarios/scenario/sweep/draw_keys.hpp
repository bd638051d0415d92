#pragma once

#include <functional>

#include "scenarios/reader/reader.hpp"
#include "scenarios/scenario/sweep/sweep_spec.hpp"

namespace bursar { inline namespace scenarios {

/// Reads `sweep.draw` into an axis more. check_path: of each path, where its key stands.
void read_draw(const Reader& at,
               const std::function<void(const Reader&)>& check_path,
               SweepSpec& sweep);

[[nodiscard]] Schema draw_schema();

}} // namespace bursar::scenarios
