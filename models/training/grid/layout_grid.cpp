#include "models/training/grid/layout_grid.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "models/errors/model_error.hpp"
#include "models/training/memory/memory_fit.hpp"
#include "models/training/step/step_parts.hpp"

namespace bursar { inline namespace models {
namespace {

// Minutes of one core, and 2 GB.
constexpr std::uint64_t max_points = 1'000'000'000;
constexpr std::uint64_t max_layouts = 20'000'000;

const GridMachine& narrowest(const GridAxes& axes) {
    return *std::ranges::min_element(axes.machines, {}, [](const GridMachine& machine) {
        return machine.cluster.gpus_per_node;
    });
}

TrainingJob on(const GridMachine& machine, TrainingJob job) {
    job.precision = machine.precision;
    job.attention = machine.attention.value_or(job.attention);
    job.fp8_scaling = machine.fp8_scaling.value_or(job.fp8_scaling);
    job.recipe = machine.recipe.value_or(job.recipe);
    return job;
}

void check(const GridAxes& axes) {
    if (axes.jobs.empty() || axes.machines.empty() || axes.offers.empty() || axes.gpus.empty())
        throw ModelError{"grid", "an axis has no values", "give models, GPUs and numbers of them"};
    if (!(axes.tokens > 0))
        throw ModelError{"tokens", "there is nothing to train", "give more than 0"};
    for (const GridMachine& machine : axes.machines) {
        if (machine.cluster.gpus_per_node % narrowest(axes).cluster.gpus_per_node != 0)
            throw ModelError{"gpus_per_node",
                             "differs between the GPUs of a grid, and layouts depend on it",
                             "make a grid of each"};
    }
    for (const TrainingJob& job : axes.jobs) {
        if (job.input)
            throw ModelError{"input", "is not part of a grid", "ask for the step of its best"};
    }
}

std::uint32_t count(std::size_t size) {
    return static_cast<std::uint32_t>(size);
}

} // namespace

std::uint32_t LayoutGrid::Rows::row_of(const LayoutKey& key, const Layout& layout) {
    const auto [found, is_new] = numbers.try_emplace(key, count(examples.size()));
    if (is_new)
        examples.push_back(layout);
    return found->second;
}

LayoutGrid::LayoutGrid(GridAxes axes) : axes_{std::move(axes)} {
    check(axes_);
    for (std::size_t model = 0; model < axes_.jobs.size(); ++model)
        add_model(count(model));
}

void LayoutGrid::add_model(std::uint32_t model) {
    pass_rows_ = replica_rows_ = message_rows_ = {};
    const std::uint64_t first = points_;
    for (const std::int64_t gpus : axes_.gpus) {
        if (axes_.batches.empty())
            add_block(model, gpus, gpus);
        for (const std::int64_t batch : axes_.batches)
            add_block(model, gpus, batch);
    }
    ranges_.push_back({first, points_});
    for (const GridMachine& machine : axes_.machines)
        add_panel(axes_.jobs[model], machine);
}

void LayoutGrid::add_block(std::uint32_t model, std::int64_t gpus, std::int64_t batch) {
    const GridMachine& narrow = narrowest(axes_); // its layouts are possible on all machines
    const TrainingJob job = on(narrow, axes_.jobs[model]);
    LayoutSpace space = usual_layout_space(job, gpus, batch);
    space.largest_micro_batch = axes_.max_micro_batch;
    GridBlock block{.first_point = points_,
                    .first_layout = count(layouts_.size()),
                    .model = model,
                    .layers = job.model.layers,
                    .gpus = gpus,
                    .global_batch = batch,
                    .steps = std::ceil(axes_.tokens / real(batch * job.sequence))};
    excluded_ += for_each_layout(job, narrow.cluster, space, [&](const TrainingJob& laid) {
        layouts_.push_back({laid.layout,
                            pass_rows_.row_of(pass_key(laid), laid.layout),
                            replica_rows_.row_of(replica_key(laid), laid.layout),
                            message_rows_.row_of(message_key(laid), laid.layout)});
    });
    block.layouts = count(layouts_.size()) - block.first_layout;
    if (block.layouts == 0)
        return;
    points_ += std::uint64_t{block.layouts} * axes_.offers.size();
    blocks_.push_back(block);
    if (points_ > max_points || layouts_.size() > max_layouts)
        throw ModelError{"grid",
                         "has more than " + std::to_string(max_points) + " points or " +
                             std::to_string(max_layouts) + " layouts",
                         "give fewer values"};
}

void LayoutGrid::add_panel(TrainingJob job, const GridMachine& machine) {
    job = on(machine, std::move(job));
    const ByteVolume capacity = usable_memory(machine.cluster.gpu, machine.overheads);
    GridPanel panel{.passes = count(passes_.size()),
                    .replicas = count(replicas_.size()),
                    .messages = count(messages_.size()),
                    .memory = memory_constants(machine.overheads),
                    .capacity = capacity,
                    .likely_capacity =
                        likely_capacity(capacity, memory_error(job, machine.overheads)),
                    .host = {}};
    const auto rank_of = [&](const Layout& layout) {
        job.layout = layout;
        return place_rank(job, machine.cluster, machine.profile);
    };
    panel.host = host_step_time(rank_of(job.layout));
    for (const Layout& layout : pass_rows_.examples) {
        const PassParts pass = pass_parts(rank_of(layout));
        passes_.push_back({pass, activation_parts(job, machine.overheads)});
    }
    for (const Layout& layout : replica_rows_.examples) {
        const ReplicaParts replicas = replica_parts(rank_of(layout));
        replicas_.push_back({replicas, state_parts(job, machine.overheads)});
    }
    for (const Layout& layout : message_rows_.examples)
        messages_.push_back(message_time(rank_of(layout)));
    panels_.push_back(panel);
}

GridArrays LayoutGrid::arrays() const {
    return {.blocks = blocks_,
            .layouts = layouts_,
            .offers = axes_.offers,
            .panels = panels_,
            .passes = passes_,
            .replicas = replicas_,
            .messages = messages_,
            .machines = count(axes_.machines.size()),
            .points = points_};
}

TrainingJob LayoutGrid::job(const GridDigits& at) const {
    TrainingJob job = on(machine(at), axes_.jobs[blocks_[at.block].model]);
    job.layout = layouts_[at.layout].layout;
    return job;
}

const GridMachine& LayoutGrid::machine(const GridDigits& at) const {
    return axes_.machines[axes_.offers[at.offer].machine];
}

}} // namespace bursar::models
