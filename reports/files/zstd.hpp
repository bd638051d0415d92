#pragma once

#include <functional>

#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// Writes into `out` what `write` puts, as a file of zstd with a checksum: equal texts are equal
/// files. Throws ReportError where there is no memory for it, and whatever `out` throws.
void write_zstd(TextSink& out, const std::function<void(TextSink&)>& write);

}} // namespace bursar::reports
