#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/backfill/promise.hpp"
#include "sim/engine/nodes/node_detail.hpp"
#include "sim/engine/nodes/node_lines.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Part of a promised gang on a node; if GPUs are shared, one for each of its GPUs.
struct PromisedPiece {
    std::uint32_t node{};
    std::uint32_t gpus{}; ///< of the gang on this node
    std::uint16_t gpu{};  ///< by the forecast's numbers, if GPUs are shared
    bool is_more{};       ///< a further GPU of a piece that is already in the list
};

/// The nodes of every promise: lists in one array, with the free places threaded through it.
class PromisedNodes {
  public:
    PromisedNodes() = default;
    BURSAR_HD PromisedNodes(ArenaCarver& carver, std::size_t max_pieces)
        : pieces_{carver.take<Listed>(max_pieces)},
          max_pieces_{static_cast<std::uint32_t>(max_pieces)} {}

    BURSAR_HD void clear() { num_used_ = first_free_ = 0; }

    BURSAR_HD void add(Promise& promise, const PromisedPiece& piece) {
        std::uint32_t at = num_used_;
        if (first_free_ != 0) {
            at = first_free_ - 1;
            first_free_ = pieces_[at].next;
        } else {
            ++num_used_;
        }
        assert(at < max_pieces_);
        pieces_[at] = {piece, promise.first_piece};
        promise.first_piece = at + 1;
    }
    /// Drops the nodes of a promise.
    BURSAR_HD void drop(const Promise& promise) {
        for (std::uint32_t piece = promise.first_piece; piece != 0;) {
            Listed& own = pieces_[piece - 1];
            const std::uint32_t next = own.next;
            own.next = first_free_;
            first_free_ = piece;
            piece = next;
        }
    }
    /// Calls `act(piece)` for each part of a promised gang.
    template <class Act>
    BURSAR_HD void for_each(const Promise& promise, const Act& act) const {
        for (std::uint32_t piece = promise.first_piece; piece != 0; piece = pieces_[piece - 1].next)
            act(pieces_[piece - 1].piece);
    }

  private:
    struct Listed {
        PromisedPiece piece;
        std::uint32_t next{}; ///< 1 + its place; 0: the last
    };

    Listed* pieces_{};
    [[maybe_unused]] std::uint32_t max_pieces_{}; ///< read by an assertion alone
    std::uint32_t num_used_{};                    ///< those after it were never used
    std::uint32_t first_free_{};                  ///< 1 + its place; 0: none was given back
};

/// Numbers the lines (NodeLines) of all nodes of a plan, by pool and node.
class LineNumbers {
  public:
    LineNumbers() = default;
    BURSAR_HD LineNumbers(ArenaCarver& carver, const RunPlan& plan)
        : plan_{plan}, detail_{detail_of(plan)},
          first_{carver.take<std::uint32_t>(plan.num_pools)} {
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            if (first_ != nullptr)
                first_[pool] = num_;
            num_ += plan.pools[pool].num_nodes * lines(pool).num();
        }
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num() const { return num_; }
    [[nodiscard]] BURSAR_HD const NodeDetail& detail() const { return detail_; }
    [[nodiscard]] BURSAR_HD NodeLines lines(PoolId pool) const {
        return lines_of(plan_.pools[pool], detail_);
    }
    [[nodiscard]] BURSAR_HD std::uint32_t
    of(PoolId pool, std::uint32_t node, std::uint32_t line) const {
        return first_[pool] + node * lines(pool).num() + line;
    }

  private:
    RunPlan plan_;
    NodeDetail detail_;
    std::uint32_t* first_{}; ///< of each pool
    std::uint32_t num_{};
};

/// Maps a forecast's numbers of a node's GPUs to real GPUs, if GPUs are shared. The forecast has
/// its own numbers: it only predicts which jobs share a GPU, as unused GPUs are interchangeable. A
/// number has a real GPU while parts of it are in use, or the job that holds it as a whole.
class GpuLabels {
  public:
    GpuLabels() = default;
    /// num: of all GPUs.
    BURSAR_HD GpuLabels(ArenaCarver& carver, std::size_t num)
        : labels_{carver.take<Label>(num)}, num_{num} {}

    BURSAR_HD void clear() {
        for (std::size_t label = 0; label < num_; ++label)
            labels_[label] = Label{};
    }

    /// The real GPU of a number; any_gpu while no job has a part of it.
    [[nodiscard]] BURSAR_HD std::uint32_t gpu_of(std::size_t label) const {
        return labels_[label].num_parts > 0 ? labels_[label].gpu : PlannedPiece::any_gpu;
    }
    [[nodiscard]] BURSAR_HD bool is_held(std::size_t label) const {
        return labels_[label].holder != 0;
    }
    [[nodiscard]] BURSAR_HD bool is_held_by(std::size_t label, JobId job) const {
        return labels_[label].holder == job + 1U;
    }
    /// The number of a shared GPU, among those of a node. Precondition: it has one.
    [[nodiscard]] BURSAR_HD std::size_t
    label_of(std::size_t first, std::uint32_t per_node, std::uint32_t gpu) const {
        std::size_t label = first;
        while (label + 1 < first + per_node && gpu_of(label) != gpu)
            ++label;
        return label;
    }

    /// A job has a part of real GPU `gpu`, or of the one that the number already has.
    BURSAR_HD void share(std::size_t label, std::uint32_t gpu) {
        if (labels_[label].num_parts++ == 0)
            labels_[label].gpu = gpu;
    }
    BURSAR_HD void unshare(std::size_t label) { --labels_[label].num_parts; }

    BURSAR_HD void hold(std::size_t label, JobId job) { labels_[label].holder = job + 1U; }
    /// Releases the whole GPUs of a job on a node.
    BURSAR_HD void release(std::size_t first, std::uint32_t per_node, JobId job) {
        for (std::size_t label = first; label < first + per_node; ++label) {
            if (is_held_by(label, job))
                labels_[label].holder = 0;
        }
    }

  private:
    struct Label {
        std::uint32_t gpu{};
        std::uint32_t num_parts{}; ///< in use
        std::uint32_t holder{};    ///< 1 + the job that holds it as a whole; 0: none
    };

    Label* labels_{};
    std::size_t num_{};
};

/// The amounts that running attempts hold on the lines of their nodes.
class LineHolders {
  public:
    LineHolders() = default;
    BURSAR_HD LineHolders(ArenaCarver& carver, const RunPlan& plan, const LineNumbers& numbers)
        : plan_{plan}, numbers_{numbers},
          labels_{carver, numbers.detail().shares_gpus ? numbers.num() : 0U} {}

    /// State without running attempts.
    BURSAR_HD void clear() { labels_.clear(); }

    /// An attempt begins as promised; called for each piece.
    template <class Capacity>
    BURSAR_HD void
    keeps(const Capacity& capacity, const Attempt& attempt, const PromisedPiece& piece) {
        if (!numbers_.detail().shares_gpus)
            return;
        const std::uint32_t line = numbers_.of(PoolId{attempt.pool}, piece.node, piece.gpu);
        if (piece_of(plan_.current_shapes[attempt.shape], piece.gpus).shares_gpu())
            labels_.share(line, capacity.gpu_of(grant_of(attempt)));
        else if (piece.gpus > 0)
            labels_.hold(line, attempt.job);
    }
    /// Adds a running attempt; numbers equal those of real GPUs. Which of the wholly used GPUs it
    /// has makes no difference.
    template <class Capacity>
    BURSAR_HD void runs(const Capacity& capacity, const Attempt& attempt) {
        if (!numbers_.detail().shares_gpus)
            return;
        const PoolId pool{attempt.pool};
        const Grant grant = grant_of(attempt);
        capacity.for_each_piece(grant, [&](std::uint32_t node, std::uint32_t gpus) {
            const std::uint32_t first = numbers_.of(pool, node, 0);
            if (piece_of(plan_.current_shapes[attempt.shape], gpus).shares_gpu()) {
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
            if (piece_of(plan_.current_shapes[attempt.shape], gpus).shares_gpu())
                labels_.unshare(shared_line(capacity, grant, node));
            else
                labels_.release(
                    numbers_.of(pool, node, 0), plan_.pools[pool].gpus_per_node, attempt.job);
        });
    }

    /// Calls `act(line, amount)` for each line that an attempt holds on nodes that are up, and
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
            const PieceDemand piece = piece_of(plan_.current_shapes[attempt.shape], gpus);
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

    /// The real GPU for a promised part of one.
    [[nodiscard]] BURSAR_HD std::uint32_t gpu_of(std::uint32_t line) const {
        return labels_.gpu_of(line);
    }
    /// The free slots of a GPU now, by its number in the forecast; if GPUs are not shared, the free
    /// GPUs of the node.
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

    RunPlan plan_;
    LineNumbers numbers_;
    GpuLabels labels_; ///< by line, if GPUs are shared
};

}} // namespace bursar::sim
