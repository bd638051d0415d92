#pragma once

#include <stdexcept>

namespace bursar { inline namespace tools {

/// A run could not be finished, and not only because of its input.
class SimulationError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The input asks for more than a run can hold: more time, jobs or preemptions.
class InputTooLarge : public SimulationError {
  public:
    using SimulationError::SimulationError;
};

}} // namespace bursar::tools
