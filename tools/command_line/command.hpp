#pragma once

#include <array>
#include <stdexcept>

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// Exit codes of the program (tools/EXIT_CODES.md).
enum class ExitCode : int {
    ok = 0,
    simulation_error = 1, ///< the run or the machine failed
    usage_error = 2,      ///< the command line or an input file is wrong
    assertion_failed = 3, ///< the answer is complete, but misses a condition
    sweep_incomplete = 4, ///< the answer is complete, but runs of the sweep have no result
};

/// An answer, already printed, misses a condition of the user.
class AssertionFailed : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Runs of a sweep have no result; those of the others are already printed.
class SweepIncomplete : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Each adds one subcommand to the program. Its action throws on failure.
void add_run_command(Command program);
void add_check_command(Command program);
void add_compile_command(Command program);
void add_compare_command(Command program);
void add_sweep_command(Command program);
void add_merge_command(Command program);
void add_report_command(Command program);
void add_diff_command(Command program);
void add_trace_command(Command program);
void add_market_command(Command program);
void add_model_command(Command program);
void add_catalog_command(Command program);
void add_policies_command(Command program);
void add_schema_command(Command program);
void add_demo_command(Command program);
void add_pages_command(Command program);

/// Every subcommand, in the order of the help text.
inline constexpr std::array<void (*)(Command), 16> all_commands{add_run_command,
                                                                add_check_command,
                                                                add_compile_command,
                                                                add_compare_command,
                                                                add_sweep_command,
                                                                add_merge_command,
                                                                add_report_command,
                                                                add_diff_command,
                                                                add_trace_command,
                                                                add_market_command,
                                                                add_model_command,
                                                                add_catalog_command,
                                                                add_policies_command,
                                                                add_schema_command,
                                                                add_demo_command,
                                                                add_pages_command};

}} // namespace bursar::tools
