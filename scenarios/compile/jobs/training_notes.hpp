#pragma once

#include "scenarios/compile/compiled/compiled.hpp"

namespace bursar { inline namespace scenarios {

/// A layout in one line: "tensor 8 x pipeline 8 x data 16, micro-batch 1 x 96, zero1".
[[nodiscard]] std::string describe(const Layout& layout);

/// Fills Compiled::modelled from Compiled::trained. Adds assumptions of training models, and
/// warnings about pools that a class cannot use.
void note_training(const Scenario& scenario, Compiled& compiled);

}} // namespace bursar::scenarios
