#pragma once

#include "reports/repeats/repeats.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {

/// Members of the open object: n, mean, sd, min, max and the 95 % interval of the mean; null where
/// there are too few runs for them.
void write_statistics(const RepeatedScalar& scalar, JsonWriter& json);

}} // namespace bursar::reports
