#pragma once

#include <cstdint>

namespace bursar { inline namespace sim {

/// How a placement chooses nodes.
enum class NodeOrder : std::uint8_t {
    by_score,    ///< the node of least score, ties to the lowest number
    from_a_node, ///< the first with room from a drawn node on, wrapping around the pool
    by_group     ///< by score inside the narrowest locality group that holds the gang, the one with
                 ///< the least free first
};

/// Properties of a placement, as `static constexpr PlacementTraits traits{...}`; protocol.hpp
/// checks that it has the members required by them.
struct PlacementTraits {
    NodeOrder order{NodeOrder::by_score}; ///< from_a_node: `first_node(job, num_nodes) -> node`
    bool rest_node{};   ///< `rest_node(FreeNodes, rest) -> node`: needs only numbers of free GPUs
    bool seed{};        ///< it draws: `seed` is set to the run's
    bool reads_jobs{};  ///< it reads FleetView::jobs_of_shape
    bool reads_kinds{}; ///< it reads NodeView::kinds
};

}} // namespace bursar::sim
