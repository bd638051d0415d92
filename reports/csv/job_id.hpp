#pragma once

#include "reports/result/result.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// The trace's name of a job, or its number from 0.
inline void put_job_id(TextSink& sink, const JobColumns& jobs, std::size_t job) {
    if (const auto name = jobs.name(job))
        put_csv_field(sink, *name);
    else
        sink.put_integer(job);
}

}} // namespace bursar::reports
