#include "models/training/search/layout_space.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "models/errors/model_error.hpp"
#include "models/training/job/check_layout.hpp"
#include "models/training/job/layout.hpp"

namespace bursar { inline namespace models {
namespace {

/// Walks the space degree by degree, so that a rule cuts off everything below it.
class Walk {
  public:
    Walk(const TrainingJob& job,
         const Cluster& cluster,
         const LayoutSpace& space,
         const std::function<void(const TrainingJob&)>& visit)
        : job_{job}, cluster_{cluster}, space_{space}, visit_{visit},
          offload_layers_{job.layout.offload_layers} {}

    std::int64_t run() {
        const Degrees tensors = degrees(stated().tensor, cluster_.gpus_per_node);
        for (layout().tensor = tensors.first; layout().tensor <= tensors.last; ++layout().tensor) {
            if (allowed(space_.gpus % layout().tensor == 0 && stays_in_node(layout().tensor) &&
                        job_.model.heads % layout().tensor == 0 && has_kv_heads(layout().tensor)))
                contexts();
        }
        return excluded_;
    }

  private:
    struct Degrees {
        std::int64_t first;
        std::int64_t last;
    };

    /// The stated degree alone, else those up to `most`.
    static Degrees degrees(const std::optional<std::int64_t>& stated, std::int64_t most) {
        return {stated.value_or(1), stated.value_or(most)};
    }

    Layout& layout() { return job_.layout; }
    const StatedDegrees& stated() const { return space_.stated; }

    bool stays_in_node(std::int64_t tensor) const {
        return stated().tensor || space_.gpus <= cluster_.gpus_per_node ||
               cluster_.gpus_per_node % tensor == 0;
    }

    /// Whether every rank has KV heads without a copy, or copies are asked for.
    bool has_kv_heads(std::int64_t tensor) const {
        return stated().tensor || job_.model.kv_heads % tensor == 0;
    }

    bool allowed(bool rule) {
        excluded_ += rule ? 0 : 1;
        return rule;
    }

    void contexts() {
        const std::int64_t left = space_.gpus / layout().tensor;
        const Degrees contexts = degrees(stated().context, space_.largest_context);
        for (layout().context = contexts.first; layout().context <= contexts.last;
             layout().context *= 2) {
            if (allowed(left % layout().context == 0 && job_.sequence % layout().context == 0))
                stages(left / layout().context);
        }
    }

    void stages(std::int64_t left) {
        const Degrees stages = degrees(stated().pipeline, std::min(left, job_.model.layers));
        for (layout().pipeline = stages.first; layout().pipeline <= stages.last;
             ++layout().pipeline) {
            if (!allowed(left % layout().pipeline == 0))
                continue;
            layout().data = left / layout().pipeline;
            layout().offload_layers =
                std::min(offload_layers_, layers_per_stage(job_.model.layers, layout().pipeline));
            if (allowed(space_.global_batch % layout().data == 0 &&
                        stated().data.value_or(layout().data) == layout().data))
                experts();
        }
    }

    void experts() {
        const std::int64_t max_experts =
            job_.model.experts ? std::min(layout().data, job_.model.experts->count) : 1;
        const Degrees experts = degrees(stated().expert, max_experts);
        for (layout().expert = experts.first; layout().expert <= experts.last; ++layout().expert) {
            if (allowed(layout().data % layout().expert == 0 &&
                        (!job_.model.experts || job_.model.experts->count % layout().expert == 0)))
                micro_batches();
        }
    }

    void micro_batches() {
        const std::int64_t sequences = space_.global_batch / layout().data;
        for (layout().micro_batch = space_.smallest_micro_batch;
             layout().micro_batch <= std::min(sequences, space_.largest_micro_batch);
             layout().micro_batch *= 2) {
            if (!allowed(sequences % layout().micro_batch == 0))
                continue;
            layout().micro_batches = sequences / layout().micro_batch;
            chunks();
        }
    }

    void chunks() {
        layout().chunks = stated().chunks.value_or(1);
        sequence_parallel();
        if (stated().chunks || layout().pipeline == 1 || layout().gpipe)
            return;
        const std::int64_t max_chunks = job_.model.layers / layout().pipeline;
        const bool whole = layout().micro_batches % layout().pipeline == 0;
        for (layout().chunks = 2; layout().chunks <= max_chunks; ++layout().chunks) {
            if (allowed(whole && fills_chunks(layout().pipeline * layout().chunks)))
                sequence_parallel();
        }
    }

    /// Whether the layers are shared out evenly, by themselves or with embedding, loss and an empty
    /// place at most, which Megatron-Core counts as a layer each.
    bool fills_chunks(std::int64_t slots) const {
        const std::int64_t over = job_.model.layers % slots;
        return over == 0 || over + 3 >= slots;
    }

    void sequence_parallel() {
        for (const bool used : {false, true}) {
            if (stated().sequence_parallel.value_or(used) != used)
                continue;
            layout().sequence_parallel = used;
            if (!used || allowed(layout().tensor > 1))
                recompute();
        }
    }

    void recompute() {
        for (const Recomputation& mode : space_.recompute) {
            layout().recompute = mode;
            const bool keeps_scores = job_.attention == Attention::unfused;
            if (allowed(mode.what != Recompute::selective || keeps_scores))
                sharding();
        }
    }

    void sharding() {
        const bool alone = layout().data * layout().context == 1;
        for (const Sharding stage : space_.sharding) {
            layout().sharding = stage;
            const bool gathers = stage >= Sharding::zero2;
            if (allowed(space_.sharding.size() == 1 || ((stage == Sharding::none || !alone) &&
                                                        (!gathers || layout().pipeline == 1))))
                precisions();
        }
    }

    void precisions() {
        for (const Precision precision : space_.precisions) {
            job_.precision = precision;
            if (allowed(!layout_fault(job_, cluster_)))
                visit_(job_);
        }
    }

    TrainingJob job_;
    const Cluster& cluster_;
    const LayoutSpace& space_;
    const std::function<void(const TrainingJob&)>& visit_;
    std::int64_t offload_layers_; ///< stated; a stage offloads no more than its layers
    std::int64_t excluded_{0};
};

void check_space(const Cluster& cluster, const LayoutSpace& space) {
    if (space.gpus < 1)
        throw ModelError{"gpus", std::to_string(space.gpus) + " is below 1", "give at least 1"};
    if (space.global_batch < 1)
        throw ModelError{
            "global_batch", std::to_string(space.global_batch) + " is below 1", "give at least 1"};
    for (const Precision precision : space.precisions) {
        if (!supports(cluster.gpu, precision))
            throw ModelError{"precision",
                             cluster.gpu.name + " has no " + std::string{name(precision)},
                             "choose one that it has"};
    }
}

} // namespace

std::int64_t usual_largest_context(std::int64_t sequence) {
    constexpr std::int64_t tokens_per_rank = 8192;
    const auto ranks =
        static_cast<std::uint64_t>(std::max<std::int64_t>(1, sequence / tokens_per_rank));
    return static_cast<std::int64_t>(std::bit_floor(ranks));
}

LayoutSpace usual_layout_space(const TrainingJob& job,
                               std::int64_t gpus,
                               std::optional<std::int64_t> global_batch) {
    LayoutSpace space;
    space.gpus = gpus;
    space.global_batch = global_batch.value_or(gpus);
    space.largest_context = usual_largest_context(job.sequence);
    space.precisions = {job.precision};
    if (job.layout.sharding != Sharding::none)
        space.sharding = {job.layout.sharding};
    if (job.model.experts)
        space.recompute = {Recompute::none, Recompute::operators, Recompute::full};
    return space;
}

std::int64_t for_each_layout(const TrainingJob& job,
                             const Cluster& cluster,
                             const LayoutSpace& space,
                             const std::function<void(const TrainingJob&)>& visit) {
    check_space(cluster, space);
    return Walk{job, cluster, space, visit}.run();
}

}} // namespace bursar::models
