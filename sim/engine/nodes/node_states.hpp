#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/arena/pairing_heaps.hpp"
#include "sim/engine/nodes/gpu_slots.hpp"
#include "sim/engine/nodes/node_detail.hpp"
#include "sim/engine/nodes/node_lines.hpp"
#include "sim/engine/nodes/node_view.hpp"
#include "sim/engine/nodes/state_table.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// The nodes of one pool, grouped by state: nodes with equal amounts free are interchangeable, so
/// searches compare states, not nodes, and take the lowest-numbered node of the best one.
class NodeStates {
  public:
    static constexpr std::uint32_t none = StateTable::none;

    NodeStates() = default;
    BURSAR_HD
    NodeStates(ArenaCarver& carver, const PlanPool& pool, PoolId pool_index, NodeDetail detail)
        : num_nodes_{pool.num_nodes}, per_node_{pool.gpus_per_node}, pool_index_{pool_index},
          detail_{detail}, counts_cpu_{pool.cpu_milli != 0 || pool.memory_mib != 0},
          states_{carver, slots_for(pool, detail), detail.shares_gpus ? per_node_ : 0},
          heaps_{carver, num_nodes_}, nodes_{carver.take<NodeUse>(num_nodes_)},
          entered_{carver.take<std::uint32_t>(num_remembered)} {
        if (detail.shares_gpus)
            gpus_ = GpuSlots{carver, num_nodes_, per_node_};
        if (detail.keeps_kinds)
            num_of_kind_ = carver.take<std::uint32_t>(std::size_t{num_nodes_} * num_kinds);
    }

    BURSAR_HD void clear(const PlanPool& pool) {
        pool_ = &pool;
        version_ = 0;
        free_slots_ = offline_slots_ = 0;
        num_offline_ = 0;
        states_.clear();
        gpus_.clear();
        for (std::size_t kind = 0; detail_.keeps_kinds && kind < num_nodes_ * num_kinds; ++kind)
            num_of_kind_[kind] = 0;
        for (std::uint32_t node = 0; node < num_nodes_; ++node) {
            nodes_[node] = {per_node_, pool.cpu_milli, pool.memory_mib, 0, false, false, {}};
            enter(node);
        }
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num_nodes() const { return num_nodes_; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_slots() const { return states_.num_slots(); }
    /// Of the nodes that are neither closed nor offline.
    [[nodiscard]] BURSAR_HD std::int64_t free_slots() const { return free_slots_; }
    /// Free slots of the offline ones.
    [[nodiscard]] BURSAR_HD std::int64_t offline_slots() const { return offline_slots_; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_offline() const { return num_offline_; }
    [[nodiscard]] BURSAR_HD bool is_offline(std::uint32_t node) const {
        return nodes_[node].is_offline;
    }

    // States, by slot.
    [[nodiscard]] BURSAR_HD std::uint32_t num_live() const { return states_.num_live(); }
    /// The slots of the states that have nodes, unsorted. i: below num_live().
    [[nodiscard]] BURSAR_HD std::uint32_t live(std::uint32_t i) const { return states_.live(i); }
    [[nodiscard]] BURSAR_HD std::uint32_t num_in(std::uint32_t slot) const {
        return states_.nodes_in(slot).num;
    }
    /// The lowest-numbered node in a state. Precondition: num_in(slot) > 0.
    [[nodiscard]] BURSAR_HD std::uint32_t lowest_in(std::uint32_t slot) const {
        return states_.nodes_in(slot).lowest;
    }
    /// Changes when the slot gets another state.
    [[nodiscard]] BURSAR_HD std::uint32_t generation(std::uint32_t slot) const {
        return states_.nodes_in(slot).generation;
    }
    [[nodiscard]] BURSAR_HD NodeView view(std::uint32_t slot) const {
        const NodeState& state = states_[slot];
        return {pool_,
                pool_index_,
                state.free_gpus,
                state.free_slots,
                state.cpu_milli,
                state.memory_mib,
                state.num_shared,
                states_.shared_of(slot),
                state.kinds,
                state.is_offline};
    }
    /// View of an empty node of the pool.
    [[nodiscard]] BURSAR_HD NodeView empty_node() const {
        return {.pool = pool_,
                .pool_index = pool_index_,
                .free_gpus = per_node_,
                .free_slots = static_cast<std::uint32_t>(per_node_ * slots_per_gpu),
                .cpu_milli = pool_->cpu_milli,
                .memory_mib = pool_->memory_mib};
    }
    [[nodiscard]] BURSAR_HD std::uint32_t slot_of(std::uint32_t node) const {
        return nodes_[node].slot;
    }
    /// Whether all GPUs of the node are free and usable.
    [[nodiscard]] BURSAR_HD bool has_all_gpus(std::uint32_t node) const {
        return nodes_[node].free_gpus == per_node_ && !nodes_[node].is_unseen();
    }

    /// Whether it is empty, by all resources that are counted.
    [[nodiscard]] BURSAR_HD bool is_empty(std::uint32_t node) const {
        const NodeUse& use = nodes_[node];
        return has_all_gpus(node) && use.cpu_milli == pool_->cpu_milli &&
               use.memory_mib == pool_->memory_mib;
    }

    // The log of changes: every state that gained a node, in order.
    [[nodiscard]] BURSAR_HD std::uint64_t version() const { return version_; }
    static constexpr std::uint64_t num_remembered = 256; ///< changes; older ones are dropped
    /// The slot of change number `at`. at: version() - num_remembered .. version() - 1.
    [[nodiscard]] BURSAR_HD std::uint32_t entered(std::uint64_t at) const {
        return entered_[at % num_remembered];
    }

    /// Takes a piece from a node; gpu_free: the free slots of the GPU that it shares. Returns that
    /// GPU's number. Precondition: the node has room.
    BURSAR_HD std::uint32_t
    take(std::uint32_t node, const PieceDemand& piece, std::uint32_t gpu_free) {
        leave(node);
        NodeUse& use = nodes_[node];
        const std::uint32_t gpu = take_gpus(node, piece, gpu_free);
        take_rest(use, piece);
        count_kind(node, piece, 1);
        enter(node);
        return gpu;
    }

    /// Gives a piece back; gpu: what take() returned.
    BURSAR_HD void release(std::uint32_t node, const PieceDemand& piece, std::uint32_t gpu) {
        leave(node);
        NodeUse& use = nodes_[node];
        release_gpus(node, piece, gpu);
        if (counts_cpu_) {
            use.cpu_milli += pool_->cpu_milli != 0 ? piece.cpu_milli : 0;
            use.memory_mib += pool_->memory_mib != 0 ? piece.memory_mib : 0;
        }
        offline_slots_ += use.is_offline ? piece.slots() : 0;
        assert(use.free_gpus <= per_node_);
        count_kind(node, piece, -1);
        enter(node);
    }

    /// Takes a piece from GPU number `gpu`, or takes one again after give-back; gpu: what take()
    /// returned. Precondition: pieces taken since have been given back.
    BURSAR_HD void retake(std::uint32_t node, const PieceDemand& piece, std::uint32_t gpu) {
        if (!detail_.shares_gpus || !piece.shares_gpu()) {
            take(node, piece, slots_per_gpu);
            return;
        }
        leave(node);
        gpus_.take_of(node, gpu, piece.gpu_slots);
        NodeUse& use = nodes_[node];
        use.free_gpus -= gpus_.left(node, gpu) + piece.gpu_slots == slots_per_gpu ? 1 : 0;
        take_rest(use, piece);
        count_kind(node, piece, 1);
        enter(node);
    }

    // For forecasts of free capacity by node.
    [[nodiscard]] BURSAR_HD NodeLines lines() const { return lines_of(*pool_, detail_); }
    /// The free slots of a line, also of a closed or offline node.
    [[nodiscard]] BURSAR_HD std::int64_t left(std::uint32_t node, std::uint32_t line) const {
        const NodeLines all = lines();
        if (line >= all.num_gpu_lines)
            return all.has_cpu && line == all.cpu() ? nodes_[node].cpu_milli
                                                    : nodes_[node].memory_mib;
        if (!all.shares_gpus)
            return nodes_[node].free_gpus;
        return gpus_.left(node, line);
    }
    /// Precondition: GPUs are shared.
    [[nodiscard]] BURSAR_HD bool is_held_whole(std::uint32_t node, std::uint32_t gpu) const {
        return gpus_.is_held_whole(node, gpu);
    }
    /// Lets an empty node have `left_of(line)`, from 0 to all.
    template <class LeftOf>
    BURSAR_HD void limit(std::uint32_t node, const LeftOf& left_of) {
        const NodeLines all = lines();
        bool changes = false;
        for (std::uint32_t line = 0; line < all.num() && !changes; ++line)
            changes = left(node, line) != left_of(line);
        if (!changes)
            return;
        leave(node);
        NodeUse& use = nodes_[node];
        use.free_gpus = static_cast<std::uint32_t>(all.shares_gpus ? 0 : left_of(0));
        for (std::uint32_t gpu = 0; all.shares_gpus && gpu < per_node_; ++gpu) {
            gpus_.set(node, gpu, left_of(gpu));
            use.free_gpus += gpus_.left(node, gpu) == slots_per_gpu ? 1 : 0;
        }
        if (all.has_cpu)
            use.cpu_milli = static_cast<std::uint32_t>(left_of(all.cpu()));
        if (all.has_memory)
            use.memory_mib = static_cast<std::uint32_t>(left_of(all.memory()));
        enter(node);
    }

    /// Until open(), nothing of a node is free, also not pieces given back there.
    BURSAR_HD void close(std::uint32_t node) { set_closed(node, true); }
    BURSAR_HD void open(std::uint32_t node) { set_closed(node, false); }

    /// A node goes offline, or comes back, whether closed or not.
    BURSAR_HD void set_offline(std::uint32_t node) {
        assert(!nodes_[node].is_offline);
        leave(node);
        nodes_[node].is_offline = true;
        enter(node);
        offline_slots_ += slots_left(node);
        ++num_offline_;
    }
    BURSAR_HD void set_online(std::uint32_t node) {
        assert(nodes_[node].is_offline);
        offline_slots_ -= slots_left(node);
        --num_offline_;
        leave(node);
        nodes_[node].is_offline = false;
        enter(node);
    }

  private:
    /// The free amounts of one node, and its state.
    struct NodeUse {
        std::uint32_t free_gpus{};
        std::uint32_t cpu_milli{};
        std::uint32_t memory_mib{};
        std::uint32_t slot{};
        bool is_closed{};
        bool is_offline{};
        PieceKinds kinds{};

        [[nodiscard]] BURSAR_HD bool is_unseen() const { return is_closed || is_offline; }
    };
    static constexpr std::size_t num_kinds = PieceKinds::max + 1;

    /// With whole GPUs alone there are few states, including that of offline nodes. Otherwise every
    /// node may have a separate state, and at least as many past states are remembered.
    BURSAR_HD static std::uint32_t slots_for(const PlanPool& pool, NodeDetail detail) {
        const bool counts_cpu = detail.counts_cpu && (pool.cpu_milli != 0 || pool.memory_mib != 0);
        return detail.shares_gpus || counts_cpu || detail.keeps_kinds ? 4 * pool.num_nodes + 64
                                                                      : pool.gpus_per_node + 2;
    }
    BURSAR_HD void set_closed(std::uint32_t node, bool is_closed) {
        assert(nodes_[node].is_closed != is_closed);
        leave(node);
        nodes_[node].is_closed = is_closed;
        enter(node);
    }
    /// Free slots, also of a closed or offline node.
    [[nodiscard]] BURSAR_HD std::int64_t slots_left(std::uint32_t node) const {
        std::int64_t slots = std::int64_t{nodes_[node].free_gpus} * slots_per_gpu;
        for (std::uint32_t gpu = 0; detail_.shares_gpus && gpu < per_node_; ++gpu) {
            const std::uint32_t left = gpus_.left(node, gpu);
            slots += left < slots_per_gpu ? left : 0;
        }
        return slots;
    }
    /// A node has one piece more, or less, of a kind.
    BURSAR_HD void count_kind(std::uint32_t node, const PieceDemand& piece, int change) {
        if (!detail_.keeps_kinds || piece.gpus == 0)
            return;
        const std::uint32_t bit = PieceKinds::bit_of(piece.kind());
        std::uint32_t& num = num_of_kind_[node * num_kinds + bit];
        num += static_cast<std::uint32_t>(change);
        if (num == 0)
            nodes_[node].kinds.erase(bit);
        else
            nodes_[node].kinds.insert(bit);
    }
    /// Takes the resources of a piece other than GPUs.
    BURSAR_HD void take_rest(NodeUse& use, const PieceDemand& piece) {
        if (counts_cpu_) {
            use.cpu_milli -= pool_->cpu_milli != 0 ? piece.cpu_milli : 0;
            use.memory_mib -= pool_->memory_mib != 0 ? piece.memory_mib : 0;
        }
        offline_slots_ -= use.is_offline ? piece.slots() : 0;
    }

    BURSAR_HD std::uint32_t
    take_gpus(std::uint32_t node, const PieceDemand& piece, std::uint32_t gpu_free) {
        NodeUse& use = nodes_[node];
        assert(piece.shares_gpu() || use.free_gpus >= piece.gpus);
        use.free_gpus -= !piece.shares_gpu() || gpu_free == slots_per_gpu ? piece.gpus : 0;
        return detail_.shares_gpus ? gpus_.take(node, piece, gpu_free) : 0;
    }
    BURSAR_HD void release_gpus(std::uint32_t node, const PieceDemand& piece, std::uint32_t gpu) {
        if (detail_.shares_gpus)
            gpus_.release(node, piece, gpu);
        const bool frees = !piece.shares_gpu() || gpus_.left(node, gpu) == slots_per_gpu;
        nodes_[node].free_gpus += frees ? piece.gpus : 0;
    }

    /// The node's current state, for a look-up in the table.
    BURSAR_HD NodeState describe(std::uint32_t node) {
        const NodeUse& use = nodes_[node];
        NodeState state;
        state.is_offline = use.is_offline ? 1 : 0;
        if (use.is_unseen())
            return state;
        state.free_gpus = use.free_gpus;
        state.free_slots = use.free_gpus * slots_per_gpu;
        if (detail_.shares_gpus) {
            const std::uint16_t* gpus = gpus_.of(node);
            std::uint16_t* shared = states_.shared_to_find();
            for (std::uint32_t gpu = 0; gpu < per_node_; ++gpu) {
                const std::uint16_t free = gpus[gpu];
                if (free == 0 || free >= slots_per_gpu)
                    continue;
                std::uint32_t at = state.num_shared++;
                for (; at > 0 && shared[at - 1] > free; --at)
                    shared[at] = shared[at - 1];
                shared[at] = free;
                state.free_slots += free;
            }
        }
        // CPU and memory on a node without free slots matter only to jobs without GPUs.
        if (counts_cpu_ && (state.free_slots > 0 || detail_.has_cpu_jobs)) {
            state.cpu_milli = use.cpu_milli;
            state.memory_mib = use.memory_mib;
        }
        state.kinds = use.kinds;
        return state;
    }

    /// The node leaves its state; it must enter another.
    BURSAR_HD void leave(std::uint32_t node) {
        const std::uint32_t slot = nodes_[node].slot;
        free_slots_ -= states_[slot].free_slots;
        states_.count_out(slot, heaps_.erase(states_.nodes_in(slot).lowest, node));
    }
    BURSAR_HD void enter(std::uint32_t node) {
        const NodeState state = describe(node);
        const std::uint32_t slot = states_.slot_of(state);
        states_.count_in(slot, heaps_.insert(states_.nodes_in(slot).lowest, node));
        nodes_[node].slot = slot;
        free_slots_ += state.free_slots;
        entered_[version_++ % num_remembered] = slot;
    }

    const PlanPool* pool_{};
    std::uint32_t num_nodes_{};
    std::uint32_t per_node_{};
    PoolId pool_index_{};
    NodeDetail detail_;
    bool counts_cpu_{};
    StateTable states_;
    PairingHeaps heaps_; ///< the nodes of each state
    NodeUse* nodes_{};
    std::uint32_t* entered_{};
    GpuSlots gpus_;                ///< if GPUs are shared
    std::uint32_t* num_of_kind_{}; ///< if kinds are kept: pieces by node and kind
    std::int64_t free_slots_{};
    std::int64_t offline_slots_{};
    std::uint32_t num_offline_{};
    std::uint64_t version_{};
};

}} // namespace bursar::sim
