#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/traces/text/text_row.hpp"

namespace bursar { inline namespace scenarios {

/// A field of a record of LSF.
struct LsbField {
    std::string text; ///< without quotes; two quotes inside are one
    bool quoted{};
    std::uint64_t column{}; ///< of its first byte, from 1
};

/// The fields of a line. Absent if a quote is not closed.
std::optional<std::vector<LsbField>> split_lsb_fields(std::string_view line);

/// The fields of a JOB_FINISH record.
struct LsbJob {
    std::string name; ///< "123", "123[4]" of an array
    LsbField end, id, submit, start, user, status, exit_info, requirement;
    std::int64_t slots{};
    std::int64_t hosts{};
};

/// Finds the fields of a JOB_FINISH record by their documented order. Absent for a record that is
/// too short or has words instead of numbers; `broken_at` is then the column of the first such
/// field.
std::optional<LsbJob> find_lsb_job(const std::vector<LsbField>& fields, std::uint64_t& broken_at);

/// GPUs of a job whose effective resource requirement is `requirement`; 0 without GPUs. Absent if
/// its number is malformed, and for a compound of several parts (`2*{rusage[...]}+1*{rusage[...]}`)
/// that names GPUs.
std::optional<std::int64_t>
gpus_of_requirement(std::string_view requirement, std::int64_t hosts, std::int64_t slots);

}} // namespace bursar::scenarios
