#pragma once

#include <cstddef>
#include <cstdint>

#include "reports/perfetto/trace_packets.hpp"

/// Ids of tracks: a kind, and a number of it.
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

}} // namespace bursar::reports
