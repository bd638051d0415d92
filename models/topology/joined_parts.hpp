#pragma once

#include <cstddef>

#include <boost/pending/disjoint_sets.hpp>

#include "models/topology/fabric.hpp"
#include "models/topology/locality.hpp"

namespace bursar { inline namespace models {

/// The connected parts of the links added so far: a union-find over the devices of a fabric. For
/// sources of this folder only, because it includes Boost.
class JoinedParts {
  public:
    explicit JoinedParts(const Fabric& fabric) : parts_(fabric.devices.size()) {
        for (std::size_t device = 0; device < fabric.devices.size(); ++device)
            parts_.make_set(device);
    }

    void join(const FabricLink& link) { parts_.union_set(link.from, link.to); }

    [[nodiscard]] bool are_joined(std::size_t one, std::size_t other) {
        return parts_.find_set(one) == parts_.find_set(other);
    }

    /// Whether every group of a level has all its GPUs in one part.
    [[nodiscard]] bool joins_groups(const Locality& locality, const LocalityLevel& level) {
        for (std::size_t i = 1; i < locality.gpus.size(); ++i) {
            const bool same_group = level.group_of_unit[i / locality.gpus_per_unit] ==
                                    level.group_of_unit[(i - 1) / locality.gpus_per_unit];
            if (same_group && !are_joined(locality.gpus[i], locality.gpus[i - 1]))
                return false;
        }
        return true;
    }

  private:
    boost::disjoint_sets_with_storage<> parts_;
};

}} // namespace bursar::models
