#pragma once

#include <cstddef>

#include "reports/answer/answer.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// A table for people: its title, the labels of its columns over as many lines as they need, the
/// rows. Where it does not fit, columns that say the same in all rows are said once above it, and
/// columns of text are squeezed and their cells wrapped, as far as that goes.
void put_table(const AnswerTable& table, std::size_t width, TextSink& sink);

}} // namespace bursar::reports
