#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "models/network/group_shape.hpp"
#include "models/network/locality_tree.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

enum class Collective : std::uint8_t {
    all_reduce,
    reduce_scatter,
    all_gather,
    all_to_all,
    broadcast
};

inline constexpr std::array<std::string_view, 5> collective_names{
    "all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast"};

/// The algorithm of a collective.
enum class CollectiveAlgorithm : std::uint8_t {
    ring,             ///< over all ranks; across nodes one ring for each GPU of a node
    tree,             ///< chain inside a node, double binary tree between nodes
    halving_doubling, ///< recursive; MPI libraries have it, NCCL has not
    in_network,       ///< NVLink SHARP: the switch adds
    hierarchical,     ///< level by level, the phases overlapping in part
    direct,           ///< all-to-all: every rank to every other
    grouped           ///< all-to-all: messages to one node travel together
};

inline constexpr std::array<std::string_view, 7> algorithm_names{
    "ring", "tree", "halving-doubling", "in-network", "hierarchical", "direct", "grouped"};

/// The collective or algorithm of that name, or nothing.
[[nodiscard]] std::optional<Collective> find_collective(std::string_view name);
[[nodiscard]] std::optional<CollectiveAlgorithm> find_algorithm(std::string_view name);

/// Which algorithms a communication library chooses from.
class AlgorithmSet {
  public:
    constexpr AlgorithmSet() = default;
    constexpr explicit AlgorithmSet(CollectiveAlgorithm only) : bits_{bit(only)} {}

    /// The algorithms of NCCL.
    static constexpr AlgorithmSet nccl() {
        AlgorithmSet set;
        set.bits_ = ~bit(CollectiveAlgorithm::halving_doubling);
        return set;
    }

    [[nodiscard]] constexpr bool contains(CollectiveAlgorithm algorithm) const {
        return (bits_ & bit(algorithm)) != 0;
    }

    /// Whether the library may choose it for such a group. Of several algorithms, the hierarchical
    /// one runs only where a switch of the node adds (NVLink SHARP): else NCCL sends large buffers
    /// in rings.
    [[nodiscard]] bool offers(CollectiveAlgorithm algorithm, const GroupShape& shape) const;

  private:
    static constexpr std::uint32_t bit(CollectiveAlgorithm algorithm) {
        return std::uint32_t{1} << static_cast<unsigned>(algorithm);
    }

    std::uint32_t bits_{};
};

/// How a software stack uses its links.
struct CollectiveTuning {
    /// Multiplies the share of its rate that each link reaches (LinkLevel::efficiency); 1: as
    /// NCCL was measured. > 0
    double link_efficiency{1};

    /// The share that a link reaches which reached `share` in NCCL's measurements: at most all.
    [[nodiscard]] double reached(double share) const {
        return std::min(1.0, share * link_efficiency);
    }

    double phase_overlap{0.4}; ///< o of FORMULAS 4.6: share of the shorter phase not hidden, 0..1
    AlgorithmSet algorithms{AlgorithmSet::nccl()};
};

/// The parts of one collective's time.
struct CollectiveCost {
    CollectiveAlgorithm algorithm{};
    Seconds latency{}; ///< startup and hops: the time of an empty buffer
    Seconds intra{};   ///< traffic on the innermost level of the tree
    Seconds inter{};   ///< traffic on all other levels
    Seconds hidden{};  ///< the part of both that overlaps

    [[nodiscard]] Seconds total() const { return latency + intra + inter - hidden; }
};

/// Cost by one algorithm, or nothing where it does not apply (in-network reduction without such a
/// switch, a tree that gathers). volume as in collective_time; a group of one costs nothing.
std::optional<CollectiveCost> collective_cost(Collective kind,
                                              CollectiveAlgorithm algorithm,
                                              ByteVolume volume,
                                              const GroupShape& shape,
                                              const CollectiveTuning& tuning);

/// The cheapest of the tuning's algorithms that apply. Throws ModelError if none does.
CollectiveCost best_collective(Collective kind,
                               ByteVolume volume,
                               const GroupShape& shape,
                               const CollectiveTuning& tuning);

/// Time of one collective over `group`: as measured, if the tree has a measurement, else by the
/// best of the algorithms that apply (FORMULAS 4.6).
///
/// volume: the whole buffer S, as nccl-tests counts it (all-gather, reduce-scatter: per rank x n);
/// all-to-all: one rank's own buffer. >= 0. A group of one takes no time. Costs about 0.2 us.
/// Throws ModelError as group_shape and best_collective do.
Seconds collective_time(Collective kind,
                        ByteVolume volume,
                        CommGroup group,
                        const LocalityTree& tree,
                        const CollectiveTuning& tuning);

/// One message between two GPUs whose smallest common domain is `level`: latency + volume / rate.
Seconds
point_to_point_time(ByteVolume volume, const LinkLevel& level, const CollectiveTuning& tuning);

/// nccl-tests' factor from algorithm to bus bandwidth (FORMULAS 4.6): 2 (n-1) / n for all-reduce,
/// (n-1) / n for reduce-scatter, all-gather and all-to-all, 1 for broadcast. ranks: >= 1.
double bus_factor(Collective kind, std::int64_t ranks);

}} // namespace bursar::models
