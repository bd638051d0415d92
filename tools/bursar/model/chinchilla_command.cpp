#include <memory>

#include "tools/bursar/model/chinchilla_answer.hpp"
#include "tools/bursar/model/chinchilla_options.hpp"
#include "tools/bursar/model/chinchilla_question.hpp"
#include "tools/bursar/model/model_command.hpp"
#include "tools/bursar/model/model_options.hpp"

namespace bursar {

void add_model_chinchilla(Command model) {
    struct Options {
        ChinchillaOptions question;
        AnswerOptions answer;
    };
    Command command = model.add_subcommand(
        "chinchilla", "how large a model, on how many tokens, for a budget or a loss");
    const auto options = std::make_shared<Options>();
    options->question.add_to(command);
    options->answer.add_to(command);
    command.callback([options] {
        const ChinchillaQuestion question = resolve(options->question);
        options->answer.show(chinchilla_answer(question, options->question));
    });
}

} // namespace bursar
