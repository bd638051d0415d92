#pragma once

#include <cstdint>

namespace bursar { inline namespace sim {

/// How a placement goes about choosing nodes.
enum class NodeOrder : std::uint8_t {
    by_score,    ///< the node of least score, ties to the lowest number
    from_a_node, ///< the first with room from a drawn node on, round the pool
    by_group     ///< by score inside the narrowest locality group that holds the gang, the one with
                 ///< the least free first
};

/// What a placement says of itself, as `static constexpr PlacementTraits traits{...}`; protocol.hpp
/// holds that it has the members that go with it.
struct PlacementTraits {
    NodeOrder order{NodeOrder::by_score}; ///< from_a_node: `first_node(job, num_nodes) -> node`
    bool rest_node{};   ///< `rest_node(FreeNodes, rest) -> node`: numbers of free GPUs will do
    bool seed{};        ///< it draws: `seed` is set to the run's
    bool reads_jobs{};  ///< it looks at FleetView::jobs_of_shape
    bool reads_kinds{}; ///< it looks at NodeView::kinds
};

}} // namespace bursar::sim
