#include "tools/bursar/model/options/job_options.hpp"

#include <utility>
#include <variant>

#include "models/training/search/layout_search.hpp"

namespace bursar::inline tools {

void JobOptions::add_to(Command command) {
    shape.add_to(command);
    machines.add_to(command);
    ranks.add_to(command);
    stack.add_to(command);
}

JobQuestion JobOptions::question() const {
    JobQuestion asked = question_without_layout();
    Layout& layout = asked.job.layout;
    layout = ranks.layout(machines.gpus(), machines.gpus_per_node());
    if (asked.generic && !ranks.states_micro_batch()) { // all of its share passes at once
        layout.micro_batch *= layout.micro_batches;
        layout.micro_batches = 1;
    }
    return asked;
}

JobQuestion JobOptions::fitting_question() const {
    JobQuestion asked = question_without_layout();
    if (asked.generic || ranks.states_layout())
        return question();
    const LayoutSpace space =
        ranks.open_layouts(asked.job, machines.gpus().value_or(machines.gpus_per_node()));
    const LayoutSearch found = fitting_layouts(
        asked.job, asked.cluster, asked.profile, space, 1, memory_overheads_of(asked.profile));
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
    asked.profile = stack.profile();
    asked.network_source = shape.source();
    return asked;
}

} // namespace bursar::inline tools
