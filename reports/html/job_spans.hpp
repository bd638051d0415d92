#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/charts/row_chart.hpp"
#include "reports/result/result.hpp"

/// How charts draw and name the attempts of jobs.
namespace bursar { inline namespace reports {

/// "train of vision": a job and its tenant.
[[nodiscard]] std::string job_title(const Result& result, std::size_t job);

/// The colour of an attempt by its end. stopped: of an attempt that is not its job's last.
[[nodiscard]] std::string_view colour_of_attempt(JobState state, bool stopped);

/// The legend of the colours of attempts and waits, in a fixed order.
[[nodiscard]] std::vector<LegendEntry> legend_of_spans(const std::vector<ChartRow>& rows);

}} // namespace bursar::reports
