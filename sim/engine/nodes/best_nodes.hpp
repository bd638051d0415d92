#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/node_states.hpp"

namespace bursar::inline sim {

/// The best state of a pool's nodes for each kind of piece, kept up as nodes change.
///
/// Scores are kept per kind of piece and state, so each pair is worked out once; the best state is
/// kept with the change after which it was the best, and only what changed since is looked at
/// again. It is lost only when its own nodes change: then all states of the pool are compared.
/// Cost: the changes since the last look, or the number of distinct states.
///
/// Rows number the kinds of piece. Memory: 16 bytes per row and state; rows beyond max_bytes of
/// those keep no scores.
class BestNodes {
  public:
    static constexpr std::uint32_t none = NodeStates::none;

    BestNodes() = default;
    BURSAR_HD BestNodes(ArenaCarver& carver, std::uint32_t num_rows, std::uint32_t num_slots)
        : num_slots_{num_slots}, num_rows_{num_rows}, num_kept_{kept_of(num_rows, num_slots)},
          kept_{carver.take<Kept>(std::size_t{num_kept_} * num_slots)},
          best_{carver.take<Best>(num_rows)} {}

    BURSAR_HD void clear() {
        for (std::size_t i = 0; i < std::size_t{num_kept_} * num_slots_; ++i)
            kept_[i] = Kept{};
        for (std::uint32_t row = 0; row < num_rows_; ++row)
            best_[row] = Best{};
    }

    /// The slot of the state whose nodes suit `piece` best, ties to the lowest-numbered node; none
    /// if there is no room. Writes nothing; fast after update().
    template <class Placement>
    [[nodiscard]] BURSAR_HD std::uint32_t find(std::uint32_t row,
                                               const NodeStates& states,
                                               const PieceDemand& piece,
                                               const Placement& placement,
                                               const FleetView& fleet) const {
        if (is_fresh(row, states))
            return best_[row].slot;
        return search(row, states, [&](std::uint32_t slot) {
            return score(row, slot, states, piece, placement, fleet);
        });
    }

    /// Makes find() of this row a look-up until nodes change again. By one lane, or by several for
    /// different rows.
    template <class Placement>
    BURSAR_HD void update(std::uint32_t row,
                          const NodeStates& states,
                          const PieceDemand& piece,
                          const Placement& placement,
                          const FleetView& fleet) {
        if (is_fresh(row, states))
            return;
        const std::uint32_t best = search(row, states, [&](std::uint32_t slot) {
            const std::int64_t of_slot = score(row, slot, states, piece, placement, fleet);
            if (row < num_kept_)
                kept_[std::size_t{row} * num_slots_ + slot] = {of_slot, states.generation(slot)};
            return of_slot;
        });
        best_[row] = {states.version(), best, true};
    }

    /// The score of a state for a piece; NodeScore::never where there is no room.
    template <class Placement>
    [[nodiscard]] BURSAR_HD std::int64_t score(std::uint32_t row,
                                               std::uint32_t slot,
                                               const NodeStates& states,
                                               const PieceDemand& piece,
                                               const Placement& placement,
                                               const FleetView& fleet) const {
        if (row < num_kept_) {
            const Kept& kept = kept_[std::size_t{row} * num_slots_ + slot];
            if (kept.generation == states.generation(slot))
                return kept.score;
        }
        return score_node(placement, fleet, states.view(slot), piece).score;
    }

  private:
    static constexpr std::size_t max_bytes = std::size_t{1} << 28U;

    struct Kept {
        std::int64_t score{};
        std::uint32_t generation{}; ///< 0: of no state
    };
    struct Best {
        std::uint64_t version{};
        std::uint32_t slot{none};
        bool known{};
    };

    BURSAR_HD static std::uint32_t kept_of(std::uint32_t num_rows, std::uint32_t num_slots) {
        const std::size_t max_rows = max_bytes / (sizeof(Kept) * num_slots);
        return num_rows < max_rows ? num_rows : static_cast<std::uint32_t>(max_rows);
    }

    [[nodiscard]] BURSAR_HD bool is_fresh(std::uint32_t row, const NodeStates& states) const {
        return best_[row].known && best_[row].version == states.version();
    }

    template <class ScoreOf>
    [[nodiscard]] BURSAR_HD std::uint32_t
    search(std::uint32_t row, const NodeStates& states, const ScoreOf& score_of) const {
        const Best& before = best_[row];
        std::uint32_t best = none;
        std::int64_t best_score = NodeScore::never;
        const auto consider = [&](std::uint32_t slot) {
            const std::int64_t score = score_of(slot);
            if (score == NodeScore::never || score > best_score)
                return;
            if (score < best_score || states.lowest_in(slot) < states.lowest_in(best)) {
                best = slot;
                best_score = score;
            }
        };
        bool still_best =
            before.known && states.version() - before.version <= NodeStates::num_remembered;
        for (std::uint64_t at = before.version; still_best && at < states.version(); ++at)
            still_best = states.changed(at) != before.slot;
        if (still_best) {
            if (before.slot != none)
                consider(before.slot);
            for (std::uint64_t at = before.version; at < states.version(); ++at) {
                if (states.num_in(states.changed(at)) > 0)
                    consider(states.changed(at));
            }
            return best;
        }
        for (std::uint32_t i = 0; i < states.num_live(); ++i)
            consider(states.live(i));
        return best;
    }

    std::uint32_t num_slots_{};
    std::uint32_t num_rows_{};
    std::uint32_t num_kept_{};
    Kept* kept_{};
    Best* best_{};
};

} // namespace bursar::inline sim
