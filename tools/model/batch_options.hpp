#pragma once

#include "tools/model/batch_answer.hpp"
#include "tools/model/options/job_options.hpp"

namespace bursar { inline namespace tools {

/// The options of `bursar model batch`.
class BatchOptions {
  public:
    void add_to(Command command);

    /// Throws ScenarioError, ModelError or UnknownFact for what is wrong with the options.
    [[nodiscard]] BatchQuestion question() const { return {job_.question(), rounding_}; }

  private:
    JobOptions job_;
    BatchRounding rounding_{BatchRounding::none};
};

}} // namespace bursar::tools
