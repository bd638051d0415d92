#include <array>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "models/training/check_layout.hpp"
#include "models/training/search/batch.hpp"

#include "tools/bursar/messages.hpp"
#include "tools/bursar/model/memory_answer.hpp"
#include "tools/bursar/model/model_command.hpp"
#include "tools/bursar/model/model_options.hpp"

namespace bursar {
namespace {

/// By BatchRounding.
constexpr std::array<std::string_view, 3> rounding_names{"none", "multiple-of-8", "power-of-two"};

struct BatchCommand {
    JobOptions job;
    BatchRounding rounding{BatchRounding::none};
    AnswerOptions answer;
};

LargestBatch largest_of(const BatchCommand& options,
                        const Cluster& cluster,
                        const MemoryOverheads& overheads,
                        Layout& layout) {
    const JobOptions& job = options.job;
    const ByteVolume capacity = usable_memory(cluster.gpu, overheads);
    const Architecture network = job.shape.architecture();
    if (const auto* generic = std::get_if<GenericNetwork>(&network)) {
        layout = job.plan.layout(job.machines.gpus(), cluster.gpus_per_node);
        TrainingJob kernels;
        job.stack.apply_to(kernels, cluster.gpu);
        return largest_batch(*generic,
                             kernels.recipe,
                             kernels.precision,
                             layout.sharding,
                             layout.data,
                             capacity,
                             options.rounding,
                             overheads);
    }
    const TrainingJob laid = job.job();
    check_layout(laid, cluster);
    layout = laid.layout;
    return largest_micro_batch(laid, capacity, options.rounding, overheads);
}

Answer answer_of(const BatchCommand& options) {
    const Cluster cluster = options.job.cluster();
    const MemoryOverheads overheads = memory_overheads_of(options.job.profile());
    Layout layout;
    const LargestBatch found = largest_of(options, cluster, overheads, layout);
    layout.micro_batch = found.batch;
    AnswerSection batch{"batch", "Largest batch that fits", {}};
    batch.values = {
        {"micro_batch", "per GPU and pass", found.batch, "", "samples of one replica"},
        {"exact", "before rounding", found.exact, "", ""},
        {"global_batch",
         "per step",
         layout.global_batch(),
         "",
         fmt::format("{}, {}",
                     counted(static_cast<std::uint64_t>(layout.micro_batches), "pass"),
                     counted(static_cast<std::uint64_t>(layout.data), "replica"))},
        {"fixed_b", "without any sample", found.fixed.count(), "B", "no batch changes it"},
        {"per_sample_b",
         "of one more sample",
         found.per_unit.count(),
         "B",
         "models/FORMULAS.md section 3.4"}};
    Answer answer;
    answer.command = "model batch";
    answer.sections = {
        batch, memory_section(found.use, found.capacity), overheads_section(overheads)};
    answer.sources = {"models/FORMULAS.md section 3.4: memory is affine in the batch; checked with "
                      "the full formula",
                      options.job.shape.source()};
    if (found.batch == 0)
        answer.warnings.push_back(fmt::format(
            "not even one sample fits: {:.1f} GB too much; the memory shown is with one",
            -found.headroom().count() / bytes_per_gb));
    return answer;
}

} // namespace

void add_model_batch(Command model) {
    Command command =
        model.add_subcommand("batch", "the largest micro-batch whose memory fits the GPU");
    const auto options = std::make_shared<BatchCommand>();
    options->job.add_to(command);
    command.add_choice<BatchRounding>(
        "--round", options->rounding, rounding_names, "how the batch is rounded down (none)");
    options->answer.add_to(command);
    command.callback([options] { options->answer.show(answer_of(*options)); });
}

} // namespace bursar
