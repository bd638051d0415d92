#pragma once

#include "reports/options.hpp"
#include "reports/result/result.hpp"
#include "reports/text/text_sink.hpp"

/// The CSV files: RFC 4180 quoting, a header line, "." decimals, lines ended by LF. Columns are
/// described in reports/OUTPUTS.md; a column that does not apply to a row is empty.
namespace bursar {

void write_gpu_hours_csv(const Result& result, const OutputOptions& options, TextSink& sink);
void write_jobs_csv(const Result& result, const OutputOptions& options, TextSink& sink);
void write_attempts_csv(const Result& result, const OutputOptions& options, TextSink& sink);
void write_timeline_csv(const Result& result, const OutputOptions& options, TextSink& sink);
void write_tenants_csv(const Result& result, const OutputOptions& options, TextSink& sink);

} // namespace bursar
