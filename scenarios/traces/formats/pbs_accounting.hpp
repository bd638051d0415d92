#pragma once

#include <string_view>

#include "scenarios/traces/trace_format.hpp"

namespace bursar { inline namespace scenarios {

/// Accounting logs of PBS (OpenPBS, PBS Professional, Torque): lines of
/// `month/day/year time;type;job;key=value ...`. The record of type E, written as a job ends, is
/// the job: ctime (submit), start and end in seconds since 1970, Resource_List (ngpus, else select,
/// else nodes; ncpus, mem, walltime), user, Exit_status. Records of other types are left out and
/// counted; one of type D says that a user ended the job.
void read_pbs_accounting(ByteSource& bytes, TraceBuilder& trace);

/// Does it begin with a line of such a log?
bool begins_like_pbs_accounting(std::string_view beginning);

inline constexpr TraceFormat pbs_accounting_format{.name = "pbs-accounting",
                                                   .read = read_pbs_accounting,
                                                   .begins_like = begins_like_pbs_accounting};

}} // namespace bursar::scenarios
