#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/topology/fabric.hpp"
#include "models/topology/locality.hpp"

namespace bursar { inline namespace models {

/// How a bisection was found.
enum class BisectionMethod : std::uint8_t {
    max_flow,     ///< maximum flow between the two halves
    sampled_pair, ///< flow between the two largest parts of the group, for a fabric too large for
                  ///< a flow over all; limits shared by other parts are not seen
};

/// The bandwidth of one locality level: of its weakest group.
struct LevelRates {
    /// Widest path: bandwidth between two GPUs of a group with no other traffic, the least of all
    /// pairs. 0 if no group has two GPUs.
    ByteRate pair{};
    /// What each GPU of one half of a group can send to the other half when all do: maximum flow
    /// over GPUs of the smaller half. The halves are the first and the last of its parts (its
    /// groups of the next narrower level), as equal as whole parts allow; traffic keeps to the
    /// level's medium, and inside the group's enclosure if that is connected. 0 where no group has
    /// two GPUs.
    ByteRate bisection{};
    BisectionMethod method{BisectionMethod::max_flow};
    /// Latency of the fastest path from a group's first GPU to its farthest over the level's
    /// medium; absent if no group has two GPUs, or a link of the medium has no latency.
    std::optional<Seconds> latency;
    /// A GPU's share of its node's adapters over its bisection bandwidth, >= 1; absent if no
    /// adapter is crossed.
    std::optional<double> oversubscription;
};

/// The most links for a maximum flow; above it a bisection is sampled.
inline constexpr std::size_t max_flow_links = 1'000'000;

/// The rates of every level of `locality`, that of `fabric`. At each level groups that look alike
/// (GPUs, devices, bandwidth inside) are measured once.
///
/// Pairs: the minimum spanning tree argument (Hu 1961, "The maximum capacity route problem"):
/// adding links from the widest down, a group's widest path is the link that joins its last GPU.
[[nodiscard]] std::vector<LevelRates> level_rates(const Fabric& fabric, const Locality& locality);

/// The bisection of group `group` of level `level` alone, as above; 0 where it has one GPU.
/// flow_links: with more links it is sampled.
struct Bisection {
    ByteRate per_gpu{};
    BisectionMethod method{BisectionMethod::max_flow};
};
[[nodiscard]] Bisection bisection_of(const Fabric& fabric,
                                     const Locality& locality,
                                     std::size_t level,
                                     std::uint32_t group,
                                     std::size_t flow_links = max_flow_links);

}} // namespace bursar::models
