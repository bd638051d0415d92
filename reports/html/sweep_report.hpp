#pragma once

#include "reports/document/document.hpp"
#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_table.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// Writes a sweep as one page of HTML, as write_run_report does a run: which scenarios no other
/// beats, what each is made of, which axis moves what, and the first metric over the first two
/// axes; then the tables of `answer`, which is sweep_answer(table, question). table: paid to each
/// run's own end.
void write_sweep_html(const SweepTable& table,
                      const SweepQuestion& question,
                      const Document& answer,
                      TextSink& sink);

}} // namespace bursar::reports
