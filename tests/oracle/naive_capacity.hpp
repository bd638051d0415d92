#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bursar::oracle {

struct Pool {
    std::string name;
    std::int64_t nodes{};         ///< >= 1
    std::int64_t gpus_per_node{}; ///< >= 1
    std::int64_t cpu_milli{};     ///< of a node; 0: unlimited
    std::int64_t memory_mib{};    ///< likewise
    std::vector<bool> slow{};     ///< by node; empty: none is

    [[nodiscard]] bool is_slow(std::size_t node) const { return !slow.empty() && slow[node]; }
};

enum class CapacityRule : std::uint8_t {
    count, ///< a gang fits where enough GPUs of one pool are free
    nodes  ///< a gang takes whole empty nodes, and one more node for the rest
};
enum class PlacementRule : std::uint8_t { first_fit, consolidated };

/// GPUs of one node that a gang holds.
struct Share {
    std::size_t node{};
    std::int64_t gpus{};
};

/// Free GPUs of every node of one pool. By count the pool is a single node, and offline nodes
/// reduce its GPUs: the number may be negative.
class FreeGpus {
  public:
    FreeGpus(const Pool& pool, CapacityRule capacity)
        : is_count_{capacity == CapacityRule::count}, gpus_per_node_{pool.gpus_per_node},
          free_(is_count_ ? 1 : static_cast<std::size_t>(pool.nodes),
                is_count_ ? pool.nodes * pool.gpus_per_node : gpus_per_node_),
          is_offline_(static_cast<std::size_t>(pool.nodes), false) {}

    /// GPUs that a gang may take; negative: more are held than are online.
    [[nodiscard]] std::int64_t total() const {
        if (is_count_)
            return free_[0] - num_offline() * gpus_per_node_;
        std::int64_t sum = 0;
        for (std::size_t node = 0; node < free_.size(); ++node)
            sum += free_on(node);
        return sum;
    }
    /// The same, but at least 0.
    [[nodiscard]] std::int64_t open() const { return std::max<std::int64_t>(total(), 0); }

    /// The nodes for a gang of `gpus` >= 1, or nothing if it does not fit: the lowest
    /// floor(gpus / gpus_per_node) empty nodes, then for the rest another node with room for all of
    /// it; first-fit takes the lowest, consolidated the fullest, ties to the lowest.
    [[nodiscard]] std::optional<std::vector<Share>> find(std::int64_t gpus,
                                                         PlacementRule placement) const {
        if (is_count_ && gpus > total())
            return std::nullopt;
        if (is_count_)
            return std::vector<Share>{{0, gpus}};
        std::vector<Share> shares;
        const std::int64_t whole_nodes = gpus / gpus_per_node_;
        for (std::size_t node = 0; node < free_.size() && std::ssize(shares) < whole_nodes; ++node)
            if (free_on(node) == gpus_per_node_)
                shares.push_back({node, gpus_per_node_});
        if (std::ssize(shares) < whole_nodes)
            return std::nullopt;

        const std::int64_t rest = gpus % gpus_per_node_;
        if (rest == 0)
            return shares;
        const std::optional<std::size_t> node = find_node_for_rest(rest, placement, shares);
        if (!node)
            return std::nullopt;
        shares.push_back({*node, rest});
        return shares;
    }

    void take(const std::vector<Share>& shares) {
        for (const Share& share : shares)
            free_[share.node] -= share.gpus;
    }

    void give_back(const std::vector<Share>& shares) {
        for (const Share& share : shares)
            free_[share.node] += share.gpus;
    }

    [[nodiscard]] bool is_offline(std::size_t node) const { return is_offline_[node]; }
    void set_offline(std::size_t node, bool offline) { is_offline_[node] = offline; }
    /// GPUs that are neither held nor usable.
    [[nodiscard]] std::int64_t unavailable() const {
        if (is_count_)
            return std::min(free_[0], num_offline() * gpus_per_node_);
        std::int64_t sum = 0;
        for (std::size_t node = 0; node < free_.size(); ++node)
            sum += is_offline_[node] ? free_[node] : 0;
        return sum;
    }

    [[nodiscard]] std::int64_t free_on(std::size_t node) const {
        if (is_count_)
            return open();
        return is_offline_[node] ? 0 : free_[node];
    }
    /// Takes everything free on the nodes of a gang.
    void take_all_of(const std::vector<Share>& shares) {
        for (const Share& share : shares)
            free_[share.node] = 0;
    }
    /// The minimum of both, node by node.
    [[nodiscard]] FreeGpus least_of(const FreeGpus& other) const {
        FreeGpus least = *this;
        for (std::size_t node = 0; node < free_.size(); ++node)
            least.free_[node] = std::min(free_[node], other.free_[node]);
        return least;
    }

  private:
    [[nodiscard]] std::int64_t num_offline() const {
        return std::count(is_offline_.begin(), is_offline_.end(), true);
    }

    [[nodiscard]] std::optional<std::size_t> find_node_for_rest(
        std::int64_t rest, PlacementRule placement, const std::vector<Share>& whole_nodes) const {
        std::optional<std::size_t> best;
        for (std::size_t node = 0; node < free_.size(); ++node) {
            bool is_taken = false;
            for (const Share& share : whole_nodes)
                is_taken = is_taken || share.node == node;
            if (is_taken || free_on(node) < rest)
                continue;
            if (placement == PlacementRule::first_fit)
                return node;
            if (!best || free_on(node) < free_on(*best))
                best = node;
        }
        return best;
    }

    bool is_count_;
    std::int64_t gpus_per_node_;
    std::vector<std::int64_t> free_; ///< by node: GPUs not held
    std::vector<bool> is_offline_;   ///< by node
};

} // namespace bursar::oracle
