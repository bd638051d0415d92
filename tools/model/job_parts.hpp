#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/training/job/cluster.hpp"
#include "models/training/job/stack_profile.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/search/layout_search.hpp"
#include "models/training/search/layout_space.hpp"

#include "scenarios/catalog/step_errors.hpp"

#include "reports/document/document.hpp"

#include "tools/model/job_options.hpp"

namespace bursar { inline namespace tools {

/// A transformer's job and its layout, under the key "job".
[[nodiscard]] Facts job_section(const JobQuestion& asked);

/// How sure the step time of a transformer is. is_stack_known: named, or that of a framework.
[[nodiscard]] StepError step_error_of(const TrainingJob& job,
                                      const Cluster& cluster,
                                      const StackProfile& profile,
                                      bool is_stack_known);

/// The 80 % range of step time, duration and cost, as shares of them: under the keys `key`_low and
/// `key`_high. Absent: not known.
void add_range(Facts& section,
               const std::string& key,
               const std::string& label,
               const std::optional<StepError>& error);

/// The 80 % ranges of the step time and the rates of `figures`, under the key "range".
[[nodiscard]] Facts range_section(const Facts& figures, const std::optional<StepError>& error);

/// The same range as columns of a table that programs read, and as cells of one row.
[[nodiscard]] const std::vector<ReportColumn>& range_columns();
[[nodiscard]] std::vector<Cell> range_cells(const StepError& error);

/// A layout with its step and memory, as columns of a table and as cells of one row.
[[nodiscard]] const std::vector<ReportColumn>& layout_columns();
[[nodiscard]] std::vector<Cell> layout_cells(const RankedLayout& ranked);

/// Layouts that a search timed and excluded, under the key "search".
[[nodiscard]] Facts
search_section(std::int64_t evaluated, std::int64_t by_rule, std::int64_t by_memory);

}} // namespace bursar::tools
