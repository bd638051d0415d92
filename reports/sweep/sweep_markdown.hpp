#pragma once

#include "reports/answer/answer.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// The answer of a sweep as GitHub-flavoured Markdown: the headline, each table with its units, and
/// the values of each section.
void write_sweep_markdown(const Answer& answer, TextSink& sink);

}} // namespace bursar::reports
