#include "tools/bursar/model/model_options.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "models/training/names.hpp"
#include "models/training/step/precision_plan.hpp"

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

#include "tools/bursar/messages.hpp"
#include "tools/bursar/terminal.hpp"

namespace bursar {
namespace {

constexpr std::array gpu_hour_units{Unit{"USD/gpu-h", nano_usd_per_usd}};

constexpr std::size_t page_width = 100; ///< where the terminal's width is not known
constexpr std::size_t least_width = 60; ///< a narrower terminal wraps by itself
constexpr std::size_t most_width = 120; ///< longer lines are hard to read

} // namespace

const Dimension gpu_hour_prices{
    "a rate", "2.10 USD/gpu-h", gpu_hour_units, 1'000'000 * nano_usd_per_usd, "1000000 USD"};

void StackOptions::add_to(Command command) {
    command.add_choice<Precision>("--precision",
                                  precision_,
                                  precision_names,
                                  "number format of the matrix products (bf16, else fp16)");
    command.add_choice<Attention>(
        "--attention", attention_, attention_names, "attention kernel (flash2)");
    command.add_choice<StateRecipe>(
        "--recipe", recipe_, recipe_names, "weights and optimizer states (megatron-adam)");
    command.add_choice<Compilation>(
        "--compile", compilation_, compilation_names, "how kernels are launched (eager)");
    command
        .add_option("--stack", stack_, "software-stack profile of `bursar catalog stacks` (first)")
        .type_name("NAME");
    command.add_option("--stacks", file_, "profiles of your own in place of the built-in ones")
        .type_name("FILE");
}

StackProfile StackOptions::profile() const {
    const Stacks stacks = file_.empty() ? builtin_stacks() : read_stacks(file_);
    if (stack_.empty())
        return stacks.all.front();
    const StackProfile* found = stacks.find(stack_);
    if (found == nullptr)
        fail_input({"--stack"},
                   {},
                   mistake(fmt::format("no profile is called {}", in_quotes(stack_)),
                           {},
                           suggestion(stack_, stacks.names())));
    return *found;
}

void StackOptions::apply_to(TrainingJob& job, const Gpu& gpu) const {
    job.precision = precision_.value_or(usual_precision(gpu));
    static_cast<void>(plan_precision(gpu, job.precision)); // throws
    job.attention = attention_;
    job.recipe = recipe_;
    job.compilation = compilation_;
}

void JobOptions::add_to(Command command) {
    shape.add_to(command);
    machines.add_to(command);
    plan.add_to(command);
    stack.add_to(command);
}

TrainingJob JobOptions::job() const {
    TrainingJob job;
    job.model = shape.transformer();
    job.sequence = job.model.sequence;
    job.layout = layout();
    stack.apply_to(job, machines.gpu());
    return job;
}

Cluster JobOptions::cluster() const {
    return machines.cluster();
}

void AnswerOptions::add_to(Command command) {
    command.add_choice<AnswerFormat>(
        "--format", format_, answer_format_names, "what is printed on stdout (table)");
}

void AnswerOptions::show(const Answer& answer) const {
    for (const std::string& warning : answer.warnings)
        say("warning: {}\n", printable(warning));
    const std::size_t width = std::clamp(terminal_width(page_width), least_width, most_width);
    const std::string text = render(answer, format_, width);
    std::fwrite(text.data(), 1, text.size(), stdout);
}

} // namespace bursar
