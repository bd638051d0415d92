#pragma once

#include <string>

#include "tools/bursar/model/calibrate_answer.hpp"
#include "tools/bursar/options.hpp"

namespace bursar { inline namespace tools {

/// The options of `bursar model calibrate`.
class CalibrateOptions {
  public:
    void add_to(Command command);

    /// Throws ScenarioError for unknown constants and bad files.
    [[nodiscard]] CalibrateQuestion question() const;

  private:
    CalibrationRequest request_;
    bool all_rows_{};
    std::string stacks_;
    std::string out_;
};

}} // namespace bursar::tools
