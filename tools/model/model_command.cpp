#include <memory>
#include <string>

#include "tools/command_line/answer_options.hpp"
#include "tools/command_line/command.hpp"
#include "tools/model/batch_options.hpp"
#include "tools/model/calibrate_options.hpp"
#include "tools/model/checkpoint_options.hpp"
#include "tools/model/chinchilla_options.hpp"
#include "tools/model/collective_options.hpp"
#include "tools/model/grid_options.hpp"
#include "tools/model/layout_options.hpp"
#include "tools/model/memory_options.hpp"
#include "tools/model/step_options.hpp"
#include "tools/model/validate_options.hpp"

namespace bursar { inline namespace tools {
namespace {

/// Adds one subcommand: its options become a question, and the question an answer that is shown.
template <class Options, class Answering>
void add_answer(Command model,
                const std::string& name,
                const std::string& help,
                const Answering& answer) {
    struct Asked {
        Options options;
        AnswerOptions shown;
    };
    Command command = model.add_subcommand(name, help);
    const auto asked = std::make_shared<Asked>();
    asked->options.add_to(command);
    asked->shown.add_to(command);
    command.callback([asked, answer] { asked->shown.show(answer(asked->options.question())); });
}

} // namespace

void add_model_command(Command program) {
    Command model =
        program.add_subcommand("model", "estimate a training job: time, memory, layout, failures");
    model.require_subcommand();
    add_answer<ChinchillaOptions>(model,
                                  "chinchilla",
                                  "how large a model, on how many tokens, for a budget or a loss",
                                  chinchilla_answer);
    add_answer<StepOptions>(
        model, "step", "how long one optimizer step takes, term by term", step_answer);
    add_answer<MemoryOptions>(model,
                              "memory",
                              "memory of a training job on its fullest GPU, part by part",
                              memory_answer);
    add_answer<BatchOptions>(
        model, "batch", "the largest micro-batch that fits the GPU's memory", batch_answer);
    add_answer<LayoutOptions>(
        model,
        "layout",
        "search parallelism, micro-batch, recompute and precision for GPUs or a budget",
        layout_answer);
    add_answer<GridOptions>(
        model,
        "grid",
        "the best runs over GPUs, prices, batches and every layout, for each of several models",
        grid_answer);
    add_answer<CheckpointOptions>(model,
                                  "checkpoint",
                                  "how often to save; what failures, saves and storage cost",
                                  checkpoint_answer);
    add_answer<CollectiveOptions>(
        model, "collective", "how long a collective operation takes", collective_answer);
    add_answer<CalibrateOptions>(
        model, "calibrate", "fit a software-stack profile to measured steps", calibrate_answer);
    add_answer<ValidateOptions>(
        model, "validate", "errors of the models against published measurements", validate_answer);
}

}} // namespace bursar::tools
