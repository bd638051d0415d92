#pragma once

#include "reports/bill/leaf_sums.hpp"
#include "reports/result/result.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {

/// The member `exact` of summary.json: the numerators behind `cost` and `gpu_hours`, under the same
/// keys.
void write_exact(const Result& result, const LeafSums& sums, JsonWriter& json);

}} // namespace bursar::reports
