#pragma once

#include <stdexcept>

namespace bursar { inline namespace reports {

/// A saved result cannot be read, or an output cannot be written; the message says which file and
/// why.
class ReportError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The input is at fault: a saved result that is missing, truncated, or no result.
class BadResult : public ReportError {
  public:
    using ReportError::ReportError;
};

}} // namespace bursar::reports
