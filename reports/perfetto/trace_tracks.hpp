#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/perfetto/trace_packets.hpp"

/// Ids of tracks: a kind and a number.
namespace bursar { inline namespace reports {

inline constexpr TrackId queue_track = 1;
inline constexpr TrackId queue_jobs_track = 2;
inline constexpr TrackId queue_gpus_track = 3;
inline constexpr TrackId burn_track = 4;
inline constexpr TrackId cost_track = 5;

enum class PoolTrack : std::uint8_t { pool = 1, allocated, free, price };

inline TrackId track_of(PoolTrack kind, std::size_t pool) {
    return (static_cast<TrackId>(kind) << 40U) + pool;
}
inline TrackId node_track(std::size_t node) {
    return (TrackId{5} << 40U) + node;
}
/// The first of the lanes with that number.
inline TrackId lane_track(std::size_t lanes) {
    return (TrackId{6} << 40U) + (lanes << 20U);
}

/// Lanes of a node or a pool: one for each GPU of a node or, where nodes are not known, for each
/// place in a pool. A lane becomes a track when it is first taken.
class TraceLanes {
  public:
    /// first: the track of lane 0. usual: lanes that are GPUs; 0: they are places.
    TraceLanes(TrackId first, TrackId parent, std::uint32_t usual)
        : first_{first}, parent_{parent}, usual_{usual} {}

    /// Takes the first free lane.
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
