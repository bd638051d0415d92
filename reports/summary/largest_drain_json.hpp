#pragma once

#include "reports/bill/printed_bill.hpp"
#include "reports/result/result.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {

/// The member `largest_drain` of summary.json; null where there is none. bill: of the result.
void write_largest_drain(const Result& result, const PrintedBill& bill, JsonWriter& json);

}} // namespace bursar::reports
