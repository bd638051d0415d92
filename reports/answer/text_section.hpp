#pragma once

#include <cstddef>

#include "reports/answer/answer.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// A section for people: its title, then label, number, unit and note in columns.
void put_section(const AnswerSection& section, std::size_t width, TextSink& sink);

}} // namespace bursar::reports
