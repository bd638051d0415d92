#pragma once

#include "models/calibration/validation.hpp"

#include "reports/answer/answer.hpp"
#include "reports/answer/render.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// How the answer is shown.
class AnswerOptions {
  public:
    void add_to(Command command);

    /// Print the answer on stdout, its warnings on stderr. Throws UsageError after an answer that
    /// is a refusal.
    void show(const Answer& answer) const;
    void show(const Validation& validation) const;

    [[nodiscard]] AnswerFormat format() const { return format_; }

  private:
    AnswerFormat format_{AnswerFormat::table};
};

}} // namespace bursar::tools
