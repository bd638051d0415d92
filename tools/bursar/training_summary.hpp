#pragma once

#include "scenarios/compile/compile.hpp"

namespace bursar { inline namespace tools {

/// Prints what the classes with a model come to, per gang size and pool; nothing where no class has
/// one.
void print_training(const Scenario& scenario, const Compiled& compiled);

}} // namespace bursar::tools
