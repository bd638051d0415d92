#pragma once

#include <exception>
#include <string>

#include "tools/command_line/command.hpp"

namespace bursar { inline namespace tools {

/// What a user is told of an exception, and with which exit code (tools/EXIT_CODES.md).
struct ToldFailure {
    ExitCode code{};
    std::string message;
};

[[nodiscard]] ToldFailure told_failure(const std::exception_ptr& error);

}} // namespace bursar::tools
