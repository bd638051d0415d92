#include "tools/bursar/model/options/job_options.hpp"

#include <utility>
#include <variant>

namespace bursar::inline tools {

void JobOptions::add_to(Command command) {
    shape.add_to(command);
    machines.add_to(command);
    ranks.add_to(command);
    stack.add_to(command);
}

JobQuestion JobOptions::question() const {
    JobQuestion asked;
    Architecture network = shape.architecture();
    if (auto* generic = std::get_if<GenericNetwork>(&network))
        asked.generic = std::move(*generic);
    else
        asked.job.model = std::get<Transformer>(std::move(network));
    asked.job.sequence = asked.job.model.sequence;
    asked.cluster = machines.cluster();
    asked.job.layout = ranks.layout(machines.gpus(), machines.gpus_per_node());
    stack.apply_to(asked.job, asked.cluster.gpu);
    asked.profile = stack.profile();
    asked.network_source = shape.source();
    return asked;
}

} // namespace bursar::inline tools
