#pragma once

#include <cassert>
#include <cstdint>

#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/backfill/gpu_labels.hpp"
#include "sim/engine/backfill/line_numbers.hpp"
#include "sim/engine/backfill/promised_nodes.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// What running attempts hold of the lines of their nodes.
class LineHolders {
  public:
    LineHolders() = default;
    BURSAR_HD LineHolders(ArenaCarver& carver, const PlanView& plan, const LineNumbers& numbers)
        : plan_{plan}, numbers_{numbers},
          labels_{carver, numbers.detail().shares_gpus ? numbers.num() : 0U} {}

    /// Nobody runs.
    BURSAR_HD void clear() { labels_.clear(); }

    /// An attempt is where it was promised to be; told piece after piece.
    template <class Capacity>
    BURSAR_HD void
    keeps(const Capacity& capacity, const Attempt& attempt, const PromisedPiece& piece) {
        if (!numbers_.detail().shares_gpus)
            return;
        const std::uint32_t line = numbers_.of(PoolId{attempt.pool}, piece.node, piece.gpu);
        if (piece_of(plan_.shapes[attempt.shape], piece.gpus).shares_gpu())
            labels_.share(line, capacity.gpu_of(grant_of(attempt)));
        else if (piece.gpus > 0)
            labels_.hold(line, attempt.job);
    }
    /// An attempt runs, and GPUs have the numbers that they have on their nodes. Which of those
    /// that are in use as a whole it has makes no difference.
    template <class Capacity>
    BURSAR_HD void runs(const Capacity& capacity, const Attempt& attempt) {
        if (!numbers_.detail().shares_gpus)
            return;
        const PoolId pool{attempt.pool};
        const Grant grant = grant_of(attempt);
        capacity.for_each_piece(grant, [&](std::uint32_t node, std::uint32_t gpus) {
            const std::uint32_t first = numbers_.of(pool, node, 0);
            if (piece_of(plan_.shapes[attempt.shape], gpus).shares_gpu()) {
                labels_.share(first + capacity.gpu_of(grant), capacity.gpu_of(grant));
                return;
            }
            for (std::uint32_t gpu = 0, found = 0; found < gpus; ++gpu) {
                assert(gpu < plan_.pools[pool].gpus_per_node);
                if (!capacity.is_held_whole(pool, node, gpu) || labels_.is_held(first + gpu))
                    continue;
                labels_.hold(first + gpu, attempt.job);
                ++found;
            }
        });
    }
    template <class Capacity>
    BURSAR_HD void leaves(const Capacity& capacity, const Attempt& attempt) {
        if (!numbers_.detail().shares_gpus)
            return;
        const PoolId pool{attempt.pool};
        const Grant grant = grant_of(attempt);
        capacity.for_each_piece(grant, [&](std::uint32_t node, std::uint32_t gpus) {
            if (piece_of(plan_.shapes[attempt.shape], gpus).shares_gpu())
                labels_.unshare(shared_line(capacity, grant, node));
            else
                labels_.let_go(
                    numbers_.of(pool, node, 0), plan_.pools[pool].gpus_per_node, attempt.job);
        });
    }

    /// Calls `act(line, amount)` for what an attempt holds of every line of nodes that are up, and
    /// `on_node(slots)` for each of those nodes.
    template <class Capacity, class Act, class OnNode>
    BURSAR_HD void for_each_line(const Capacity& capacity,
                                 const Attempt& attempt,
                                 const Act& act,
                                 const OnNode& on_node) const {
        const PoolId pool{attempt.pool};
        const NodeLines lines = numbers_.lines(pool);
        const Grant grant = grant_of(attempt);
        capacity.for_each_piece(grant, [&](std::uint32_t node, std::uint32_t gpus) {
            if (capacity.is_offline(pool, node))
                return;
            const std::uint32_t first = numbers_.of(pool, node, 0);
            const PieceDemand piece = piece_of(plan_.shapes[attempt.shape], gpus);
            if (!lines.shares_gpus) {
                act(first, std::int64_t{gpus});
            } else if (piece.shares_gpu()) {
                act(shared_line(capacity, grant, node), std::int64_t{piece.gpu_slots});
            } else {
                for (std::uint32_t gpu = 0; gpus > 0 && gpu < lines.num_gpu_lines; ++gpu) {
                    if (labels_.is_held_by(first + gpu, attempt.job))
                        act(first + gpu, slots_per_gpu);
                }
            }
            lines.for_rest(
                piece, [&](std::uint32_t line, std::int64_t amount) { act(first + line, amount); });
            on_node(piece.slots());
        });
    }

    /// The GPU that a promised part of one is to come from now.
    [[nodiscard]] BURSAR_HD std::uint32_t gpu_of(std::uint32_t line) const {
        return labels_.gpu_of(line);
    }
    /// What nobody holds now of a GPU, by its number in the forecast, or of a node's GPUs.
    template <class Capacity>
    [[nodiscard]] BURSAR_HD std::int64_t
    free_of(const Capacity& capacity, PoolId pool, std::uint32_t node, std::uint32_t line) const {
        if (!numbers_.detail().shares_gpus)
            return capacity.left_on(pool, node, line);
        const std::uint32_t label = numbers_.of(pool, node, line);
        const std::uint32_t gpu = labels_.gpu_of(label);
        if (gpu != PlannedPiece::any_gpu)
            return capacity.left_on(pool, node, gpu);
        return labels_.is_held(label) ? 0 : slots_per_gpu;
    }

  private:
    [[nodiscard]] BURSAR_HD static Grant grant_of(const Attempt& attempt) {
        return {attempt.pool, attempt.level, attempt.first_piece};
    }
    template <class Capacity>
    [[nodiscard]] BURSAR_HD std::uint32_t
    shared_line(const Capacity& capacity, const Grant& grant, std::uint32_t node) const {
        const PoolId pool{grant.pool};
        return static_cast<std::uint32_t>(labels_.label_of(
            numbers_.of(pool, node, 0), plan_.pools[pool].gpus_per_node, capacity.gpu_of(grant)));
    }

    PlanView plan_;
    LineNumbers numbers_;
    GpuLabels labels_; ///< by line, where GPUs are shared
};

}} // namespace bursar::sim
