#pragma once

#include "reports/options.hpp"
#include "reports/result/result.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// The bill for a terminal of `options.width` columns: where the money went, the total, the ratios,
/// waits and JCTs, warnings and assumptions. Names come out with control characters neutralised.
void write_terminal_table(const Result& result, const OutputOptions& options, TextSink& sink);

/// The bill as GitHub-flavoured Markdown: the rows of the terminal table, what pools, purchases,
/// months, tenants and the dearest jobs cost at which rate, waits by tenant, the metrics, and the
/// same GPU-hours as Slurm and Google count them. Names are escaped: none of them is markup.
void write_markdown(const Result& result, const OutputOptions& options, TextSink& sink);

}} // namespace bursar::reports
