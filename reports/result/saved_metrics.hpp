#pragma once

#include "sim/record/metrics.hpp"

/// The metrics in `result.json`, row by row of the metric table.
namespace bursar { inline namespace reports {

class JsonReader;
class JsonWriter;

void write_metrics(const Metrics& metrics, JsonWriter& json);

/// Throws BadResult. A metric that was added after the file was saved keeps its initial value.
[[nodiscard]] Metrics read_metrics(const JsonReader& in);

}} // namespace bursar::reports
