#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {

/// The fields of a line of sacct.
struct SacctFields {
    std::size_t job{};
    std::size_t submit{};
    std::size_t elapsed{};
    bool elapsed_is_raw{}; ///< seconds, not hours:minutes:seconds
    std::size_t state{};
    std::size_t tres{};
    bool tres_is_gres{}; ///< AllocGRES of Slurm before 20.11: "gpu:a100:2"
    std::optional<std::size_t> cpus, start, end, tenant, limit;
    bool limit_is_raw{}; ///< minutes
};

/// How the lines of a file of sacct are split, and what their fields are.
struct SacctTable {
    std::vector<std::string> names;        ///< of the columns; empty: one without a name
    std::vector<std::string_view> read_as; ///< by column; empty: not read
    SacctFields fields;
    std::string delimiter;
    bool ends_open{};  ///< --parsable, unlike --parsable2, ends each line with a delimiter
    bool has_header{}; ///< the first line has the names

    void split(std::string_view line, std::vector<std::string_view>& into) const;
};

/// The columns by the header in `first_line`, or by the positions in `options.columns`, if there
/// are any: {"JobID": "1", "State": "6"}. Throws ScenarioError with all columns that are missing.
SacctTable sacct_table(std::string_view first_line, const TraceOptions& options);

/// Whether it is a header line with a job, its state, and its run time or exit code.
bool is_sacct_header(std::string_view line);

/// Whether it is a job's line of `sacct --noheader --parsable2`: one field is a state of Slurm.
bool is_sacct_line(std::string_view line);

/// Whether `text`, of the column State, is one of Slurm's states: "CANCELLED by 1000".
bool is_slurm_state(std::string_view text);

/// What sacct is to print.
inline constexpr std::string_view sacct_format_option =
    "--format=JobID,Submit,Start,End,Elapsed,State,AllocTRES,Account,Timelimit";

}} // namespace bursar::scenarios
