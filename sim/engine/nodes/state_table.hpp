#pragma once

#include <cassert>
#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"
#include "sim/engine/nodes/node_view.hpp"

namespace bursar::inline sim {

/// What is free of a node, apart from the GPUs that are partly used: those have their free slots in
/// the table, ascending; and the kinds of pieces on it, where they matter. Equal amounts are one
/// state.
struct NodeState {
    static constexpr std::uint32_t none = 0xffffffffU;

    std::uint32_t free_gpus{}; ///< that nobody uses
    std::uint32_t free_slots{};
    std::uint32_t cpu_milli{};
    std::uint32_t memory_mib{};
    std::uint32_t num_shared{};
    std::uint32_t is_offline{}; ///< 1: not there; 0
    PieceKinds kinds{};

    std::uint32_t num_nodes{};  ///< in this state
    std::uint32_t lowest{none}; ///< of them
    std::uint32_t generation{}; ///< changes when the slot begins to stand for another state
    std::uint32_t bucket{};
    std::uint32_t next_in_bucket{none};
    std::uint32_t place{};                  ///< among the live, while it has nodes
    std::uint32_t older{none}, newer{none}; ///< among the dead, while it has none

    [[nodiscard]] BURSAR_HD bool has_amounts_of(const NodeState& other) const {
        return free_gpus == other.free_gpus && free_slots == other.free_slots &&
               cpu_milli == other.cpu_milli && memory_mib == other.memory_mib &&
               num_shared == other.num_shared && is_offline == other.is_offline &&
               kinds == other.kinds;
    }
};

/// The states that nodes are or were in, each in a slot. A state without nodes is dead: it keeps
/// its slot until that is needed, the oldest first, so that what was worked out about it serves
/// again when it comes back. The live ones can be walked through.
class StateTable {
  public:
    static constexpr std::uint32_t none = NodeState::none;

    StateTable() = default;
    /// num_slots: more than there are nodes. max_shared: of one node.
    BURSAR_HD
    StateTable(ArenaCarver& carver, std::uint32_t num_slots, std::uint32_t max_shared)
        : num_slots_{num_slots}, max_shared_{max_shared},
          num_buckets_{power_of_two_from(num_slots)}, states_{carver.take<NodeState>(num_slots)},
          live_{carver.take<std::uint32_t>(num_slots)},
          buckets_{carver.take<std::uint32_t>(num_buckets_)},
          shared_{carver.take<std::uint16_t>(std::size_t{num_slots + 1} * max_shared)} {}

    BURSAR_HD void clear() {
        num_used_ = num_live_ = 0;
        oldest_dead_ = newest_dead_ = none;
        for (std::uint32_t bucket = 0; bucket < num_buckets_; ++bucket)
            buckets_[bucket] = none;
        for (std::uint32_t slot = 0; slot < num_slots_; ++slot)
            states_[slot] = NodeState{};
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num_slots() const { return num_slots_; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_live() const { return num_live_; }
    [[nodiscard]] BURSAR_HD std::uint32_t live(std::uint32_t i) const { return live_[i]; }
    [[nodiscard]] BURSAR_HD NodeState& operator[](std::uint32_t slot) { return states_[slot]; }
    [[nodiscard]] BURSAR_HD const NodeState& operator[](std::uint32_t slot) const {
        return states_[slot];
    }
    /// Free slots of the GPUs that are partly used.
    [[nodiscard]] BURSAR_HD const std::uint16_t* shared_of(std::uint32_t slot) const {
        return shared_ + std::size_t{slot} * max_shared_;
    }
    /// Where those of a state to be looked up are put.
    [[nodiscard]] BURSAR_HD std::uint16_t* shared_to_find() {
        return shared_ + std::size_t{num_slots_} * max_shared_;
    }

    /// The slot of a state, known or new.
    BURSAR_HD std::uint32_t slot_of(NodeState state) {
        state.bucket = bucket_of(state);
        for (std::uint32_t slot = buckets_[state.bucket]; slot != none;
             slot = states_[slot].next_in_bucket) {
            if (is_in(slot, state))
                return slot;
        }
        const std::uint32_t slot = num_used_ < num_slots_ ? num_used_++ : forget_oldest();
        state.generation = states_[slot].generation + 1;
        state.next_in_bucket = buckets_[state.bucket];
        buckets_[state.bucket] = slot;
        states_[slot] = state;
        std::uint16_t* own = shared_ + std::size_t{slot} * max_shared_;
        for (std::uint32_t i = 0; i < state.num_shared; ++i)
            own[i] = shared_to_find()[i];
        join_dead(slot);
        return slot;
    }

    /// One node more, or less, is in a state.
    BURSAR_HD void count_in(std::uint32_t slot) {
        NodeState& state = states_[slot];
        if (state.num_nodes++ > 0)
            return;
        quit_dead(slot);
        state.place = num_live_;
        live_[num_live_++] = slot;
    }
    BURSAR_HD void count_out(std::uint32_t slot) {
        NodeState& state = states_[slot];
        if (--state.num_nodes > 0)
            return;
        live_[state.place] = live_[--num_live_];
        states_[live_[state.place]].place = state.place;
        join_dead(slot);
    }

  private:
    BURSAR_HD static std::uint32_t power_of_two_from(std::uint32_t min) {
        std::uint32_t power = 1;
        while (power < min)
            power *= 2;
        return power;
    }

    [[nodiscard]] BURSAR_HD std::uint32_t bucket_of(const NodeState& state) {
        std::uint64_t hash = mix(state.free_gpus, state.free_slots);
        hash = mix(hash, std::uint64_t{state.cpu_milli} << 32U | state.memory_mib);
        hash = mix(hash, state.kinds.bits());
        for (std::uint32_t i = 0; i < state.num_shared; ++i)
            hash = mix(hash, shared_to_find()[i]);
        return static_cast<std::uint32_t>(hash >> 32U) & (num_buckets_ - 1);
    }
    BURSAR_HD static std::uint64_t mix(std::uint64_t hash, std::uint64_t next) {
        hash = (hash ^ next) * 0x9e3779b97f4a7c15U;
        return hash ^ (hash >> 32U);
    }

    [[nodiscard]] BURSAR_HD bool is_in(std::uint32_t slot, const NodeState& state) {
        if (!states_[slot].has_amounts_of(state))
            return false;
        for (std::uint32_t i = 0; i < state.num_shared; ++i) {
            if (shared_to_find()[i] != shared_of(slot)[i])
                return false;
        }
        return true;
    }

    /// Frees the slot of the state that has been without nodes for longest.
    BURSAR_HD std::uint32_t forget_oldest() {
        const std::uint32_t slot = oldest_dead_;
        assert(slot != none); // there are more slots than nodes
        quit_dead(slot);
        std::uint32_t* link = &buckets_[states_[slot].bucket];
        while (*link != slot)
            link = &states_[*link].next_in_bucket;
        *link = states_[slot].next_in_bucket;
        return slot;
    }

    BURSAR_HD void join_dead(std::uint32_t slot) {
        states_[slot].older = newest_dead_;
        states_[slot].newer = none;
        (newest_dead_ == none ? oldest_dead_ : states_[newest_dead_].newer) = slot;
        newest_dead_ = slot;
    }
    BURSAR_HD void quit_dead(std::uint32_t slot) {
        const NodeState& state = states_[slot];
        (state.older == none ? oldest_dead_ : states_[state.older].newer) = state.newer;
        (state.newer == none ? newest_dead_ : states_[state.newer].older) = state.older;
    }

    std::uint32_t num_slots_{};
    std::uint32_t max_shared_{};
    std::uint32_t num_buckets_{};
    NodeState* states_{};
    std::uint32_t* live_{};
    std::uint32_t* buckets_{};
    std::uint16_t* shared_{};
    std::uint32_t num_used_{};
    std::uint32_t num_live_{};
    std::uint32_t oldest_dead_{none}, newest_dead_{none};
};

} // namespace bursar::inline sim
