#pragma once

#include "scenarios/compile/compile.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace tools {

/// Tells `result`, of that plan, which of its jobs a model timed, and how far the model is to be
/// trusted.
void note_modelled(const Compiled& compiled, Result& result);

}} // namespace bursar::tools
