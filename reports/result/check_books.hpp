#pragma once

#include <string>

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// The first mistake in the books of a result, or "". In a correct result:
/// - the cost of a cell is its time x the rate of its pool, or, where the price varies, between its
///   time x the lowest and the highest price;
/// - the cells of a pool, without those billed past the end, add up to the time and cost of its
/// GPUs
///   over the window; in on-demand and spot pools, which can be given back, to no more;
/// - if there are jobs, the allocated cells of a pool and tenant add up to the time and cost of its
///   attempts inside the window, and the numbers of started and finished jobs are right.
///
/// Every run is checked before anything is shown. A saved result has its hash instead.
[[nodiscard]] std::string mistake_in_books(const Result& result);

}} // namespace bursar::reports
