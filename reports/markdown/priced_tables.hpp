#pragma once

#include "reports/options.hpp"
#include "reports/result/result.hpp"
#include "reports/text/text_sink.hpp"

/// The tables of the bill in Markdown by which its reader can work it out again.
namespace bursar::inline reports {

/// What pools, kinds of purchase, months and tenants cost: GPU-hours x rate = dollars.
void put_priced_tables(TextSink& sink, const Result& result, const OutputOptions& options);

/// How long the measured jobs that finished waited, by tenant.
void put_waits_by_tenant(TextSink& sink, const Result& result, const OutputOptions& options);

/// The jobs that cost most, and what all others and idle capacity cost.
void put_costliest_jobs(TextSink& sink, const Result& result, const OutputOptions& options);

} // namespace bursar::inline reports
