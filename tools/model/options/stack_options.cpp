#include "tools/model/options/stack_options.hpp"

#include <fmt/format.h>

#include "models/training/job/names.hpp"
#include "models/training/job/precision_plan.hpp"

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace tools {
void StackOptions::add_to(Command command) {
    command.add_choice<Precision>(
        "--precision",
        precision_,
        precision_names,
        "number format of the matrix products (default: bf16, else fp16)");
    command.add_choice<Attention>(
        "--attention", attention_, attention_names, "attention kernel (default: flash2)");
    command.add_choice<StateRecipe>(
        "--recipe", recipe_, recipe_names, "weights and optimizer states (default: megatron-adam)");
    command.add_choice<Compilation>(
        "--compile", compilation_, compilation_names, "how kernels are launched (default: eager)");
    command
        .add_option(
            "--stack",
            stack_,
            "software-stack profile of `bursar catalog stacks` (default: the nearest to the job)")
        .type_name("NAME")
        .completes([] { return builtin_stacks().names(); });
    command.add_option("--stacks", file_, "profiles in place of the built-in ones")
        .type_name("FILE");
}

ChosenStack StackOptions::chosen(const StackClues& clues) const {
    const Stacks stacks = file_.empty() ? builtin_stacks() : read_stacks(file_);
    if (stack_.empty()) {
        const StackChoice choice = choose_stack(stacks, clues);
        return {*choice.profile, "no --stack, and " + choice.why};
    }
    const StackProfile* found = stacks.find(stack_);
    if (found == nullptr)
        fail_input({"--stack"},
                   {},
                   mistake(fmt::format("no profile is named {}", in_quotes(stack_)),
                           {},
                           suggestion(stack_, stacks.names())));
    return {*found, {}};
}

void StackOptions::apply_to(TrainingJob& job, const Gpu& gpu) const {
    job.precision = precision_.value_or(usual_precision(gpu));
    static_cast<void>(plan_precision(gpu, job.precision)); // throws
    job.attention = attention_;
    job.recipe = recipe_;
    job.compilation = compilation_;
}

}} // namespace bursar::tools
