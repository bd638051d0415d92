#pragma once

#include <cstdint>
#include <type_traits>

#include "policies/placement/any_placement.hpp"
#include "policies/placement/registry.hpp"

namespace bursar { inline namespace policies {

template <class Placements>
template <class Use>
BURSAR_HD void AnyPlacementOf<Placements>::visit(const Use& use) const {
    Placements::at(setting_.policy, [&]<class P>(std::type_identity<P>) {
        use(*reinterpret_cast<const P*>(setting_.functor));
    });
}

template <class Placements>
BURSAR_HD std::int64_t AnyPlacementOf<Placements>::score(const FleetView& fleet,
                                                         const PlacedPiece& placed) const {
    std::int64_t score = 0;
    visit([&](const auto& policy) { score = policy.score(fleet, placed); });
    return score;
}

template <class Placements>
BURSAR_HD NodeOrder AnyPlacementOf<Placements>::order() const {
    NodeOrder order = NodeOrder::by_score;
    visit([&]<class P>(const P&) { order = P::traits.order; });
    return order;
}

template <class Placements>
BURSAR_HD bool AnyPlacementOf<Placements>::reads_jobs() const {
    bool reads = false;
    visit([&]<class P>(const P&) { reads = P::traits.reads_jobs; });
    return reads;
}

template <class Placements>
BURSAR_HD bool AnyPlacementOf<Placements>::reads_kinds() const {
    bool reads = false;
    visit([&]<class P>(const P&) { reads = P::traits.reads_kinds; });
    return reads;
}

template <class Placements>
BURSAR_HD std::uint32_t AnyPlacementOf<Placements>::first_node(JobId job,
                                                               std::uint32_t num_nodes) const {
    std::uint32_t node = 0;
    visit([&]<class P>(const P& policy) {
        if constexpr (P::traits.order == NodeOrder::from_a_node)
            node = policy.first_node(job, num_nodes);
    });
    return node;
}

template <class Placements>
BURSAR_HD std::uint32_t AnyPlacementOf<Placements>::rest_node(const FreeNodes& nodes,
                                                              std::uint32_t rest) const {
    std::uint32_t node = FreeNodes::none;
    visit([&]<class P>(const P& policy) {
        if constexpr (P::traits.rest_node)
            node = policy.rest_node(nodes, rest);
    });
    return node;
}

}} // namespace bursar::policies
