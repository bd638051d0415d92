#pragma once

#include "scenarios/compile/compiled/compiled.hpp"

namespace bursar { inline namespace scenarios {

/// A layout in one line: "tensor 8 x pipeline 8 x data 16, micro-batch 1 x 96, zero1".
[[nodiscard]] std::string describe(const Layout& layout);

/// Writes what results say of `trained`, which is there, to `modelled`; adds what training took for
/// granted to `assumed`, and the pools a class was kept off to `warnings`.
void note_training(const Scenario& scenario, Compiled& compiled);

}} // namespace bursar::scenarios
