#pragma once

#include <iosfwd>
#include <string_view>

#include "scenarios/traces/trace_format.hpp"

namespace bursar { inline namespace scenarios {

/// Standard Workload Format (Feitelson, Parallel Workloads Archive, version 2.2): 18 numbers a
/// line with blanks between, `;` begins a comment, -1 is unknown. Read: job (1), submit s (2), run
/// time s (4), processors used (5), else asked for (8), as GPUs, status (11: 1 completed, 0 failed,
/// 5 cancelled, -1 completed), user (12; the tenant "user N", or "unknown"). A header comment
/// `; UnixStartTime: N` gives the instant of 0 s; N = 0 says nothing.
void read_swf(ByteSource& bytes, TraceBuilder& trace);

/// Tenants "user N" keep N, otherwise users are numbered from 1; jobs whose names are not all
/// numbers are numbered from 1. Dates are kept to the second that the header comment can hold.
void write_swf(const Trace& trace, std::ostream& out);

/// Is this the first line of such a file: a comment, or 18 fields?
bool begins_like_swf(std::string_view beginning);

inline constexpr TraceFormat swf_format{
    .name = "swf",
    .read = read_swf,
    .write = write_swf,
    .begins_like = begins_like_swf,
    .holds = {
        .dates = true, .names = true, .tenants = true, .states = true, .requested_times = true}};

}} // namespace bursar::scenarios
