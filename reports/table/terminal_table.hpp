#pragma once

#include "reports/options.hpp"
#include "reports/result/result.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// The bill for a terminal of `options.width` columns: where the money went, the total, the ratios,
/// what users felt, warnings and assumptions. Names come out with control characters neutralised.
void write_terminal_table(const Result& result, const OutputOptions& options, TextSink& sink);

}} // namespace bursar::reports
