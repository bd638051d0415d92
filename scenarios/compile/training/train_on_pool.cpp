#include "scenarios/compile/training/train_on_pool.hpp"

#include <cassert>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/training/job/check_layout.hpp"
#include "models/training/job/fabric_cluster.hpp"
#include "models/training/job/flops.hpp"
#include "models/training/memory/memory_fit.hpp"
#include "models/training/memory/states.hpp"
#include "models/training/search/batch.hpp"
#include "models/training/search/layout_search.hpp"
#include "models/training/search/usual_passes.hpp"
#include "models/training/step/generic_step.hpp"

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/catalog/step_errors.hpp"
#include "scenarios/catalog/training_defaults.hpp"
#include "scenarios/compile/training/training_length.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Sets the given layout; the rest of the gang is data parallel. job: with its settings. recompute:
/// stated or usual with the stack.
void lay_out(const TrainingSpec& spec,
             TrainingJob& job,
             const Cluster& cluster,
             const std::optional<Recomputation>& recompute,
             std::int64_t samples,
             TrainedOn& out) {
    Layout& layout = job.layout;
    const ParallelismSpec& given = *spec.parallelism;
    layout.tensor = given.tensor;
    layout.pipeline = given.pipeline;
    layout.chunks = given.chunks;
    layout.context = given.context;
    layout.expert = given.expert;
    layout.shard = given.shard;
    layout.offload_optimizer = given.offload_optimizer;
    layout.offload_layers = given.offload_layers;
    layout.tensor_across_nodes = given.tensor_across_nodes;
    // One factor at a time: their product may pass 64 bits.
    std::int64_t left = out.gpus;
    for (const std::int64_t ranks : {given.tensor, given.pipeline, given.context}) {
        if (left % ranks != 0)
            throw ModelError{
                "parallelism",
                fmt::format("a gang of {} GPUs does not divide into tensor {} x pipeline {} x "
                            "context {}",
                            out.gpus,
                            given.tensor,
                            given.pipeline,
                            given.context),
                "their product has to divide the gang; the rest is data parallel"};
        left /= ranks;
    }
    layout.data = left;
    const std::int64_t least = spec.micro_batch.value_or(1);
    if (samples % layout.data != 0 || samples / layout.data % least != 0)
        throw ModelError{"batch",
                         fmt::format("{} samples do not divide over {} data-parallel ranks in "
                                     "micro-batches of {}",
                                     samples,
                                     layout.data,
                                     least),
                         fmt::format("a multiple of {}", layout.data * least)};
    const PassReasons why = settle_passes(
        job, {samples / layout.data, spec.micro_batch, {}, recompute}, cluster, out.overheads);
    for (std::string& line : why.assumptions(job))
        out.assumed.push_back(std::move(line));
}

/// The fastest layout whose memory fits.
Layout searched_layout(const TrainingSpec& spec,
                       const TrainingJob& job,
                       const Cluster& cluster,
                       const StackProfile& profile,
                       const TrainedOn& out,
                       std::int64_t samples) {
    LayoutSpace space = usual_layout_space(job, out.gpus, samples);
    if (spec.recompute)
        space.recompute = {*spec.recompute};
    if (spec.micro_batch)
        space.smallest_micro_batch = space.largest_micro_batch = *spec.micro_batch;
    const LayoutSearch search = fitting_layouts(job, cluster, profile, space, 1, out.overheads);
    return search.best.front().layout;
}

/// clusters: as the gang sees them, from the narrowest level that can hold it.
void train(const TrainingSpec& spec,
           const Transformer& model,
           std::span<const Cluster> clusters,
           const TrainingSettings& settings,
           TrainedOn& out) {
    const Cluster& cluster = clusters.front();
    const StackProfile& profile = *settings.profile;
    TrainingJob job;
    job.model = model;
    job.sequence = spec.sequence.value_or(model.sequence);
    job.precision = out.precision;
    settings.apply_to(job);
    job.input = spec.input;
    const std::int64_t samples = batch_samples(spec, job.sequence);
    out.steps = training_steps(spec, job.sequence);
    out.is_layout_searched = !spec.parallelism;
    if (out.is_layout_searched)
        job.layout = searched_layout(spec, job, cluster, profile, out, samples);
    else
        lay_out(spec, job, cluster, settings.recompute, samples, out);
    check_layout(job, cluster);
    const MemoryFit fit = what_fits(job, cluster, out.overheads);
    const bool is_timed_anyway = spec.parallelism && spec.parallelism->anyway;
    if (!fit.fits() && !is_timed_anyway)
        throw ModelError{"model", describe(fit, cluster), {}};
    out.layout = job.layout;
    out.warnings = layout_warnings(job, cluster);
    if (spec.scaling && job.precision != Precision::fp8)
        out.warnings.push_back("fp8_scaling has no effect on " + std::string{name(job.precision)} +
                               "; precision: fp8 says which products are fp8");
    if (!fit.fits())
        out.warnings.push_back("timed although it does not fit: it " + describe(fit, cluster));
    out.error =
        step_error(asked_step(profile, settings.why.stack.empty(), job, cluster.gpu.name)).range;
    out.memory = fit.use;
    out.step = step_time(job, cluster, profile);
    for (const Cluster& wider : clusters.subspan(1))
        out.step_at.push_back(step_time(job, wider, profile));
    const StateBytes bytes = state_bytes(job.recipe);
    out.checkpoint = ByteVolume{parameters(model) * (bytes.weights + bytes.optimizer)};
}

/// The batch of one GPU and pass: the given one, else a GPU's share of a whole step.
GenericJob data_parallel_job(const TrainingSpec& spec,
                             const GenericNetwork& network,
                             const TrainingSettings& settings,
                             const TrainedOn& out) {
    GenericJob job;
    job.network = network;
    job.gpus = out.gpus;
    job.precision = out.precision;
    job.recipe = settings.recipe;
    job.compilation = settings.compilation;
    job.input = spec.input;
    const std::int64_t samples = batch_samples(spec, 1);
    const std::int64_t per_pass = spec.micro_batch.value_or(1);
    if (samples % out.gpus != 0 || samples / out.gpus % per_pass != 0)
        throw ModelError{"batch",
                         fmt::format("{} samples do not divide over {} GPUs in micro-batches of {}",
                                     samples,
                                     out.gpus,
                                     per_pass),
                         fmt::format("a multiple of {}", out.gpus * per_pass)};
    job.batch = spec.micro_batch.value_or(samples / out.gpus);
    job.passes = samples / out.gpus / job.batch;
    return job;
}

void train(const TrainingSpec& spec,
           const GenericNetwork& network,
           std::span<const Cluster> clusters,
           const TrainingSettings& settings,
           TrainedOn& out) {
    const Cluster& cluster = clusters.front();
    const StackProfile& profile = *settings.profile;
    const GenericJob job = data_parallel_job(spec, network, settings, out);
    out.steps = training_steps(spec, 1);
    out.layout.data = out.gpus;
    out.layout.micro_batch = job.batch;
    out.layout.micro_batches = job.passes;
    constexpr Sharding sharding = Sharding::none;
    out.memory = memory_use(
        network, job.recipe, job.precision, sharding, job.gpus, job.batch, out.overheads);
    if (!(network.activations_per_sample > ByteVolume{}))
        out.warnings.emplace_back(
            "activations_per_sample is not stated: whether a batch fits is not known");
    if (out.memory.total() > out.usable) {
        const LargestBatch largest = largest_batch(network,
                                                   job.recipe,
                                                   job.precision,
                                                   sharding,
                                                   job.gpus,
                                                   out.usable,
                                                   BatchRounding::none,
                                                   out.overheads);
        throw ModelError{
            "batch",
            fmt::format(
                "{} samples per GPU need {:.1f} GB of the {:.1f} GB usable on {} ({:.1f} GB "
                "too much)",
                job.batch,
                out.memory.total().count() / bytes_per_gb,
                out.usable.count() / bytes_per_gb,
                cluster.gpu.name,
                (out.memory.total() - out.usable).count() / bytes_per_gb),
            largest.batch == 0 ? "GPUs with more memory: not even one sample fits"
                               : fmt::format("fits with micro_batch {} or less", largest.batch)};
    }
    out.step = generic_step_time(job, cluster, profile);
    for (const Cluster& wider : clusters.subspan(1))
        out.step_at.push_back(generic_step_time(job, wider, profile));
    const StateBytes bytes = state_bytes(job.recipe);
    out.checkpoint = ByteVolume{network.parameters * (bytes.weights + bytes.optimizer)};
}

/// The cluster at each level, from the narrowest that can hold the gang.
std::vector<Cluster> clusters_of(const Gpu& gpu,
                                 std::int64_t gpus,
                                 const PoolSpec& pool,
                                 ByteRate node_network,
                                 const PoolLinks* links) {
    if (links == nullptr)
        return {usual_cluster(gpu, {gpus, pool.gpus_per_node, node_network})};
    std::vector<Cluster> clusters;
    for (std::size_t level = links->locality.narrowest_for(gpus);
         level < links->locality.levels.size();
         ++level)
        clusters.push_back(fabric_cluster(gpu, links->locality, links->rates, gpus, level));
    return clusters;
}

/// Bandwidth of all adapters of a node, if the scenario states it.
std::optional<ByteRate> stated_network(const PoolSpec& pool) {
    if (pool.network || !pool.topology)
        return pool.network;
    return pool.topology->node_link;
}

StatedTraining stated_training(const TrainingSpec& spec, std::int64_t gpus, Precision precision) {
    StatedTraining stated;
    const auto* dense = std::get_if<Transformer>(&*spec.model);
    stated.framework = spec.framework;
    stated.profile = spec.stack ? &*spec.stack : nullptr;
    stated.is_transformer = dense != nullptr;
    stated.is_searched = !spec.parallelism;
    if (spec.parallelism) {
        stated.tensor = spec.parallelism->tensor;
        stated.pipeline = spec.parallelism->pipeline;
        stated.context = spec.parallelism->context;
        stated.replicas = gpus / stated.tensor / stated.pipeline;
        stated.sharding = spec.parallelism->sharding;
        stated.sequence_parallel = spec.parallelism->sequence_parallel;
    }
    stated.sequence = spec.sequence.value_or(dense != nullptr ? dense->sequence : 0);
    stated.precision = precision;
    stated.scaling = spec.scaling;
    stated.attention = spec.attention;
    stated.compilation = spec.compilation;
    stated.recompute = spec.recompute;
    return stated;
}

} // namespace

StallShares stall_shares(const StepTime& step) {
    const Seconds whole = step.total();
    StallShares shares{};
    shares[static_cast<std::size_t>(Stall::input)] = step.input / whole;
    shares[static_cast<std::size_t>(Stall::communication)] = step.communication() / whole;
    shares[static_cast<std::size_t>(Stall::bubble)] = step.bubble / whole;
    shares[static_cast<std::size_t>(Stall::sync)] = step.straggler / whole;
    return shares;
}

TrainedOn train_on_pool(const TrainingSpec& spec,
                        const Stacks& stacks,
                        std::int64_t gpus,
                        const PoolSpec& pool,
                        const Gpu& gpu,
                        Precision precision,
                        const PoolLinks* links) {
    assert(spec.model);
    TrainedOn out;
    out.gpus = gpus;
    out.precision = precision;
    const std::optional<ByteRate> network = stated_network(pool);
    const bool has_file = pool.topology && !pool.topology->file.empty();
    out.is_network_assumed = !network && !has_file && gpus > pool.gpus_per_node;
    out.node_network = network.value_or(usual_node_network(gpu, pool.gpus_per_node));
    const std::vector<Cluster> clusters = clusters_of(gpu, gpus, pool, out.node_network, links);
    const TrainingSettings settings =
        training_settings(stated_training(spec, gpus, precision), gpu, stacks);
    const StackProfile& profile = *settings.profile;
    out.why_stack = settings.why.stack;
    out.assumed = settings.assumptions();
    out.stack = profile.name;
    out.overheads = settings.overheads;
    out.usable = usable_memory(gpu, out.overheads);
    std::visit([&](const auto& model) { train(spec, model, clusters, settings, out); },
               *spec.model);
    if (links != nullptr) // levels too narrow for the gang are as the narrowest that holds it
        out.step_at.insert(out.step_at.begin(), links->locality.narrowest_for(gpus) + 1, out.step);
    return out;
}

}} // namespace bursar::scenarios
