#include "tools/model/collective_options.hpp"

#include "models/errors/model_error.hpp"

#include "scenarios/measurements/collective_measurement.hpp"
#include "scenarios/reader/quantity_rule.hpp"

namespace bursar { inline namespace tools {

void CollectiveOptions::add_to(Command command) {
    command.add_choice<Collective>(
        "operation", kind_, collective_names, "operation (default: all-reduce)");
    command
        .add_option("--size",
                    size_,
                    "buffer size as nccl-tests counts it, e.g. 1 GiB (default: a table over sizes)")
        .type_name("SIZE");
    command.add_choice<CollectiveAlgorithm>(
        "--algorithm", algorithm_, algorithm_names, "algorithm (default: NCCL's fastest)");
    command
        .add_option("--curve",
                    curve_,
                    "CSV with bytes,time_us: measured times of this operation and group, "
                    "interpolated")
        .type_name("FILE");
    machines_.add_to(command);
}

CollectiveQuestion CollectiveOptions::question() const {
    CollectiveQuestion question;
    question.kind = kind_;
    question.gpus = machines_.gpus().value_or(machines_.gpus_per_node());
    question.algorithm = algorithm_;
    if (question.gpus < 2)
        throw ModelError{"--gpus", "one GPU has nobody to talk to", "give 2 or more"};
    if (!size_.empty())
        question.volume = volume_of(Bytes{quantity_of(size_, byte_counts, "--size")});
    if (!curve_.empty())
        question.curve = read_collective_curve(curve_);
    question.cluster = machines_.cluster();
    return question;
}

}} // namespace bursar::tools
