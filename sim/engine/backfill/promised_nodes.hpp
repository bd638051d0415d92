#pragma once

#include <cassert>
#include <cstdint>

#include "sim/engine/backfill/promise.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// The nodes of every promise: lists in one array, with the free places threaded through it.
class PromisedNodes {
  public:
    PromisedNodes() = default;
    BURSAR_HD PromisedNodes(ArenaCarver& carver, std::size_t max_pieces)
        : pieces_{carver.take<Piece>(max_pieces)},
          max_pieces_{static_cast<std::uint32_t>(max_pieces)} {}

    /// The most pieces that the gangs of a plan's jobs can have between them.
    [[nodiscard]] BURSAR_HD static std::size_t max_pieces_of(const PlanView& plan) {
        std::size_t pieces = 0;
        std::uint32_t smallest_node = ~std::uint32_t{0};
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            if (plan.pools[pool].gpus_per_node < smallest_node)
                smallest_node = plan.pools[pool].gpus_per_node;
        }
        for (JobId job{0}; job < plan.num_jobs; ++job)
            pieces += plan.gpus(job) / smallest_node + 1;
        return pieces;
    }

    BURSAR_HD void clear() { num_used_ = first_free_ = 0; }

    BURSAR_HD void add(Promise& promise, std::uint32_t node, std::uint32_t gpus) {
        std::uint32_t at = num_used_;
        if (first_free_ != 0) {
            at = first_free_ - 1;
            first_free_ = pieces_[at].next;
        } else {
            ++num_used_;
        }
        assert(at < max_pieces_);
        pieces_[at] = {node, gpus, promise.first_piece};
        promise.first_piece = at + 1;
    }
    /// Forgets the nodes of a promise.
    BURSAR_HD void drop(const Promise& promise) {
        for (std::uint32_t piece = promise.first_piece; piece != 0;) {
            Piece& own = pieces_[piece - 1];
            const std::uint32_t next = own.next;
            own.next = first_free_;
            first_free_ = piece;
            piece = next;
        }
    }
    /// Calls `act(node, gpus)` for each part of a promised gang.
    template <class Act>
    BURSAR_HD void for_each(const Promise& promise, const Act& act) const {
        for (std::uint32_t piece = promise.first_piece; piece != 0; piece = pieces_[piece - 1].next)
            act(pieces_[piece - 1].node, pieces_[piece - 1].gpus);
    }

  private:
    struct Piece {
        std::uint32_t node{};
        std::uint32_t gpus{};
        std::uint32_t next{}; ///< 1 + its place; 0: the last
    };

    Piece* pieces_{};
    [[maybe_unused]] std::uint32_t max_pieces_{}; ///< read by an assertion alone
    std::uint32_t num_used_{};                    ///< those after it were never asked for
    std::uint32_t first_free_{};                  ///< 1 + its place; 0: none was given back
};

} // namespace bursar::inline sim
