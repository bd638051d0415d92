#pragma once

#include <cstddef>

#include "reports/answer/answer.hpp"
#include "reports/text/text_sink.hpp"

/// The three ways to write an answer; render.hpp says what each looks like.
namespace bursar { inline namespace reports {

void write_answer_table(const Answer& answer, std::size_t width, TextSink& sink);
void write_answer_json(const Answer& answer, TextSink& sink);
void write_answer_csv(const Answer& answer, TextSink& sink);

}} // namespace bursar::reports
