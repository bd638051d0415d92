#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/units/units.hpp"

#include "reports/text/text_sink.hpp"

namespace bursar::inline reports {

/// A track of a trace: nodes, GPUs, counters. Ids are > 0 and differ.
using TrackId = std::uint64_t;

/// What a slice or an instant says beside its name.
struct TraceNotes {
    std::string_view category;
    std::uint64_t flow{}; ///< of which its arrows are; 0: none
    std::string_view tenant;
    std::int64_t gpus{};
    std::int64_t attempt{};
};

/// Writes the packets of a Perfetto trace (protobuf; field numbers of perfetto's trace_packet.proto
/// and track_event.proto), one after the other: at most one is held in memory.
class TracePackets {
  public:
    explicit TracePackets(TextSink& sink) : sink_{sink} {}

    /// parent: 0: none.
    void track(TrackId id, TrackId parent, std::string_view name);
    void counter_track(TrackId id, TrackId parent, std::string_view name);

    void begin(TrackId track, Duration at, std::string_view name, const TraceNotes& notes);
    void end(TrackId track, Duration at);
    void instant(TrackId track, Duration at, std::string_view name, std::string_view category);
    void count(TrackId track, Duration at, std::int64_t value);
    void count(TrackId track, Duration at, double value);

  private:
    template <class Fill>
    void put_packet(const Fill& fill);
    template <class Fill>
    void put_event(TrackId track, Duration at, int type, const Fill& fill);

    TextSink& sink_;
    std::string packet_, event_, inner_; ///< scratch
};

} // namespace bursar::inline reports
