#pragma once

#include <cstdint>
#include <span>

#include "models/training/grid/grid_point.hpp"

namespace bursar { inline namespace models {

/// What a grid is to its points: arrays of the host, to be read there or copied to a device.
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
