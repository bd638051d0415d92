#pragma once

#include <memory>
#include <string>

#include "models/calibration/validation.hpp"

#include "reports/document/document.hpp"
#include "reports/document/render.hpp"

#include "tools/command_line/option_table.hpp"

namespace bursar { inline namespace tools {

/// --format of an answer.
class AnswerOptions {
  public:
    void add_to(Command command);

    /// Prints the answer on stdout and its warnings on stderr. Throws UsageError after printing an
    /// answer that is a refusal.
    void show(const Document& answer) const;
    void show(const Validation& validation) const;

    [[nodiscard]] AnswerFormat format() const { return format_; }

  private:
    AnswerFormat format_{AnswerFormat::table};
};

/// Adds a subcommand: its options fill an Options, and `answer` computes the answer from them.
template <class Options, class Answering>
void add_answer(Command above,
                const std::string& name,
                const std::string& help,
                const OptionTable<Options>& table,
                const Answering& answer) {
    struct Given {
        Options options;
        AnswerOptions shown;
    };
    Command command = above.add_subcommand(name, help);
    const auto given = std::make_shared<Given>();
    table.add_to(command, given->options);
    given->shown.add_to(command);
    command.callback([given, answer] { given->shown.show(answer(given->options)); });
}

}} // namespace bursar::tools
