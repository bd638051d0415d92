#pragma once

#include <string>

#include "tools/model/options/job_options.hpp"
#include "tools/model/step_answer.hpp"

namespace bursar { inline namespace tools {

/// The options of `bursar model step`.
class StepOptions {
  public:
    void add_to(Command command);

    /// Throws ScenarioError, ModelError or UnknownFact for what is wrong with the options.
    [[nodiscard]] StepQuestion question() const;

  private:
    JobOptions job_;
    std::string price_;
    bool anyway_{};
};

}} // namespace bursar::tools
