#pragma once

#include <string_view>

#include "scenarios/traces/trace_format.hpp"

namespace bursar { inline namespace scenarios {

/// LSF's lsb.acct: a record a line, fields between blanks, texts in double quotes. A JOB_FINISH
/// record is a job: by its documented order of fields the job's id and array index, submit, start
/// and event time (its end) in seconds since 1970, user, hosts and status. GPUs are those of the
/// effective resource requirement (`rusage[ngpus_physical=2]`), which count per host unless /task
/// or /job follows. Records of other types, jobs that never started and requeued ones are left out.
void read_lsb_acct(ByteSource& bytes, TraceBuilder& trace);

/// Does it begin with the type of such a record?
bool begins_like_lsb_acct(std::string_view beginning);

inline constexpr TraceFormat lsb_acct_format{
    .name = "lsb-acct", .read = read_lsb_acct, .begins_like = begins_like_lsb_acct};

}} // namespace bursar::scenarios
