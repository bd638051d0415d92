#include <memory>
#include <string>

#include <fmt/format.h>

#include "models/training/check_layout.hpp"
#include "models/training/memory/memory_fit.hpp"

#include "tools/bursar/model/memory_answer.hpp"
#include "tools/bursar/model/model_command.hpp"
#include "tools/bursar/model/model_options.hpp"

namespace bursar {
namespace {

struct MemoryCommand {
    JobOptions job;
    AnswerOptions answer;
};

AnswerTable remedies_table(const MemoryFit& fit) {
    AnswerTable table{
        "remedies",
        "What would fit",
        {{"change", "change", ""}, {"total_b", "memory", "B"}, {"headroom_b", "headroom", "B"}},
        {}};
    for (const MemoryRemedy& remedy : fit.remedies)
        table.rows.push_back({remedy.change,
                              remedy.use.total().count(),
                              (fit.capacity - remedy.use.total()).count()});
    return table;
}

Answer transformer_answer(const JobOptions& options) {
    const Cluster cluster = options.cluster();
    const TrainingJob job = options.job();
    const MemoryOverheads overheads = memory_overheads_of(options.profile());
    const MemoryFit fit = what_fits(job, cluster, overheads);
    Answer answer;
    answer.sections = {memory_section(fit.use, fit.capacity), overheads_section(overheads)};
    answer.warnings = layout_warnings(job, cluster);
    if (!fit.fits()) {
        answer.warnings.push_back(describe(fit, cluster));
        answer.tables.push_back(remedies_table(fit));
    }
    return answer;
}

/// Data parallel is the only way such a network is laid out.
Answer generic_answer(const JobOptions& options, const GenericNetwork& network) {
    const Cluster cluster = options.cluster();
    const Layout layout = options.plan.layout(options.machines.gpus(), cluster.gpus_per_node);
    TrainingJob kernels;
    options.stack.apply_to(kernels, cluster.gpu);
    const MemoryOverheads overheads = memory_overheads_of(options.profile());
    const MemoryUse use = memory_use(network,
                                     kernels.recipe,
                                     kernels.precision,
                                     layout.sharding,
                                     layout.data,
                                     layout.micro_batch,
                                     overheads);
    const ByteVolume capacity = usable_memory(cluster.gpu, overheads);
    Answer answer;
    answer.sections = {memory_section(use, capacity), overheads_section(overheads)};
    if (use.total() > capacity)
        answer.warnings.push_back(
            fmt::format("{:.1f} GB too much; `bursar model batch` says what fits",
                        (use.total() - capacity).count() / bytes_per_gb));
    return answer;
}

Answer answer_of(const JobOptions& options) {
    const Architecture network = options.shape.architecture();
    const auto* generic = std::get_if<GenericNetwork>(&network);
    Answer answer =
        generic != nullptr ? generic_answer(options, *generic) : transformer_answer(options);
    answer.command = "model memory";
    answer.sources = {
        "Korthikanti et al. 2022, Rajbhandari et al. 2020 (models/FORMULAS.md section 3)",
        options.shape.source()};
    return answer;
}

} // namespace

void add_model_memory(Command model) {
    Command command = model.add_subcommand(
        "memory", "what a training job holds on its fullest GPU, part by part");
    const auto options = std::make_shared<MemoryCommand>();
    options->job.add_to(command);
    options->answer.add_to(command);
    command.callback([options] { options->answer.show(answer_of(options->job)); });
}

} // namespace bursar
