#pragma once

#include "reports/document/document.hpp"
#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_table.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// A row per run with every scalar, as `bursar run` has it: number, scenario_hash, seed, status,
/// message, a column per path, fingerprint, end_s, common_end_s, cost_past_end_usd,
/// cost.to_common_end, and the scalars by their names. What a run took is in the database alone:
/// equal sweeps write equal bytes.
void write_sweep_csv(const SweepTable& table, TextSink& sink);

/// Writes a sweep as one page of HTML, in html/: which scenarios no other
/// beats, what each is made of, which axis moves what, and the first metric over the first two
/// axes; then the tables of `answer`, which is sweep_answer(table, question).
void write_sweep_html(const SweepTable& table,
                      const SweepQuestion& question,
                      const Document& answer,
                      TextSink& sink);

}} // namespace bursar::reports
