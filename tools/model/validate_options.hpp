#pragma once

#include <string>

#include "tools/command_line/options.hpp"
#include "tools/model/validate_answer.hpp"

namespace bursar { inline namespace tools {

/// The options of `bursar model validate`.
class ValidateOptions {
  public:
    void add_to(Command command);

    /// Throws ScenarioError for a bad file of profiles.
    [[nodiscard]] ValidateQuestion question() const;

  private:
    std::string folder_;
    std::string rows_;
    std::string stacks_;
};

}} // namespace bursar::tools
