#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "reports/charts/axis.hpp"
#include "reports/document/document.hpp"
#include "reports/html/time_bins.hpp"
#include "reports/result/result.hpp"

/// What the charts over the whole run have in common.
namespace bursar { inline namespace reports {

[[nodiscard]] Axis axis_of_time(const Result& result);

/// "Averages over 12 h."
[[nodiscard]] std::string averages_note(const TimeBins& time);

/// A label for each bin, of the marks of an axis of time; most are empty.
[[nodiscard]] std::vector<std::string> bin_labels(const Axis& axis, const TimeBins& time);

/// When each bin begins, in full.
[[nodiscard]] std::vector<std::string> bin_names(const Result& result, const TimeBins& time);

/// Its columns: when each bin begins, and the figures of each bin.
[[nodiscard]] ReportTable
table_over_time(const Result& result,
                const TimeBins& time,
                std::vector<std::string> titles,
                const std::function<std::vector<std::string>(const TimeBin&)>& figures);

/// The pools with most GPUs, in the order of the result.
[[nodiscard]] std::vector<std::size_t> largest_pools(const Result& result, std::size_t most);

/// To a tenth, with commas between thousands. value: >= 0.
[[nodiscard]] std::string tenths_text(double value);

}} // namespace bursar::reports
