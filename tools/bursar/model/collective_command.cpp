#include <memory>
#include <string>

#include "models/errors/model_error.hpp"
#include "models/network/collective.hpp"

#include "scenarios/measurements/collective_curve.hpp"
#include "scenarios/reader/quantity_rule.hpp"

#include "tools/bursar/model/cluster_options.hpp"
#include "tools/bursar/model/collective_answer.hpp"
#include "tools/bursar/model/model_command.hpp"
#include "tools/bursar/model/model_options.hpp"

namespace bursar {
namespace {

struct CollectiveOptions {
    Collective kind{Collective::all_reduce};
    std::string size;  ///< empty: a table over sizes
    std::string curve; ///< a file; empty: the model alone
    std::optional<CollectiveAlgorithm> algorithm;
    ClusterOptions machines;
    AnswerOptions output;
};

void answer(const CollectiveOptions& options) {
    CollectiveQuestion question{
        .kind = options.kind,
        .gpus = options.machines.gpus().value_or(options.machines.gpus_per_node()),
        .volume = {},
        .algorithm = options.algorithm,
        .curve = {}};
    if (question.gpus < 2)
        throw ModelError{"--gpus", "one GPU has nobody to talk to", "give 2 or more"};
    if (!options.size.empty())
        question.volume = volume_of(Bytes{quantity_of(options.size, byte_counts, "--size")});
    if (!options.curve.empty())
        question.curve = read_collective_curve(options.curve);
    options.output.show(answer_collective(question, options.machines.cluster()));
}

} // namespace

void add_model_collective(Command model) {
    Command command =
        model.add_subcommand("collective", "how long GPUs take to combine or exchange a buffer");
    auto options = std::make_shared<CollectiveOptions>();
    command.add_choice<Collective>(
        "operation", options->kind, collective_names, "what the GPUs do (all-reduce)");
    command
        .add_option("--size",
                    options->size,
                    "the buffer as nccl-tests counts it, e.g. 1 GiB (a table over sizes)")
        .type_name("SIZE");
    command.add_choice<CollectiveAlgorithm>("--algorithm",
                                            options->algorithm,
                                            algorithm_names,
                                            "the one to use (the fastest that NCCL has)");
    command
        .add_option("--curve",
                    options->curve,
                    "CSV with bytes,time_us: measured times of this operation and group, "
                    "interpolated")
        .type_name("FILE");
    options->machines.add_to(command);
    options->output.add_to(command);
    command.callback([options] { answer(*options); });
}

} // namespace bursar
