#pragma once

#include <string_view>

#include "scenarios/traces/trace_format.hpp"

namespace bursar { inline namespace scenarios {

/// What Slurm's `sacct --parsable2` prints, columns by name and in any order: JobID (or JobIDRaw),
/// Submit, Elapsed (or ElapsedRaw), State and AllocTRES (or ReqTRES), and, where they are there,
/// Start, End, Account (else User) as the tenant, and Timelimit (or TimelimitRaw). Between columns
/// stands what stands behind the first one.
///
/// Left out and counted: steps of jobs, jobs that never started or are not over, the earlier runs
/// of a job that was requeued (its submit is the first one's), and a job that the file has already
/// had.
void read_sacct(ByteSource& bytes, TraceBuilder& trace);

/// Does it begin with a header line with a job, its state and its run time?
bool begins_like_sacct(std::string_view beginning);

inline constexpr TraceFormat sacct_format{
    .name = "sacct", .read = read_sacct, .begins_like = begins_like_sacct};

}} // namespace bursar::scenarios
