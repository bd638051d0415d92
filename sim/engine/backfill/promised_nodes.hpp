#pragma once

#include <cassert>
#include <cstdint>

#include "sim/engine/backfill/promise.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// Part of a promised gang on a node; where parts of GPUs are given out, one for each of its GPUs.
struct PromisedPiece {
    std::uint32_t node{};
    std::uint32_t gpus{}; ///< of the gang on this node
    std::uint16_t gpu{};  ///< by the forecast's numbers, where they are told apart
    bool is_more{};       ///< another GPU for a piece that stands elsewhere in the list
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
    /// Forgets the nodes of a promise.
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
    std::uint32_t num_used_{};                    ///< those after it were never asked for
    std::uint32_t first_free_{};                  ///< 1 + its place; 0: none was given back
};

}} // namespace bursar::sim
