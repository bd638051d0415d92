#pragma once

#include <stdexcept>

namespace bursar { inline namespace sim {

/// The bytes are no plan that this program reads: cut short, damaged, of another version or of
/// another machine. The message says which.
class BadPlan : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}} // namespace bursar::sim
