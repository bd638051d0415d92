#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/perfetto/trace_packets.hpp"

namespace bursar { inline namespace reports {

/// Lanes of a node or a pool: one for each GPU of a node or, where nodes are not known, for each
/// place in a pool. A lane becomes a track when it is first taken.
class TraceLanes {
  public:
    /// first: the track of lane 0. usual: lanes that are GPUs; 0: they are places.
    TraceLanes(TrackId first, TrackId parent, std::uint32_t usual)
        : first_{first}, parent_{parent}, usual_{usual} {}

    /// The first lane that nobody has.
    TrackId take(TracePackets& out) {
        const auto free = std::ranges::find(taken_, false);
        const auto lane = static_cast<std::size_t>(free - taken_.begin());
        if (free == taken_.end()) {
            taken_.push_back(true);
            out.track(first_ + lane, parent_, name_of(lane));
        } else
            *free = true;
        return first_ + lane;
    }
    void give_back(TrackId lane) { taken_[lane - first_] = false; }

  private:
    [[nodiscard]] std::string name_of(std::size_t lane) const {
        if (usual_ == 0)
            return "place " + std::to_string(lane);
        return (lane < usual_ ? "GPU " : "shared ") + std::to_string(lane);
    }

    TrackId first_, parent_;
    std::uint32_t usual_;
    std::vector<bool> taken_;
};

}} // namespace bursar::reports
