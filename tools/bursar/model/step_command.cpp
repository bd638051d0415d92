#include <memory>
#include <optional>
#include <string>

#include "models/errors/model_error.hpp"

#include "scenarios/reader/quantity_rule.hpp"

#include "tools/bursar/model/model_command.hpp"
#include "tools/bursar/model/model_options.hpp"
#include "tools/bursar/model/step_answer.hpp"

namespace bursar {
namespace {

struct StepOptions {
    JobOptions job;
    std::string price;
    AnswerOptions answer;
};

/// Such a network is trained by data parallel alone.
GenericJob generic_job(const StepOptions& options, GenericNetwork network) {
    const Cluster cluster = options.job.cluster();
    const Layout layout = options.job.layout();
    if (layout.gpus() != layout.data || layout.sharding != Sharding::none)
        throw ModelError{"layout",
                         network.name + " is trained by plain data parallel",
                         "give no other ranks and no sharding"};
    TrainingJob kernels;
    options.job.stack.apply_to(kernels, cluster.gpu);
    GenericJob job;
    job.network = std::move(network);
    const bool in_passes = options.job.plan.states_micro_batch();
    job.batch = in_passes ? layout.micro_batch : layout.micro_batch * layout.micro_batches;
    job.passes = in_passes ? layout.micro_batches : 1;
    job.gpus = layout.gpus();
    job.precision = kernels.precision;
    job.recipe = kernels.recipe;
    job.compilation = kernels.compilation;
    return job;
}

Answer answer(const StepOptions& options) {
    StepContext context{
        options.job.cluster(), options.job.profile(), options.job.shape.source(), std::nullopt};
    if (!options.price.empty())
        context.usd_per_gpu_h = static_cast<double>(quantity_of(
                                    options.price, gpu_hour_prices, "--price", Zero::allowed)) /
                                static_cast<double>(nano_usd_per_usd);
    Architecture network = options.job.shape.architecture();
    if (auto* generic = std::get_if<GenericNetwork>(&network))
        return step_answer(generic_job(options, std::move(*generic)), context);
    return step_answer(options.job.job(), context);
}

} // namespace

void add_model_step(Command model) {
    Command command =
        model.add_subcommand("step", "how long one optimizer step takes, term by term");
    const auto options = std::make_shared<StepOptions>();
    options->job.add_to(command);
    command.add_option("--price", options->price, "of a GPU, e.g. \"2.10 USD/gpu-h\": adds money")
        .type_name("RATE");
    options->answer.add_to(command);
    command.callback([options] { options->answer.show(answer(*options)); });
}

} // namespace bursar
