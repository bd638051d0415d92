#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/node_states.hpp"

namespace bursar { inline namespace sim {

/// The best state of a pool's nodes for each kind of piece, updated as nodes change.
///
/// Scores are stored per kind of piece and state, so each pair is computed once. Each kind has a
/// list of its best few states, and a bound that no other state beats. When nodes change, only
/// states that gained a node are scored; only if the whole list has become invalid are all states
/// of the pool compared.
///
/// Rows number the kinds of piece. Memory: 16 bytes per row and state, and 232 per row; rows beyond
/// max_bytes of the first keep no scores.
class BestNodes {
  public:
    static constexpr std::uint32_t none = NodeStates::none;

    BestNodes() = default;
    BURSAR_HD BestNodes(ArenaCarver& carver, std::uint32_t num_rows, std::uint32_t num_slots)
        : num_slots_{num_slots}, num_rows_{num_rows}, num_kept_{kept_of(num_rows, num_slots)},
          kept_{carver.take<Kept>(std::size_t{num_kept_} * num_slots)},
          rows_{carver.take<Row>(num_rows)} {}

    BURSAR_HD void clear() {
        for (std::size_t i = 0; i < std::size_t{num_kept_} * num_slots_; ++i)
            kept_[i] = Kept{};
        for (std::uint32_t row = 0; row < num_rows_; ++row)
            rows_[row] = Row{};
    }

    /// The slot of the state whose nodes suit `piece` best, ties to the lowest-numbered node; none
    /// if there is no room. Writes nothing; fast after update().
    template <class Placement>
    [[nodiscard]] BURSAR_HD std::uint32_t find(std::uint32_t row,
                                               const NodeStates& states,
                                               const PieceDemand& piece,
                                               const Placement& placement,
                                               const FleetView& fleet) const {
        if (is_fresh(rows_[row], states))
            return rows_[row].best();
        Row renewed = rows_[row];
        renew(renewed, states, [&](std::uint32_t slot) {
            return score(row, slot, states, piece, placement, fleet);
        });
        return renewed.best();
    }

    /// Whether some node has room for `piece`. Writes nothing.
    template <class Placement>
    [[nodiscard]] BURSAR_HD bool has_room(std::uint32_t row,
                                          const NodeStates& states,
                                          const PieceDemand& piece,
                                          const Placement& placement,
                                          const FleetView& fleet) const {
        const Row& known = rows_[row];
        if (is_fresh(known, states))
            return known.num_listed > 0;
        for (std::uint32_t i = known.num_listed; i-- > 0;) {
            if (is_there(known.listed[i], states))
                return true;
        }
        const auto fits = [&](std::uint32_t slot) {
            return states.num_in(slot) > 0 &&
                   score(row, slot, states, piece, placement, fleet) != NodeScore::never;
        };
        // If all states with room were listed, only those that gained a node since may have room.
        if (known.known && known.bound.score == NodeScore::never &&
            states.version() - known.version <= NodeStates::num_remembered) {
            for (std::uint64_t at = known.version; at < states.version(); ++at) {
                if (fits(states.entered(at)))
                    return true;
            }
            return false;
        }
        for (std::uint32_t i = 0; i < states.num_live(); ++i) {
            if (fits(states.live(i)))
                return true;
        }
        return false;
    }

    /// Makes find() of this row a table look-up until nodes change again, and returns its answer.
    /// One lane calls it, or several for different rows.
    template <class Placement>
    BURSAR_HD std::uint32_t update(std::uint32_t row,
                                   const NodeStates& states,
                                   const PieceDemand& piece,
                                   const Placement& placement,
                                   const FleetView& fleet) {
        if (!is_fresh(rows_[row], states)) {
            renew(rows_[row], states, [&](std::uint32_t slot) {
                if (const Kept* kept = kept_of_state(row, slot, states))
                    return kept->score;
                const Kept rated = rate(slot, states, piece, placement, fleet);
                if (row < num_kept_)
                    kept_[std::size_t{row} * num_slots_ + slot] = rated;
                return rated.score;
            });
        }
        return rows_[row].best();
    }

    /// The score of a state for a piece; NodeScore::never if there is no room.
    template <class Placement>
    [[nodiscard]] BURSAR_HD std::int64_t score(std::uint32_t row,
                                               std::uint32_t slot,
                                               const NodeStates& states,
                                               const PieceDemand& piece,
                                               const Placement& placement,
                                               const FleetView& fleet) const {
        const Kept* kept = kept_of_state(row, slot, states);
        return kept != nullptr ? kept->score : rate(slot, states, piece, placement, fleet).score;
    }
    /// The free slots of the GPU for a piece that shares one. Precondition: there is room.
    template <class Placement>
    [[nodiscard]] BURSAR_HD std::uint32_t gpu_free(std::uint32_t row,
                                                   std::uint32_t slot,
                                                   const NodeStates& states,
                                                   const PieceDemand& piece,
                                                   const Placement& placement,
                                                   const FleetView& fleet) const {
        const Kept* kept = kept_of_state(row, slot, states);
        return (kept != nullptr ? *kept : rate(slot, states, piece, placement, fleet)).gpu_free;
    }

  private:
    static constexpr std::size_t max_bytes = std::size_t{1} << 28U;
    static constexpr std::uint32_t max_listed = 8;

    struct Kept {
        std::int64_t score{};
        std::uint32_t generation{}; ///< of the state; 0: none
        std::uint32_t gpu_free{};
    };
    /// A state as it was when it was listed.
    struct Listed {
        std::int64_t score{NodeScore::never};
        std::uint32_t lowest{none};
        std::uint32_t slot{none};
        std::uint32_t generation{};

        [[nodiscard]] BURSAR_HD bool is_before(const Listed& other) const {
            return score != other.score ? score < other.score : lowest < other.lowest;
        }
    };
    struct Row {
        std::uint64_t version{}; ///< of the states, when the list was made or renewed
        std::uint32_t num_listed{};
        bool known{};
        Listed bound;              ///< no unlisted state is before this
        Listed listed[max_listed]; ///< the best last

        [[nodiscard]] BURSAR_HD std::uint32_t best() const {
            return num_listed > 0 ? listed[num_listed - 1].slot : none;
        }
        BURSAR_HD void insert(const Listed& state) {
            std::uint32_t hole = num_listed;
            if (num_listed == max_listed) {
                if (!state.is_before(listed[0])) {
                    bound = state;
                    return;
                }
                bound = listed[0];
                hole = 0;
                for (; hole + 1 < max_listed && state.is_before(listed[hole + 1]); ++hole)
                    listed[hole] = listed[hole + 1];
                listed[hole] = state;
                return;
            }
            for (; hole > 0 && listed[hole - 1].is_before(state); --hole)
                listed[hole] = listed[hole - 1];
            listed[hole] = state;
            ++num_listed;
        }
        BURSAR_HD void erase(std::uint32_t slot) {
            std::uint32_t at = 0;
            while (at < num_listed && listed[at].slot != slot)
                ++at;
            if (at == num_listed)
                return;
            --num_listed;
            for (; at < num_listed; ++at)
                listed[at] = listed[at + 1];
        }
    };

    BURSAR_HD static std::uint32_t kept_of(std::uint32_t num_rows, std::uint32_t num_slots) {
        const std::size_t max_rows = max_bytes / (sizeof(Kept) * num_slots);
        return num_rows < max_rows ? num_rows : static_cast<std::uint32_t>(max_rows);
    }

    /// The stored score of a row and a state, or null.
    [[nodiscard]] BURSAR_HD const Kept*
    kept_of_state(std::uint32_t row, std::uint32_t slot, const NodeStates& states) const {
        if (row >= num_kept_)
            return nullptr;
        const Kept& kept = kept_[std::size_t{row} * num_slots_ + slot];
        return kept.generation == states.generation(slot) ? &kept : nullptr;
    }
    template <class Placement>
    [[nodiscard, gnu::noinline]] BURSAR_HD static Kept rate(std::uint32_t slot,
                                                            const NodeStates& states,
                                                            const PieceDemand& piece,
                                                            const Placement& placement,
                                                            const FleetView& fleet) {
        const NodeScore score = score_node(placement, fleet, states.view(slot), piece);
        return {score.score, states.generation(slot), score.gpu_free};
    }

    [[nodiscard]] BURSAR_HD static bool is_fresh(const Row& row, const NodeStates& states) {
        return row.known && row.version == states.version();
    }

    /// Whether a listed state still has nodes.
    [[nodiscard]] BURSAR_HD static bool is_there(const Listed& state, const NodeStates& states) {
        return states.generation(state.slot) == state.generation && states.num_in(state.slot) > 0;
    }

    template <class ScoreOf>
    BURSAR_HD static void renew(Row& row, const NodeStates& states, const ScoreOf& score_of) {
        bool found = row.known && states.version() - row.version <= NodeStates::num_remembered;
        if (found) {
            list_changed(row, states, score_of);
            found = drop_stale(row, states, score_of) || row.bound.score == NodeScore::never;
        }
        if (!found)
            list_all(row, states, score_of);
        row.version = states.version();
        row.known = true;
    }

    template <class ScoreOf>
    BURSAR_HD static void list_all(Row& row, const NodeStates& states, const ScoreOf& score_of) {
        row.num_listed = 0;
        row.bound = Listed{};
        for (std::uint32_t i = 0; i < states.num_live(); ++i) {
            const std::uint32_t slot = states.live(i);
            const std::int64_t score = score_of(slot);
            if (score > row.bound.score || score == NodeScore::never)
                continue;
            const Listed state{score, states.lowest_in(slot), slot, states.generation(slot)};
            if (state.is_before(row.bound))
                row.insert(state);
        }
    }

    /// Lists states that gained a node. A state that only lost nodes does not get better.
    template <class ScoreOf>
    BURSAR_HD static void
    list_changed(Row& row, const NodeStates& states, const ScoreOf& score_of) {
        for (std::uint64_t at = row.version; at < states.version(); ++at) {
            const std::uint32_t slot = states.entered(at);
            if (states.num_in(slot) > 0)
                list(row, slot, states, score_of);
        }
    }

    template <class ScoreOf>
    BURSAR_HD static void
    list(Row& row, std::uint32_t slot, const NodeStates& states, const ScoreOf& score_of) {
        const std::int64_t score = score_of(slot);
        if (score > row.bound.score || score == NodeScore::never)
            return;
        const Listed state{score, states.lowest_in(slot), slot, states.generation(slot)};
        if (!state.is_before(row.bound))
            return;
        row.erase(slot);
        row.insert(state);
    }

    /// Drops or updates the best of the list until one has not changed since. False if none is
    /// left.
    template <class ScoreOf>
    BURSAR_HD static bool drop_stale(Row& row, const NodeStates& states, const ScoreOf& score_of) {
        while (row.num_listed > 0) {
            const Listed& best = row.listed[row.num_listed - 1];
            const std::uint32_t slot = best.slot;
            const bool still_there = is_there(best, states);
            if (still_there && states.lowest_in(slot) == best.lowest)
                return true;
            --row.num_listed;
            if (still_there)
                list(row, slot, states, score_of);
        }
        return false;
    }

    std::uint32_t num_slots_{};
    std::uint32_t num_rows_{};
    std::uint32_t num_kept_{};
    Kept* kept_{};
    Row* rows_{};
};

}} // namespace bursar::sim
