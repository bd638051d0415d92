#pragma once

#include "reports/result/result.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {

/// The members `months` and `budgets` of summary.json; empty lists where there are none.
void write_budgets(const Result& result, JsonWriter& json);

}} // namespace bursar::reports
