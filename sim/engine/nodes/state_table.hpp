#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"
#include "sim/engine/nodes/node_view.hpp"

namespace bursar { inline namespace sim {

/// Free amounts of a node, except those of partly used GPUs, whose free slots are in the table,
/// ascending; and the kinds of pieces on it, if they matter. Nodes with equal amounts share a
/// state.
struct NodeState {
    std::uint32_t free_gpus{}; ///< unused
    std::uint32_t free_slots{};
    std::uint32_t cpu_milli{};
    std::uint32_t memory_mib{};
    std::uint32_t num_shared{};
    std::uint32_t is_offline{}; ///< 1: offline; 0
    PieceKinds kinds{};

    friend BURSAR_HD bool operator==(const NodeState& a, const NodeState& b) {
        return a.free_gpus == b.free_gpus && a.free_slots == b.free_slots &&
               a.cpu_milli == b.cpu_milli && a.memory_mib == b.memory_mib &&
               a.num_shared == b.num_shared && a.is_offline == b.is_offline && a.kinds == b.kinds;
    }
};

/// The nodes in a state: the part that searches over many states read.
struct StateNodes {
    static constexpr std::uint32_t none = 0xffffffffU;

    std::uint32_t num{};
    std::uint32_t lowest{none}; ///< lowest-numbered node
    std::uint32_t generation{}; ///< changes when the slot gets another state
    std::uint32_t place{};      ///< among the live, while it has nodes
};

/// Current and past states of nodes, each in a slot. A state without nodes is dead: it keeps its
/// slot until that is needed, the oldest first, so that stored scores are valid when it returns.
/// The live states can be iterated.
class StateTable {
  public:
    static constexpr std::uint32_t none = StateNodes::none;

    StateTable() = default;
    /// num_slots: more than there are nodes. max_shared: of one node.
    BURSAR_HD
    StateTable(ArenaCarver& carver, std::uint32_t num_slots, std::uint32_t max_shared)
        : num_slots_{num_slots}, max_shared_{(max_shared + in_a_word - 1) / in_a_word * in_a_word},
          num_buckets_{power_of_two_from(num_slots)}, states_{carver.take<NodeState>(num_slots)},
          nodes_{carver.take<StateNodes>(num_slots)}, links_{carver.take<Links>(num_slots)},
          live_{carver.take<std::uint32_t>(num_slots)},
          buckets_{carver.take<std::uint32_t>(num_buckets_)},
          shared_{carver.take<std::uint16_t>(std::size_t{num_slots + 1} * max_shared_)} {}

    BURSAR_HD void clear() {
        num_used_ = num_live_ = 0;
        oldest_dead_ = newest_dead_ = none;
        for (std::uint32_t bucket = 0; bucket < num_buckets_; ++bucket)
            buckets_[bucket] = none;
        for (std::uint32_t slot = 0; slot < num_slots_; ++slot)
            nodes_[slot] = StateNodes{};
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num_slots() const { return num_slots_; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_live() const { return num_live_; }
    [[nodiscard]] BURSAR_HD std::uint32_t live(std::uint32_t i) const { return live_[i]; }
    [[nodiscard]] BURSAR_HD const NodeState& operator[](std::uint32_t slot) const {
        return states_[slot];
    }
    [[nodiscard]] BURSAR_HD StateNodes& nodes_in(std::uint32_t slot) { return nodes_[slot]; }
    [[nodiscard]] BURSAR_HD const StateNodes& nodes_in(std::uint32_t slot) const {
        return nodes_[slot];
    }
    /// Free slots of the GPUs that are partly used.
    [[nodiscard]] BURSAR_HD const std::uint16_t* shared_of(std::uint32_t slot) const {
        return shared_ + std::size_t{slot} * max_shared_;
    }
    /// Memory for those of a state to look up.
    [[nodiscard]] BURSAR_HD std::uint16_t* shared_to_find() {
        return shared_ + std::size_t{num_slots_} * max_shared_;
    }

    /// The slot of a state, known or new.
    BURSAR_HD std::uint32_t slot_of(const NodeState& state) {
        std::uint16_t* sought = shared_to_find();
        for (std::uint32_t i = state.num_shared; i % in_a_word != 0; ++i)
            sought[i] = 0; // states are compared and copied by words
        const std::uint32_t bucket = bucket_of(state);
        for (std::uint32_t slot = buckets_[bucket]; slot != none;
             slot = links_[slot].next_in_bucket) {
            if (is_in(slot, state))
                return slot;
        }
        const std::uint32_t slot = num_used_ < num_slots_ ? num_used_++ : forget_oldest();
        ++nodes_[slot].generation;
        links_[slot].bucket = bucket;
        links_[slot].next_in_bucket = buckets_[bucket];
        buckets_[bucket] = slot;
        states_[slot] = state;
        std::uint16_t* own = shared_ + std::size_t{slot} * max_shared_;
        for (std::uint32_t i = 0; i < state.num_shared; i += in_a_word) {
            const std::uint64_t word = word_at(sought + i);
            std::memcpy(own + i, &word, sizeof word);
        }
        join_dead(slot);
        return slot;
    }

    /// A node joins or leaves a state; lowest: its lowest-numbered node after that.
    BURSAR_HD void count_in(std::uint32_t slot, std::uint32_t lowest) {
        StateNodes& nodes = nodes_[slot];
        nodes.lowest = lowest;
        if (nodes.num++ > 0)
            return;
        quit_dead(slot);
        nodes.place = num_live_;
        live_[num_live_++] = slot;
    }
    BURSAR_HD void count_out(std::uint32_t slot, std::uint32_t lowest) {
        StateNodes& nodes = nodes_[slot];
        nodes.lowest = lowest;
        if (--nodes.num > 0)
            return;
        live_[nodes.place] = live_[--num_live_];
        nodes_[live_[nodes.place]].place = nodes.place;
        join_dead(slot);
    }

  private:
    static constexpr std::uint32_t in_a_word = 4; ///< numbers of free slots

    struct Links {
        std::uint32_t bucket{};
        std::uint32_t next_in_bucket{none};
        std::uint32_t older{none}, newer{none}; ///< list of dead states
    };

    BURSAR_HD static std::uint64_t word_at(const std::uint16_t* shared) {
        std::uint64_t word = 0;
        std::memcpy(&word, shared, sizeof word);
        return word;
    }
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
        for (std::uint32_t i = 0; i < state.num_shared; i += in_a_word)
            hash = mix(hash, word_at(shared_to_find() + i));
        return static_cast<std::uint32_t>(hash >> 32U) & (num_buckets_ - 1);
    }
    BURSAR_HD static std::uint64_t mix(std::uint64_t hash, std::uint64_t next) {
        hash = (hash ^ next) * 0x9e3779b97f4a7c15U;
        return hash ^ (hash >> 32U);
    }

    [[nodiscard]] BURSAR_HD bool is_in(std::uint32_t slot, const NodeState& state) {
        if (!(states_[slot] == state))
            return false;
        for (std::uint32_t i = 0; i < state.num_shared; i += in_a_word) {
            if (word_at(shared_to_find() + i) != word_at(shared_of(slot) + i))
                return false;
        }
        return true;
    }

    /// Frees the slot of the state that has been without nodes for longest.
    BURSAR_HD std::uint32_t forget_oldest() {
        const std::uint32_t slot = oldest_dead_;
        assert(slot != none); // there are more slots than nodes
        quit_dead(slot);
        std::uint32_t* link = &buckets_[links_[slot].bucket];
        while (*link != slot)
            link = &links_[*link].next_in_bucket;
        *link = links_[slot].next_in_bucket;
        return slot;
    }

    BURSAR_HD void join_dead(std::uint32_t slot) {
        links_[slot].older = newest_dead_;
        links_[slot].newer = none;
        (newest_dead_ == none ? oldest_dead_ : links_[newest_dead_].newer) = slot;
        newest_dead_ = slot;
    }
    BURSAR_HD void quit_dead(std::uint32_t slot) {
        const Links& links = links_[slot];
        (links.older == none ? oldest_dead_ : links_[links.older].newer) = links.newer;
        (links.newer == none ? newest_dead_ : links_[links.newer].older) = links.older;
    }

    std::uint32_t num_slots_{};
    std::uint32_t max_shared_{};
    std::uint32_t num_buckets_{};
    NodeState* states_{};
    StateNodes* nodes_{};
    Links* links_{};
    std::uint32_t* live_{};
    std::uint32_t* buckets_{};
    std::uint16_t* shared_{};
    std::uint32_t num_used_{};
    std::uint32_t num_live_{};
    std::uint32_t oldest_dead_{none}, newest_dead_{none};
};

}} // namespace bursar::sim
