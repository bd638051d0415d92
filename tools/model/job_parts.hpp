#pragma once

#include <cstdint>
#include <vector>

#include "models/training/job/stack_profile.hpp"
#include "models/training/job/transformer.hpp"
#include "models/training/search/layout_search.hpp"
#include "models/training/search/layout_space.hpp"

#include "reports/document/document.hpp"

#include "tools/model/job_options.hpp"

namespace bursar { inline namespace tools {

/// A transformer's job and its layout, under the key "job".
[[nodiscard]] Facts job_section(const JobQuestion& asked);

/// Error of this profile's step times for such a network, as a value of an answer.
[[nodiscard]] Fact held_out_error(const StackProfile& profile, const Transformer& model);

/// The same for a network without any measurement.
[[nodiscard]] Fact untested_error(const StackProfile& profile);

/// A layout with its step and memory, as columns of a table and as cells of one row.
[[nodiscard]] const std::vector<ReportColumn>& layout_columns();
[[nodiscard]] std::vector<Cell> layout_cells(const RankedLayout& ranked);

/// Layouts that a search timed and excluded, under the key "search".
[[nodiscard]] Facts
search_section(std::int64_t evaluated, std::int64_t by_rule, std::int64_t by_memory);

}} // namespace bursar::tools
