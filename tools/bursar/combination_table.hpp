#pragma once

#include <cstddef>

#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace tools {

/// Which queue orders run with each backfill and preemption, as a small table with its notes, at
/// most `width` columns wide.
void put_combinations(std::size_t width, TextSink& sink);

}} // namespace bursar::tools
