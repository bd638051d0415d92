#pragma once

#include <string>

#include "models/calibration/validation.hpp"

#include "reports/document/document.hpp"
#include "reports/document/render.hpp"

#include "tools/command_line/option_table.hpp"

namespace bursar { inline namespace tools {

/// --format of an answer.
struct AnswerOptions {
    AnswerFormat format{AnswerFormat::table};

    /// Prints the answer on stdout and its warnings on stderr. Throws UsageError after printing an
    /// answer that is a refusal.
    void show(const Document& answer) const;
    void show(const Validation& validation) const;
};

[[nodiscard]] OptionTable<AnswerOptions> answer_options();

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
    add_command(above,
                name,
                help,
                option_table<Given>({{&Given::options, table}, {&Given::shown, answer_options()}}),
                [answer](const Given& given) { given.shown.show(answer(given.options)); });
}

}} // namespace bursar::tools
