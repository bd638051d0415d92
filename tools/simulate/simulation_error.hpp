#pragma once

#include <stdexcept>

namespace bursar { inline namespace tools {

/// A run could not be finished; not the input's fault alone.
class SimulationError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}} // namespace bursar::tools
