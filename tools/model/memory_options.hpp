#pragma once

#include "tools/model/memory_answer.hpp"
#include "tools/model/options/job_options.hpp"

namespace bursar { inline namespace tools {

/// The options of `bursar model memory`.
class MemoryOptions {
  public:
    void add_to(Command command) {
        job_.add_to(command);
        command.add_flag("--anyway", anyway_, "exit code 0 for a layout that does not fit, too");
    }

    /// Throws ScenarioError, ModelError or UnknownFact for what is wrong with the options.
    [[nodiscard]] MemoryQuestion question() const { return {job_.fitting_question(), anyway_}; }

  private:
    JobOptions job_;
    bool anyway_{};
};

}} // namespace bursar::tools
