#pragma once

#include "reports/registry.hpp"

namespace bursar { inline namespace reports {

/// The bill as a workbook: by leaf, by pool and by tenant with sums that the spreadsheet works out,
/// the cells behind them, months, every scalar, and what was run.
OutputWriter write_bill_xlsx;

}} // namespace bursar::reports
