#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/nodes/node_view.hpp"

namespace bursar { inline namespace sim {

/// Free slots of each GPU of a pool's nodes, if GPUs are shared.
class GpuSlots {
  public:
    GpuSlots() = default;
    BURSAR_HD GpuSlots(ArenaCarver& carver, std::uint32_t num_nodes, std::uint32_t per_node)
        : free_{carver.take<std::uint16_t>(std::size_t{num_nodes} * per_node)},
          num_{std::size_t{num_nodes} * per_node}, per_node_{per_node} {}

    BURSAR_HD void clear() {
        for (std::size_t gpu = 0; gpu < num_; ++gpu)
            free_[gpu] = slots_per_gpu;
    }

    /// Free slots of a GPU; a number above slots_per_gpu if one job holds it as a whole.
    [[nodiscard]] BURSAR_HD const std::uint16_t* of(std::uint32_t node) const {
        return free_ + std::size_t{node} * per_node_;
    }
    [[nodiscard]] BURSAR_HD bool is_held_whole(std::uint32_t node, std::uint32_t gpu) const {
        return of(node)[gpu] == held_whole;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t left(std::uint32_t node, std::uint32_t gpu) const {
        return is_held_whole(node, gpu) ? 0 : of(node)[gpu];
    }
    BURSAR_HD void set(std::uint32_t node, std::uint32_t gpu, std::int64_t slots) {
        on(node)[gpu] = static_cast<std::uint16_t>(slots);
    }

    /// Takes a piece's GPUs of a node; a shared one is the first GPU with `gpu_free` free slots.
    /// Returns the number of the last one.
    BURSAR_HD std::uint32_t
    take(std::uint32_t node, const PieceDemand& piece, std::uint32_t gpu_free) {
        std::uint16_t* gpus = on(node);
        std::uint32_t found = 0;
        std::uint32_t last = 0;
        const std::uint32_t wanted = piece.shares_gpu() ? gpu_free : slots_per_gpu;
        for (std::uint32_t gpu = 0; found < piece.gpus; ++gpu) {
            assert(gpu < per_node_);
            if (gpus[gpu] != wanted)
                continue;
            ++found;
            last = gpu;
            gpus[gpu] = piece.shares_gpu() ? static_cast<std::uint16_t>(wanted - piece.gpu_slots)
                                           : held_whole;
        }
        return last;
    }
    /// Takes a part of one GPU.
    BURSAR_HD void take_of(std::uint32_t node, std::uint32_t gpu, std::uint32_t slots) {
        std::uint16_t* gpus = on(node);
        if (gpus[gpu] == held_whole) { // by a job that can use any other free GPU instead
            std::uint32_t other = 0;
            while (gpus[other] != slots_per_gpu)
                ++other;
            gpus[other] = held_whole;
            gpus[gpu] = slots_per_gpu;
        }
        gpus[gpu] = static_cast<std::uint16_t>(gpus[gpu] - slots);
    }
    /// gpu: for a piece that shares one, what take() returned.
    BURSAR_HD void release(std::uint32_t node, const PieceDemand& piece, std::uint32_t gpu) {
        std::uint16_t* gpus = on(node);
        if (piece.shares_gpu()) {
            gpus[gpu] = static_cast<std::uint16_t>(gpus[gpu] + piece.gpu_slots);
            return;
        }
        for (std::uint32_t found = 0, at = 0; found < piece.gpus; ++at) {
            assert(at < per_node_);
            if (gpus[at] != held_whole)
                continue;
            gpus[at] = slots_per_gpu;
            ++found;
        }
    }

  private:
    /// Marks a GPU that one job holds as a whole; which of a node's GPUs it is makes no difference.
    static constexpr std::uint16_t held_whole = 0xffff;

    [[nodiscard]] BURSAR_HD std::uint16_t* on(std::uint32_t node) {
        return free_ + std::size_t{node} * per_node_;
    }

    std::uint16_t* free_{};
    std::size_t num_{};
    std::uint32_t per_node_{};
};

}} // namespace bursar::sim
