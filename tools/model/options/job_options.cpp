#include "tools/model/options/job_options.hpp"

#include <utility>
#include <variant>

#include "models/training/search/layout_search.hpp"

namespace bursar { inline namespace tools {

void JobOptions::add_to(Command command) {
    shape.add_to(command);
    machines.add_to(command);
    ranks.add_to(command);
    stack.add_to(command);
}

void JobOptions::choose_stack(const StackClues& clues, JobQuestion& asked) const {
    ChosenStack chosen = stack.chosen(clues);
    asked.profile = std::move(chosen.profile);
    asked.why_stack = std::move(chosen.why);
}

JobQuestion JobOptions::question() const {
    JobQuestion asked = question_without_layout();
    Layout& layout = asked.job.layout;
    layout = ranks.layout(machines.gpus(), machines.gpus_per_node());
    if (asked.generic && !ranks.states_micro_batch()) { // all of its share passes at once
        layout.micro_batch *= layout.micro_batches;
        layout.micro_batches = 1;
    }
    StackClues clues = clues_of(asked.job, asked.cluster.gpu);
    clues.is_transformer = !asked.generic;
    choose_stack(clues, asked);
    return asked;
}

JobQuestion JobOptions::fitting_question() const {
    JobQuestion asked = question_without_layout();
    if (asked.generic || ranks.states_layout())
        return question();
    choose_stack({.is_searched = true,
                  .attention = asked.job.attention,
                  .precision = asked.job.precision,
                  .has_fp8 = supports(asked.cluster.gpu, Precision::fp8)},
                 asked);
    const LayoutSpace space =
        ranks.open_layouts(asked.job, machines.gpus().value_or(machines.gpus_per_node()));
    const LayoutSearch found =
        fitting_layouts(asked.job,
                        asked.cluster,
                        asked.profile,
                        space,
                        1,
                        memory_overheads_of(asked.profile, asked.job.compilation));
    asked.job.layout = found.best.front().layout;
    asked.chosen_of = found.evaluated;
    return asked;
}

JobQuestion JobOptions::question_without_layout() const {
    JobQuestion asked;
    Architecture network = shape.architecture();
    if (auto* generic = std::get_if<GenericNetwork>(&network))
        asked.generic = std::move(*generic);
    else
        asked.job.model = std::get<Transformer>(std::move(network));
    asked.job.sequence = asked.job.model.sequence;
    asked.cluster = machines.cluster();
    stack.apply_to(asked.job, asked.cluster.gpu);
    asked.network_source = shape.source();
    return asked;
}

}} // namespace bursar::tools
