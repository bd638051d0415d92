#include "reports/perfetto/trace_packets.hpp"

#include <utility>

#include <protozero/pbf_writer.hpp>

namespace bursar { inline namespace reports {
namespace {

constexpr std::uint32_t only_sequence = 1;

// Trace, TracePacket.
constexpr protozero::pbf_tag_type packet_tag = 1;
constexpr protozero::pbf_tag_type clocks_tag = 6;
constexpr protozero::pbf_tag_type timestamp_tag = 8;
constexpr protozero::pbf_tag_type sequence_tag = 10;
constexpr protozero::pbf_tag_type event_tag = 11;
constexpr protozero::pbf_tag_type descriptor_tag = 60;
// ClockSnapshot, and each of its clocks.
constexpr protozero::pbf_tag_type clock_tag = 1;
constexpr protozero::pbf_tag_type main_clock_tag = 2;
constexpr protozero::pbf_tag_type clock_id_tag = 1;
constexpr protozero::pbf_tag_type clock_time_tag = 2;
enum ClockId : int { realtime = 1, boottime = 6 }; // times of packets are of the second
// TrackDescriptor.
constexpr protozero::pbf_tag_type uuid_tag = 1;
constexpr protozero::pbf_tag_type track_name_tag = 2;
constexpr protozero::pbf_tag_type parent_tag = 5;
constexpr protozero::pbf_tag_type counter_tag = 8;
// CounterDescriptor.
constexpr protozero::pbf_tag_type unit_tag = 6;
// TrackEvent.
constexpr protozero::pbf_tag_type annotation_tag = 4;
constexpr protozero::pbf_tag_type type_tag = 9;
constexpr protozero::pbf_tag_type track_tag = 11;
constexpr protozero::pbf_tag_type category_tag = 22;
constexpr protozero::pbf_tag_type name_tag = 23;
constexpr protozero::pbf_tag_type count_tag = 30;
constexpr protozero::pbf_tag_type double_count_tag = 44;
constexpr protozero::pbf_tag_type flow_tag = 47;
// DebugAnnotation.
constexpr protozero::pbf_tag_type key_tag = 10;
constexpr protozero::pbf_tag_type integer_tag = 4;
constexpr protozero::pbf_tag_type double_tag = 5;
constexpr protozero::pbf_tag_type text_tag = 6;

enum EventType : int { slice_begin = 1, slice_end = 2, instant_event = 3, counter_event = 4 };

protozero::data_view view(std::string_view text) {
    return {text.data(), text.size()};
}

} // namespace

template <class Fill>
void TracePackets::put_packet(const Fill& fill) {
    packet_.clear();
    protozero::pbf_writer packet{packet_};
    fill(packet);
    packet.add_uint32(sequence_tag, only_sequence);
    inner_.clear();
    protozero::pbf_writer{inner_}.add_message(packet_tag, packet_);
    sink_.put(std::string_view{inner_});
}

template <class Fill>
void TracePackets::put_event(TrackId track, Duration at, int type, const Fill& fill) {
    event_.clear();
    protozero::pbf_writer event{event_};
    event.add_enum(type_tag, type);
    event.add_uint64(track_tag, track);
    fill(event);
    put_packet([&](protozero::pbf_writer& packet) {
        packet.add_uint64(timestamp_tag, static_cast<std::uint64_t>(at.count()) * 1'000'000);
        packet.add_message(event_tag, event_);
    });
}

void TracePackets::clocks(std::uint64_t zero_utc_ns) {
    put_packet([&](protozero::pbf_writer& packet) {
        packet.add_uint64(timestamp_tag, 0);
        protozero::pbf_writer snapshot{packet, clocks_tag};
        for (const auto& [id, ns] :
             {std::pair{boottime, std::uint64_t{0}}, std::pair{realtime, zero_utc_ns}}) {
            protozero::pbf_writer clock{snapshot, clock_tag};
            clock.add_uint32(clock_id_tag, static_cast<std::uint32_t>(id));
            clock.add_uint64(clock_time_tag, ns);
        }
        snapshot.add_enum(main_clock_tag, boottime);
    });
}

void TracePackets::track(TrackId id, TrackId parent, std::string_view name) {
    put_packet([&](protozero::pbf_writer& packet) {
        protozero::pbf_writer descriptor{packet, descriptor_tag};
        descriptor.add_uint64(uuid_tag, id);
        descriptor.add_string(track_name_tag, view(name));
        if (parent != 0)
            descriptor.add_uint64(parent_tag, parent);
    });
}

void TracePackets::counter_track(TrackId id,
                                 TrackId parent,
                                 std::string_view name,
                                 std::string_view unit) {
    put_packet([&](protozero::pbf_writer& packet) {
        protozero::pbf_writer descriptor{packet, descriptor_tag};
        descriptor.add_uint64(uuid_tag, id);
        descriptor.add_string(track_name_tag, view(name));
        descriptor.add_uint64(parent_tag, parent);
        protozero::pbf_writer counter{descriptor, counter_tag};
        counter.add_string(unit_tag, view(unit));
    });
}

void TracePackets::begin(TrackId track, Duration at, const TraceSlice& slice) {
    put_event(track, at, slice_begin, [&](protozero::pbf_writer& event) {
        for (const std::string_view category : slice.categories)
            event.add_string(category_tag, view(category));
        event.add_string(name_tag, view(slice.name));
        for (const TraceNote& note : slice.notes) {
            protozero::pbf_writer annotation{event, annotation_tag};
            annotation.add_string(key_tag, view(note.key));
            if (const auto* integer = std::get_if<std::int64_t>(&note.value))
                annotation.add_int64(integer_tag, *integer);
            else if (const auto* number = std::get_if<double>(&note.value))
                annotation.add_double(double_tag, *number);
            else
                annotation.add_string(text_tag, view(std::get<std::string_view>(note.value)));
        }
        if (slice.flow != 0)
            event.add_fixed64(flow_tag, slice.flow);
    });
}

void TracePackets::end(TrackId track, Duration at) {
    put_event(track, at, slice_end, [](protozero::pbf_writer&) {});
}

void TracePackets::instant(TrackId track,
                           Duration at,
                           std::string_view name,
                           std::string_view category) {
    put_event(track, at, instant_event, [&](protozero::pbf_writer& event) {
        event.add_string(category_tag, view(category));
        event.add_string(name_tag, view(name));
    });
}

void TracePackets::count(TrackId track, Duration at, std::int64_t value) {
    put_event(track, at, counter_event, [&](protozero::pbf_writer& event) {
        event.add_int64(count_tag, value);
    });
}

void TracePackets::count(TrackId track, Duration at, double value) {
    put_event(track, at, counter_event, [&](protozero::pbf_writer& event) {
        event.add_double(double_count_tag, value);
    });
}

}} // namespace bursar::reports
