#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/capacity/free_nodes.hpp"
#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/placement_traits.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace policies {

struct PlacementPolicies; // the list: registry.hpp

/// Any placement of the list, chosen at the start of a run. One instance of the engine serves them
/// all without including them, so a changed placement does not recompile the engine. The functions
/// are compiled once for the host (placement_setting.cpp); kernels take any_placement_body.hpp.
template <class Placements>
class AnyPlacementOf {
  public:
    AnyPlacementOf() = default;
    BURSAR_HD explicit AnyPlacementOf(const PlacementSetting& setting) : setting_{setting} {}

    [[nodiscard]] BURSAR_HD std::int64_t score(const FleetView& fleet,
                                               const PlacedPiece& placed) const;
    [[nodiscard]] BURSAR_HD NodeOrder order() const;
    [[nodiscard]] BURSAR_HD bool reads_jobs() const;
    [[nodiscard]] BURSAR_HD bool reads_kinds() const;
    /// Precondition: order() is NodeOrder::from_a_node.
    [[nodiscard]] BURSAR_HD std::uint32_t first_node(JobId job, std::uint32_t num_nodes) const;
    /// Precondition: places_by_count() (placement_setting.hpp).
    [[nodiscard]] BURSAR_HD std::uint32_t rest_node(const FreeNodes& nodes,
                                                    std::uint32_t rest) const;

  private:
    template <class Use>
    BURSAR_HD void visit(const Use& use) const;

    PlacementSetting setting_;
};

using AnyPlacement = AnyPlacementOf<PlacementPolicies>;

}} // namespace bursar::policies
