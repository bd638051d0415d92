#include "models/network/collective.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "models/errors/model_error.hpp"
#include "models/network/algorithms.hpp"
#include "models/network/measured_collectives.hpp"

namespace bursar { inline namespace models {
namespace {

constexpr std::size_t num_algorithms = algorithm_names.size();

template <class Enum, std::size_t n>
std::optional<Enum> find(const std::array<std::string_view, n>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        return std::nullopt;
    return static_cast<Enum>(found - names.begin());
}

} // namespace

std::optional<Collective> find_collective(std::string_view name) {
    return find<Collective>(collective_names, name);
}

std::optional<CollectiveAlgorithm> find_algorithm(std::string_view name) {
    return find<CollectiveAlgorithm>(algorithm_names, name);
}

std::optional<CollectiveCost> collective_cost(Collective kind,
                                              CollectiveAlgorithm algorithm,
                                              ByteVolume volume,
                                              const GroupShape& shape,
                                              const CollectiveTuning& tuning) {
    assert(volume.count() >= 0);
    if (shape.size == 0)
        return CollectiveCost{.algorithm = algorithm};
    const CollectiveCall call{kind, volume, shape, tuning};
    switch (algorithm) {
    case CollectiveAlgorithm::ring:
        return ring_cost(call);
    case CollectiveAlgorithm::tree:
        return tree_cost(call);
    case CollectiveAlgorithm::halving_doubling:
        return halving_doubling_cost(call);
    case CollectiveAlgorithm::in_network:
        return in_network_cost(call);
    case CollectiveAlgorithm::hierarchical:
        return hierarchical_cost(call);
    case CollectiveAlgorithm::direct:
        return direct_cost(call);
    case CollectiveAlgorithm::grouped:
        return grouped_cost(call);
    }
    return std::nullopt;
}

bool AlgorithmSet::offers(CollectiveAlgorithm algorithm, const GroupShape& shape) const {
    const bool is_only = bits_ == bit(algorithm);
    const bool needs_switch =
        algorithm == CollectiveAlgorithm::hierarchical && !is_only && shape.size > 1;
    return contains(algorithm) && (!needs_switch || shape.begin()->level->in_network_reduction);
}

CollectiveCost best_collective(Collective kind,
                               ByteVolume volume,
                               const GroupShape& shape,
                               const CollectiveTuning& tuning) {
    std::optional<CollectiveCost> best;
    for (std::size_t i = 0; i < num_algorithms; ++i) {
        const auto algorithm = static_cast<CollectiveAlgorithm>(i);
        if (!tuning.algorithms.offers(algorithm, shape))
            continue;
        const auto cost = collective_cost(kind, algorithm, volume, shape, tuning);
        if (cost && (!best || cost->total() < best->total()))
            best = cost;
    }
    if (!best)
        throw ModelError{"algorithm",
                         "no chosen algorithm does " +
                             std::string{collective_names[static_cast<std::size_t>(kind)]} +
                             " over this group",
                         "leave the choice to the model"};
    return *best;
}

Seconds collective_time(Collective kind,
                        ByteVolume volume,
                        CommGroup group,
                        const LocalityTree& tree,
                        const CollectiveTuning& tuning) {
    if (group.size == 1)
        return Seconds{0};
    if (tree.measured != nullptr && volume.count() > 0)
        if (const auto time = tree.measured->time(kind, volume, group, tree))
            return *time;
    return best_collective(kind, volume, group_shape(group, tree), tuning).total();
}

Seconds
point_to_point_time(ByteVolume volume, const LinkLevel& level, const CollectiveTuning& tuning) {
    assert(volume.count() >= 0);
    return level.latency + volume / (level.bandwidth * tuning.reached(level.efficiency));
}

double bus_factor(Collective kind, std::int64_t ranks) {
    assert(ranks >= 1);
    const double n = static_cast<double>(ranks);
    switch (kind) {
    case Collective::all_reduce:
        return 2 * (n - 1) / n;
    case Collective::reduce_scatter:
    case Collective::all_gather:
    case Collective::all_to_all:
        return (n - 1) / n;
    case Collective::broadcast:
        return 1;
    }
    return 1;
}

}} // namespace bursar::models
