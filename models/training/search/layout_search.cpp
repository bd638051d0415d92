#include "models/training/search/layout_search.hpp"

#include <algorithm>
#include <cassert>
#include <string>
#include <tuple>
#include <utility>

#include "models/errors/model_error.hpp"
#include "models/training/job/check_layout.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/memory/memory_fit.hpp"
#include "models/training/search/layout_parts.hpp"

namespace bursar { inline namespace models {
namespace {

/// Faster first, then smaller; then by degrees, so that equal searches rank equally.
bool better(const RankedLayout& a, const RankedLayout& b) {
    const auto key = [](const RankedLayout& ranked) {
        const Layout& layout = ranked.layout;
        return std::tuple{ranked.step.count(),
                          ranked.memory.count(),
                          layout.tensor,
                          layout.pipeline,
                          layout.context,
                          layout.expert,
                          layout.chunks,
                          layout.micro_batch,
                          layout.sequence_parallel,
                          layout.sharding,
                          layout.recompute,
                          ranked.precision};
    };
    return key(a) < key(b);
}

/// Keeps the layouts, ranked fastest first, that need less memory than every faster one.
std::vector<RankedLayout> front(const std::vector<RankedLayout>& ranked) {
    std::vector<RankedLayout> kept;
    for (const RankedLayout& layout : ranked) {
        if (kept.empty() || layout.memory < kept.back().memory)
            kept.push_back(layout);
    }
    return kept;
}

/// "tensor 8 x data 9": the degrees that are stated; empty: none is. shard: 0 if it is not.
std::string stated_text(const StatedDegrees& stated, std::int64_t shard) {
    std::string text;
    for (const auto& [name, degree] : {std::pair{"tensor ", stated.tensor},
                                       std::pair{"pipeline ", stated.pipeline},
                                       std::pair{"context ", stated.context},
                                       std::pair{"data ", stated.data},
                                       std::pair{"expert ", stated.expert}})
        if (degree)
            text += (text.empty() ? "" : " x ") + std::string{name} + std::to_string(*degree);
    if (shard > 0)
        text += (text.empty() ? "" : " and ") + std::string{"shard_ranks "} + std::to_string(shard);
    return text;
}

/// Throws if the stated degrees leave no layout whatever the batch is.
void check_stated_ranks(const TrainingJob& job, const Cluster& cluster, LayoutSpace space) {
    const std::string ranks = stated_text(space.stated, job.layout.shard);
    space.global_batch = space.gpus; // any number of replicas divides it
    space.smallest_micro_batch = 1;
    bool is_possible = false;
    for_each_layout(job, cluster, space, [&is_possible](const auto&) { is_possible = true; });
    if (!ranks.empty() && !is_possible)
        throw ModelError{"ranks",
                         ranks + " leave no layout of " + std::to_string(space.gpus) + " GPUs",
                         "degrees whose product divides them (expert and shard_ranks divide "
                         "data), or state fewer degrees"};
}

/// Why a search found nothing.
[[noreturn]] void fail_nothing_fits(const TrainingJob& job,
                                    const Cluster& cluster,
                                    const LayoutSpace& space,
                                    const LayoutSearch& search,
                                    const MemoryOverheads& overheads) {
    const std::string gpus = std::to_string(space.gpus);
    const auto only = [&space](Recompute mode) {
        return space.recompute == std::vector<Recomputation>{mode};
    };
    if (search.min_memory) {
        const ByteVolume usable = usable_memory(cluster.gpu, overheads);
        const bool saves_more = only(Recompute::none) || only(Recompute::selective);
        throw ModelError{"model",
                         "no layout on " + gpus + " GPUs fits: the smallest needs " +
                             gigabytes(*search.min_memory) + " of the " + gigabytes(usable) +
                             " usable on " + cluster.gpu.name + " (" +
                             gigabytes(*search.min_memory - usable) + " too much)",
                         saves_more ? "full recompute, more GPUs, or GPUs with more memory"
                                    : "more GPUs, or GPUs with more memory"};
    }
    if (only(Recompute::selective) && job.attention != Attention::unfused)
        throw ModelError{"recompute",
                         std::string{attention_names[static_cast<std::size_t>(job.attention)]} +
                             " keeps no scores that selective recompute could save",
                         "none or full, or attention: unfused"};
    TrainingJob plain = job;
    const StatedDegrees& stated = space.stated;
    plain.layout = {.tensor = stated.tensor.value_or(1),
                    .pipeline = stated.pipeline.value_or(1),
                    .chunks = stated.chunks.value_or(1),
                    .context = stated.context.value_or(1),
                    .expert = stated.expert.value_or(1),
                    .tensor_across_nodes = job.layout.tensor_across_nodes};
    if (space.sharding == std::vector{Sharding::none})
        plain.layout.shard = job.layout.shard; // a fault by itself
    plain.layout.data = stated.data.value_or(plain.layout.expert);
    plain.layout.micro_batches = usual_micro_batches_per_stage * plain.layout.pipeline;
    check_layout(plain, cluster); // throws for what no GPUs can run
    check_stated_ranks(job, cluster, space);
    throw ModelError{"batch",
                     "no layout divides " + std::to_string(space.global_batch) + " samples over " +
                         gpus + " GPUs",
                     "a batch with more factors of two, or fewer GPUs"};
}

} // namespace

LayoutSearch search_layouts(const TrainingJob& job,
                            const Cluster& cluster,
                            const StackProfile& profile,
                            const LayoutSpace& space,
                            std::size_t keep,
                            const MemoryOverheads& overheads) {
    assert(keep >= 1);
    LayoutSearch search;
    const ByteVolume capacity = usable_memory(cluster.gpu, overheads);
    std::vector<RankedLayout> timed;
    LayoutParts parts{cluster, profile, overheads};
    const MemoryOf memory_of = [&parts](const TrainingJob& laid) { return parts.memory(laid); };
    const auto likely = [&](const TrainingJob& laid) {
        return likely_capacity(capacity, memory_error(laid, overheads));
    };
    const auto time_fitting = [&](const TrainingJob& laid, ByteVolume memory) {
        search.min_memory = std::min(search.min_memory.value_or(memory), memory);
        if (memory > capacity)
            ++search.excluded_by_memory;
        else
            timed.push_back(
                {laid.layout, laid.precision, parts.step(laid), memory, memory <= likely(laid)});
    };
    search.excluded_by_rule = for_each_layout(job, cluster, space, [&](const TrainingJob& laid) {
        const ByteVolume memory = memory_of(laid);
        std::optional<Layout> offloaded;
        if (memory > likely(laid)) {
            TrainingJob with = laid;
            with.layout.offload_layers = 1; // its error is that of offloaded layers
            offloaded = with_offload(laid, cluster, likely(with), memory_of);
            if (!offloaded && memory > capacity)
                offloaded = with_offload(laid, cluster, capacity, memory_of);
        }
        if (!offloaded || memory <= capacity)
            time_fitting(laid, memory);
        if (offloaded) {
            TrainingJob with = laid;
            with.layout = *offloaded;
            time_fitting(with, memory_of(with));
        }
    });
    search.evaluated = static_cast<std::int64_t>(timed.size());
    std::sort(timed.begin(), timed.end(), better);
    search.pareto = front(timed);
    std::ranges::stable_partition(timed, &RankedLayout::likely_fits);
    timed.resize(std::min(keep, timed.size()));
    search.best = std::move(timed);
    return search;
}

LayoutSearch fitting_layouts(const TrainingJob& job,
                             const Cluster& cluster,
                             const StackProfile& profile,
                             const LayoutSpace& space,
                             std::size_t keep,
                             const MemoryOverheads& overheads) {
    LayoutSearch search = search_layouts(job, cluster, profile, space, keep, overheads);
    if (search.best.empty())
        fail_nothing_fits(job, cluster, space, search, overheads);
    return search;
}

}} // namespace bursar::models
