#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "models/units/units.hpp"

#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// A track of a trace: nodes, GPUs, counters. Ids are > 0 and differ.
using TrackId = std::uint64_t;

/// An annotation of a slice.
struct TraceNote {
    std::string_view key;
    std::variant<std::int64_t, double, std::string_view> value;
};

/// A slice that begins.
struct TraceSlice {
    std::string_view name;
    std::span<const std::string_view> categories;
    std::span<const TraceNote> notes;
    std::uint64_t flow{}; ///< slices with the same flow are joined by arrows; 0: none
};

/// Writes the packets of a Perfetto trace (protobuf; field numbers of perfetto's trace_packet.proto
/// and track_event.proto) one by one: at most one is in memory.
class TracePackets {
  public:
    explicit TracePackets(TextSink& sink) : sink_{sink} {}

    /// Ties the times of the trace to dates: the zero, in nanoseconds since 1970-01-01T00:00Z.
    void clocks(std::uint64_t zero_utc_ns);
    /// parent: 0: none.
    void track(TrackId id, TrackId parent, std::string_view name);
    /// unit: of the counter, for readers.
    void counter_track(TrackId id, TrackId parent, std::string_view name, std::string_view unit);

    void begin(TrackId track, Duration at, const TraceSlice& slice);
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

}} // namespace bursar::reports
