#pragma once

#include "sim/record/metrics.hpp"

#include "reports/result/json_reader.hpp"

namespace bursar {

/// The metrics of a saved result. Throws BadResult.
[[nodiscard]] Metrics read_metrics(const JsonReader& in);

} // namespace bursar
