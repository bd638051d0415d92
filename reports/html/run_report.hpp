#pragma once

#include "reports/options.hpp"
#include "reports/result/result.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// Writes the report of a run as one page of HTML: the bill's sentences and figures, a chart for
/// each question about the run with its table, and what is assumed and not modelled. It shows the
/// same in every browser, with scripts off and on paper, and loads nothing. It looks at
/// `share_idle`, `top`, `static_charts` and `reproducible`.
void write_run_report(const Result& result, const OutputOptions& options, TextSink& sink);

}} // namespace bursar::reports
