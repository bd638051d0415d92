#pragma once

#include <string>

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What does not balance in the books of a result, or "". In a result that is right:
/// - every cell costs its time x the rate of its pool, or, where the price varies, no less and no
///   more than the pool ever does;
/// - the cells of a pool, but for what is billed past the end, hold and cost what its GPUs do over
///   the window: all of owned and reserved ones, of others (they can be given back) no more;
/// - where there are jobs, the allocated cells of a pool and tenant hold and cost what the attempts
///   of its jobs did inside the window, and as many started and finished as is said.
///
/// Asked of every run before anything is shown; a saved result has its hash instead.
[[nodiscard]] std::string mistake_in_books(const Result& result);

}} // namespace bursar::reports
