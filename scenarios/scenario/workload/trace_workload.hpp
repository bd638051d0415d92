#pragma once

#include <memory>

namespace bursar { inline namespace scenarios {

struct TraceOptions;

/// A workload that a trace file holds. The options are kept apart from the scenario, so that a new
/// one rebuilds only the sources that look into them. Copies share what nobody changes.
class TraceWorkload {
  public:
    TraceWorkload(); ///< of no file
    // Implicit: it is the options, held elsewhere.
    TraceWorkload(TraceOptions options); // NOLINT(google-explicit-constructor)

    [[nodiscard]] const TraceOptions& operator*() const { return *options_; }
    [[nodiscard]] const TraceOptions* operator->() const { return options_.get(); }

    /// Are the options the same?
    bool operator==(const TraceWorkload& other) const;

  private:
    std::shared_ptr<const TraceOptions> options_;
};

}} // namespace bursar::scenarios
