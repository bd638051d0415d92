#pragma once

#include <string>

#include "tools/command_line/options.hpp"
#include "tools/model/calibrate_answer.hpp"

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
