#include "models/training/step_time.hpp"

#include <algorithm>

#include "models/training/data_parallel.hpp"
#include "models/training/flops.hpp"
#include "models/training/host_time.hpp"
#include "models/training/input_stall.hpp"
#include "models/training/layer_time.hpp"
#include "models/training/optimizer_time.hpp"
#include "models/training/pipeline.hpp"
#include "models/training/straggler.hpp"

namespace bursar {
namespace {

double d(std::int64_t count) {
    return static_cast<double>(count);
}

// One micro-batch on one stage.
struct Stage {
    KernelTime kernels; // forward and backward
    KernelTime recomputed;
    Seconds forward_wait; // for launches
    Seconds backward_wait;
    Seconds messages; // to and from its neighbours, exposed

    [[nodiscard]] Seconds busy() const { return kernels.busy() + recomputed.busy(); }
    [[nodiscard]] Seconds both() const { return busy() + forward_wait + backward_wait + messages; }
};

Seconds message_time(const Rank& rank) {
    if (rank.pipeline_group.size == 1)
        return {};
    const LocalityTree& tree = rank.cluster.tree;
    const std::int64_t span = rank.pipeline_group.size * rank.pipeline_group.stride;
    const auto inside = std::find_if(tree.levels.begin(),
                                     tree.levels.end() - 1,
                                     [&](const LinkLevel& level) { return level.gpus >= span; });
    const double sequence = rank.job.layout.sequence_parallel ? rank.tensor : 1;
    const ByteVolume volume{2 * rank.tokens * d(rank.job.model.hidden) / sequence};
    const Seconds sent = point_to_point_time(volume, *inside, rank.tuning);
    return sent * (1 - rank.profile.pipeline_overlap) + rank.profile.host_message * rank.host_share;
}

struct StageParts {
    const LayerTime& layer;
    const LayerTime& logits;
    Seconds message;
    double chunks;
};

Stage make_stage(const StageParts& parts, double layers, bool last) {
    Stage stage;
    const auto put = [&](const LayerTime& t, double n) {
        stage.kernels += n * (t.forward.kernels + t.backward.kernels);
        stage.recomputed += n * t.recomputed.kernels;
        stage.forward_wait += n * launch_wait(t.forward.host, t.forward.kernels.busy());
        stage.backward_wait +=
            n * launch_wait(t.backward.host + t.recomputed.host,
                            t.backward.kernels.busy() + t.recomputed.kernels.busy());
    };
    put(parts.layer, layers);
    if (last)
        put(parts.logits, 1);
    stage.messages = 2.0 * parts.chunks * parts.message;
    return stage;
}

LocalParameters local_parameters(const Rank& rank, double layers) {
    const Transformer& model = rank.job.model;
    const double experts = expert_parameters(model) / rank.tensor / d(rank.job.layout.expert);
    const double dense = (layer_parameters(model) - expert_parameters(model)) / rank.tensor;
    const double embedding = d(model.vocab) * d(model.hidden) / rank.tensor;
    const double tables = rank.job.layout.pipeline == 1 && !model.tied_embedding ? 2 : 1;
    return {layers * dense + tables * embedding, layers * experts, dense + experts, layers};
}

void add(StepTime& step, const Stage& stage, double times) {
    const KernelTime kernels = times * stage.kernels;
    const KernelTime again = times * stage.recomputed;
    step.gemm += kernels.gemm;
    step.attention += kernels.attention;
    step.memory_bound += kernels.memory_bound;
    step.recompute += again.compute();
    step.tensor_comm += kernels.tensor_comm + again.tensor_comm;
    step.context_comm += kernels.context_comm + again.context_comm;
    step.expert_comm += kernels.expert_comm + again.expert_comm;
    step.host += times * (stage.forward_wait + stage.backward_wait);
    step.pipeline_comm += times * stage.messages;
}

} // namespace

StepTime step_time(const TrainingJob& job, const Cluster& cluster, const StackProfile& profile) {
    const Rank rank = place_rank(job, cluster, profile);
    const Layout& layout = job.layout;
    const LayerTime layer = layer_time(rank);
    const LayerTime logits = logits_time(rank);
    const StageParts parts{layer, logits, message_time(rank), d(layout.chunks)};
    const std::int64_t floor = job.model.layers / layout.pipeline;
    const std::int64_t longer = job.model.layers % layout.pipeline;
    const double most = d(longer > 0 ? floor + 1 : floor);
    // The last stage has the loss, so the layers that do not divide go to others first.
    const Stage middle = make_stage(parts, most, false);
    const Stage last = make_stage(parts, d(floor), true);
    const bool last_is_slowest = layout.pipeline == 1 || last.both() > middle.both();
    const Stage& slowest = last_is_slowest ? last : middle;

    StepTime step;
    const double micro_batches = d(layout.micro_batches);
    add(step, slowest, micro_batches);
    if (layout.pipeline > 1) {
        const Stage shorter = make_stage(parts, d(floor), false);
        const double full = longer > 0 ? d(longer) : d(layout.pipeline - 1);
        const Seconds sum =
            full * middle.both() + (d(layout.pipeline - 1) - full) * shorter.both() + last.both();
        step.bubble = pipeline_makespan(slowest.both(), sum, layout.chunks, layout.micro_batches) -
                      micro_batches * slowest.both();
    }
    const LocalParameters local = local_parameters(rank, most);
    const Seconds layer_back = layer.backward.kernels.busy() + layer.recomputed.kernels.busy();
    step.data_comm = data_parallel_time(
                         rank, local, {layer.forward.kernels.busy(), layer_back, layer_back * most})
                         .exposed;
    step.optimizer = optimizer_time(rank, local);
    step.host += profile.host_step * rank.host_share;
    step.straggler = straggler_wait(step.total(), profile.straggler_sigma, d(layout.gpus()));
    if (job.input) {
        const double samples = d(layout.global_batch()) * d(cluster.gpus_per_node) /
                               d(std::max(layout.gpus(), cluster.gpus_per_node));
        step.input = input_stall(*job.input, samples, step.total(), cluster.host_link);
    }
    return step;
}

} // namespace bursar
