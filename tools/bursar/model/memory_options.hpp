#pragma once

#include "tools/bursar/model/memory_answer.hpp"
#include "tools/bursar/model/options/job_options.hpp"

namespace bursar::inline tools {

/// The options of `bursar model memory`.
class MemoryOptions {
  public:
    void add_to(Command command) { job_.add_to(command); }

    /// Throws ScenarioError, ModelError or UnknownFact for what is wrong with the options.
    [[nodiscard]] MemoryQuestion question() const { return {job_.question()}; }

  private:
    JobOptions job_;
};

} // namespace bursar::inline tools
