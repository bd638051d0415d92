#pragma once

#include <cstdint>
#include <span>

#include "models/training/memory/memory_parts.hpp"
#include "models/training/search/run_cost.hpp"
#include "models/training/step/step_parts.hpp"

/// One point of a grid from its number: plain data and arithmetic, for the host and a device.
namespace bursar { inline namespace models {

/// Rows of parts that layouts of one model share on one machine.
struct PassRow {
    PassParts pass;
    ActivationParts activations;
};
struct ReplicaRow {
    ReplicaParts replicas;
    StateParts states;
};

/// A layout, and which rows of its model it reads.
struct GridLayout {
    Layout layout;
    std::uint32_t pass{};
    std::uint32_t replicas{};
    std::uint32_t message{};
};

/// One model on one machine: the begin of its rows, and values that do not depend on layouts.
struct GridPanel {
    std::uint32_t passes{};
    std::uint32_t replicas{};
    std::uint32_t messages{};
    MemoryConstants memory;
    ByteVolume capacity;        ///< usable memory of a GPU
    ByteVolume likely_capacity; ///< what fits with a chance of likely_fit (memory/memory_fit.hpp)
    Seconds host;               ///< of a step, outside its micro-batches
};

/// A machine, by its number, at a price.
struct GridOffer {
    std::uint32_t machine{};
    MoneyRate price; ///< per GPU-hour, >= 0
};

/// Layouts of one model for one number of GPUs and one batch, under every offer.
struct GridBlock {
    std::uint64_t first_point{};
    std::uint32_t first_layout{};
    std::uint32_t layouts{}; ///< > 0
    std::uint32_t model{};
    std::int64_t layers{}; ///< of the model
    std::int64_t gpus{};
    std::int64_t global_batch{};
    double steps{}; ///< of the run
};

/// Points from `first` to before `end`.
struct GridRange {
    std::uint64_t first{};
    std::uint64_t end{};
};

/// The results of one point.
struct GridValue {
    ByteVolume memory; ///< of the most loaded rank
    Seconds step;      ///< 0 if it does not fit, like the run
    RunCost run;
    bool fits{};
    bool likely_fits{}; ///< with a chance of likely_fit; like `fits` where that is not known
};

/// The row of each axis for a point.
struct GridDigits {
    std::uint32_t block{};
    std::uint32_t offer{};
    std::uint32_t layout{}; ///< of all layouts of the grid
};

/// A grid as pointers into host or device memory. Points are numbered block by block, in a block
/// offer by offer, under an offer layout by layout.
struct GridView {
    const GridBlock* blocks{};
    const GridLayout* layouts{};
    const GridOffer* offers{};
    const GridPanel* panels{}; ///< model by model
    const PassRow* passes{};
    const ReplicaRow* replicas{};
    const Seconds* messages{};
    std::uint32_t num_blocks{};
    std::uint32_t num_offers{};
    std::uint32_t machines{};
    std::uint64_t points{};

    /// point: < points.
    [[nodiscard]] BURSAR_HD GridDigits digits(std::uint64_t point) const {
        std::uint32_t low = 0;
        std::uint32_t above = num_blocks;
        while (above - low > 1) {
            const std::uint32_t middle = low + (above - low) / 2;
            (blocks[middle].first_point <= point ? low : above) = middle;
        }
        const std::uint64_t inside = point - blocks[low].first_point;
        const std::uint64_t count = blocks[low].layouts;
        return {low,
                static_cast<std::uint32_t>(inside / count),
                blocks[low].first_layout + static_cast<std::uint32_t>(inside % count)};
    }

    [[nodiscard]] BURSAR_HD GridValue value(const GridDigits& at) const {
        const GridBlock& block = blocks[at.block];
        const GridOffer& offer = offers[at.offer];
        const GridPanel& panel = panels[block.model * machines + offer.machine];
        const GridLayout& laid = layouts[at.layout];
        const PassRow& pass = passes[panel.passes + laid.pass];
        const ReplicaRow& replica = replicas[panel.replicas + laid.replicas];
        GridValue value;
        value.memory =
            peak_memory(pass.activations, replica.states, panel.memory, block.layers, laid.layout)
                .total();
        value.fits = value.memory <= panel.capacity;
        if (!value.fits)
            return value;
        value.likely_fits = value.memory <= panel.likely_capacity;
        value.step = step_of_parts(pass.pass,
                                   replica.replicas,
                                   messages[panel.messages + laid.message],
                                   panel.host,
                                   block.layers,
                                   laid.layout)
                         .total();
        value.run = run_cost(value.step, block.steps, block.gpus, offer.price);
        return value;
    }

    /// point: < points.
    [[nodiscard]] BURSAR_HD GridValue operator()(std::uint64_t point) const {
        return value(digits(point));
    }
};

/// The arrays of a grid on the host, to read there or to copy to a device.
struct GridArrays {
    std::span<const GridBlock> blocks;
    std::span<const GridLayout> layouts;
    std::span<const GridOffer> offers;
    std::span<const GridPanel> panels;
    std::span<const PassRow> passes;
    std::span<const ReplicaRow> replicas;
    std::span<const Seconds> messages;
    std::uint32_t machines{};
    std::uint64_t points{};
};

[[nodiscard]] inline GridView view_of(const GridArrays& arrays) {
    return {.blocks = arrays.blocks.data(),
            .layouts = arrays.layouts.data(),
            .offers = arrays.offers.data(),
            .panels = arrays.panels.data(),
            .passes = arrays.passes.data(),
            .replicas = arrays.replicas.data(),
            .messages = arrays.messages.data(),
            .num_blocks = static_cast<std::uint32_t>(arrays.blocks.size()),
            .num_offers = static_cast<std::uint32_t>(arrays.offers.size()),
            .machines = arrays.machines,
            .points = arrays.points};
}

}} // namespace bursar::models
