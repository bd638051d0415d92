#pragma once

#include <cassert>
#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"

namespace bursar { inline namespace sim {

/// Where the parts of running gangs are: lists in one array, with the free places threaded through
/// it.
class GangPieceLists {
  public:
    static constexpr std::uint32_t none = 0xffffffffU;

    struct Piece {
        std::uint32_t node{};
        std::uint32_t gpus{};
        std::uint32_t gpu{}; ///< which one, of a piece that is a part of one
        std::uint32_t next{};
    };

    GangPieceLists() = default;
    BURSAR_HD GangPieceLists(ArenaCarver& carver, std::uint32_t max_pieces)
        : pieces_{carver.take<Piece>(max_pieces)}, max_pieces_{max_pieces} {}

    BURSAR_HD void clear() {
        for (std::uint32_t i = 0; i < max_pieces_; ++i)
            pieces_[i].next = i + 1 < max_pieces_ ? i + 1 : none;
        first_free_ = max_pieces_ > 0 ? 0 : none;
    }

    /// The list `next` with a piece before it.
    BURSAR_HD std::uint32_t add(Piece piece) {
        const std::uint32_t at = first_free_;
        assert(at != none);
        first_free_ = pieces_[at].next;
        pieces_[at] = piece;
        return at;
    }
    /// Frees the place of a list's first piece; the rest of the list.
    BURSAR_HD std::uint32_t drop(std::uint32_t at) {
        const std::uint32_t next = pieces_[at].next;
        pieces_[at].next = first_free_;
        first_free_ = at;
        return next;
    }
    [[nodiscard]] BURSAR_HD const Piece& operator[](std::uint32_t at) const { return pieces_[at]; }

  private:
    Piece* pieces_{};
    std::uint32_t max_pieces_{};
    std::uint32_t first_free_{none};
};

}} // namespace bursar::sim
