#pragma once

#include "reports/options.hpp"
#include "reports/result/result.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// `summary.json`: every scalar of a result. Keys are described in reports/OUTPUTS.md.
void write_summary_json(const Result& result, const OutputOptions& options, TextSink& sink);

}} // namespace bursar::reports
