#pragma once

#include <exception>
#include <string>

#include "tools/command_line/command.hpp"

namespace bursar { inline namespace tools {

/// The message and exit code for an exception (tools/EXIT_CODES.md).
struct FailureReport {
    ExitCode code{};
    std::string message;
};

[[nodiscard]] FailureReport failure_report(const std::exception_ptr& error);

}} // namespace bursar::tools
