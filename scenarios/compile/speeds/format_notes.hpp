#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "scenarios/compile/speeds/gpu_speeds.hpp"

namespace bursar { inline namespace scenarios {

/// What other number formats than those they were measured in were taken to make of run times.
class FormatNotes {
  public:
    /// gpu: of the pool that `speed` is of.
    void add(const std::string& gpu, const PoolSpeed& speed);

    /// What is assumed; empty: nothing.
    [[nodiscard]] std::vector<std::string> assumed() const;

  private:
    std::map<std::tuple<std::string, Precision, Precision>, PoolSpeed> changes_; ///< by GPU
    bool some_unknown_{};
};

}} // namespace bursar::scenarios
