#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "models/units/host_device.hpp"

#include "sim/engine/capacity/free_nodes.hpp"
#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/run_options.hpp"

#include "policies/option.hpp"
#include "policies/placement/registry.hpp"

namespace bursar {

/// Any registered placement, chosen as a run starts: one instance of the engine serves them all.
class AnyPlacement {
  public:
    AnyPlacement() = default;
    BURSAR_HD explicit AnyPlacement(const PlacementSetting& setting) : setting_{setting} {}

    [[nodiscard]] BURSAR_HD std::int64_t score(const FleetView& fleet,
                                               const PlacedPiece& placed) const {
        std::int64_t score = 0;
        visit([&](const auto& policy) { score = policy.score(fleet, placed); });
        return score;
    }

    [[nodiscard]] BURSAR_HD NodeOrder order() const {
        NodeOrder order = NodeOrder::by_score;
        visit([&]<class P>(const P&) { order = P::traits.order; });
        return order;
    }

    [[nodiscard]] BURSAR_HD bool reads_jobs() const {
        bool reads = false;
        visit([&]<class P>(const P&) { reads = P::traits.reads_jobs; });
        return reads;
    }

    /// Of NodeOrder::from_a_node.
    [[nodiscard]] BURSAR_HD std::uint32_t first_node(std::uint32_t job,
                                                     std::uint32_t num_nodes) const {
        std::uint32_t node = 0;
        visit([&]<class P>(const P& policy) {
            if constexpr (P::traits.order == NodeOrder::from_a_node)
                node = policy.first_node(job, num_nodes);
        });
        return node;
    }

    /// Of a placement that places_by_count.
    [[nodiscard]] BURSAR_HD std::uint32_t rest_node(const FreeNodes& nodes,
                                                    std::uint32_t rest) const {
        std::uint32_t node = FreeNodes::none;
        visit([&]<class P>(const P& policy) {
            if constexpr (P::traits.rest_node)
                node = policy.rest_node(nodes, rest);
        });
        return node;
    }

  private:
    template <class Use>
    BURSAR_HD void visit(const Use& use) const {
        PlacementPolicies::at(setting_.policy, [&]<class P>(std::type_identity<P>) {
            use(*reinterpret_cast<const P*>(setting_.functor));
        });
    }

    PlacementSetting setting_;
};

/// Whether the placement called `name` can say where a gang's rest goes from numbers of free GPUs
/// alone.
inline bool places_by_count(std::string_view name) {
    bool by_count = false;
    PlacementPolicies::with(
        name, [&]<class P>(std::type_identity<P>) { by_count = P::traits.rest_node; });
    return by_count;
}

/// The placement called `name` with its options, for RunOptions. Precondition: it is registered.
/// seed: of the run, for a placement that draws.
inline PlacementSetting
placement_setting(std::string_view name, const PolicyOptions& options, std::uint64_t seed = 1) {
    PlacementSetting setting;
    setting.policy = PlacementPolicies::number_of(name);
    PlacementPolicies::at(setting.policy, [&]<class P>(std::type_identity<P>) {
        P policy = with_options<P>(options);
        if constexpr (P::traits.seed)
            policy.seed = seed;
        std::memcpy(setting.functor, &policy, sizeof policy);
    });
    return setting;
}

} // namespace bursar
