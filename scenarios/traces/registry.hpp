#pragma once

#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/trace_builder.hpp"

namespace bursar {

/// What of a Trace, beside submit, duration and GPUs, a format has room for.
struct FormatHolds {
    bool dates{};
    bool names{};
    bool tenants{};
    bool states{};
    bool gpu_milli{};
    bool gpu_types{};
    bool cpu_and_memory{};
    bool priorities{};
};

/// One trace format: its name and what it can do.
struct TraceFormat {
    std::string_view name;
    std::string_view summary;
    /// Columns, with commas between, whose presence in the header line tells the format.
    std::string_view told_by;
    /// Feeds the whole file to the builder.
    void (*read)(ByteSource& bytes, TraceBuilder& trace);
    /// Writes a trace; nullptr: this format is only read.
    void (*write)(const Trace& trace, std::ostream& out){};
    FormatHolds holds{};
    /// For formats without a header line: does a file begin like this? nullptr: see `told_by`.
    bool (*begins_like)(std::string_view first_line){};
};

/// All formats, in the order in which they are tried on a file.
std::span<const TraceFormat> trace_formats();

/// The format called `name`. Throws ScenarioError that lists all and suggests the nearest; file:
/// for its place.
const TraceFormat& trace_format(std::string_view name, const std::string& file);

/// The first format that fits the beginning of a file. Throws ScenarioError when none does.
const TraceFormat& recognise_format(std::string_view beginning, const std::string& file);

} // namespace bursar
