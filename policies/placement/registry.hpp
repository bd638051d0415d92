#pragma once

#include "sim/engine/protocol.hpp"

#include "policies/describe/policy_list.hpp"
#include "policies/placement/best_fit.hpp"
#include "policies/placement/consolidated.hpp"
#include "policies/placement/dot_product.hpp"
#include "policies/placement/first_fit.hpp"
#include "policies/placement/fragmentation_descent.hpp"
#include "policies/placement/gpu_clustering.hpp"
#include "policies/placement/gpu_packing.hpp"
#include "policies/placement/random_node.hpp"
#include "policies/placement/topology.hpp"
#include "policies/placement/worst_fit.hpp"

namespace bursar { inline namespace policies {

/// Checks that a type is a described Placement.
template <class Policy>
struct ListedPlacement {
    static_assert(DescribedPolicy<Policy>,
                  "not described: a policy has a name, a summary, a cost and a source");
    static_assert(Placement<Policy>,
                  "not a Placement: see \"A placement\" in sim/engine/README.md");
    using Type = Policy;
};

template <class... Placements>
using PlacementList = PolicyList<typename ListedPlacement<Placements>::Type...>;

/// Every placement, in the order of `bursar policies`. This is the only list.
struct PlacementPolicies : PlacementList<Consolidated,
                                         FirstFit,
                                         BestFitDecreasing,
                                         WorstFit,
                                         DotProduct,
                                         FragmentationDescent,
                                         GpuPacking,
                                         GpuClustering,
                                         TopologyAware,
                                         RandomNode> {};

}} // namespace bursar::policies
