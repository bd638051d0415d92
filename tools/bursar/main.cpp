#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string_view>

#include <fmt/format.h>

#include "tools/command_line/command.hpp"
#include "tools/command_line/failures.hpp"
#include "tools/command_line/messages.hpp"
#include "tools/command_line/options.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/simulate/build_version.hpp"

namespace {

using bursar::ExitCode;

int fail(ExitCode code, const char* message) {
    bursar::log("{}\n", message);
    return static_cast<int>(code);
}

int run_program(int argc, char** argv) {
    bursar::Program program{"bursar",
                            "bursar: simulate a GPU cluster and account for every paid GPU-hour",
                            fmt::format("bursar {}", bursar::build_version)};
    if (argc < 2 || argv[1] != std::string_view{"pages"}) // which describes all commands
        program.expect(argc, argv);
    for (const auto add_command : bursar::all_commands)
        add_command(program.root());
    try {
        program.run(argc, argv);
    } catch (...) {
        const bursar::FailureReport failure = bursar::failure_report(std::current_exception());
        return fail(failure.code, failure.message.c_str());
    }
    return static_cast<int>(ExitCode::ok);
}

} // namespace

int main(int argc, char** argv) {
    // Report a limit on file sizes like a full disk; the signal would end the process.
    std::signal(SIGXFSZ, SIG_IGN);
    bursar::take_closed_streams();
    try {
        const int code = run_program(argc, argv);
        std::cout.flush();
        const bool is_written = std::cout && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
        if (!is_written && code != static_cast<int>(ExitCode::simulation_error)) // not said yet
            return fail(ExitCode::simulation_error, bursar::unwritable_output);
        return code;
    } catch (...) { // out of memory while reporting
        return static_cast<int>(ExitCode::simulation_error);
    }
}
