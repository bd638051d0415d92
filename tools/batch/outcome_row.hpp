#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

namespace bursar { inline namespace tools {

/// What a run has in the table of answers.
enum class RowStatus : std::uint8_t {
    ok,
    refused, ///< the plan alone does not say what its run does, or no device has what runs it
    failed   ///< a device or the machine did
};

/// The columns that follow from an outcome, in order; their units are those of `exact` in
/// reports/OUTPUTS.md.
[[nodiscard]] const std::vector<std::string>& outcome_columns();

/// An outcome in those columns: equal outcomes, equal texts. plan: the one that was run.
[[nodiscard]] std::vector<std::string> outcome_fields(const Plan& plan, const Outcome& outcome);

/// Whether two outcomes of one plan are equal in all that those columns show.
[[nodiscard]] bool have_equal_rows(const Outcome& own, const Outcome& other);

[[nodiscard]] std::string_view name_of(RowStatus status);

/// The text as a field of CSV: in quotes where it needs them.
[[nodiscard]] std::string quoted_field(std::string_view text);

/// 16 hexadecimal digits, as files of bursar have hashes.
[[nodiscard]] std::string hash_digits(std::uint64_t hash);

}} // namespace bursar::tools
