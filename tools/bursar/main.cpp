#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/gpu/gpu.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/errors/scenario_error.hpp"

#include "reports/errors/report_error.hpp"

#include "tools/bursar/command.hpp"
#include "tools/bursar/messages.hpp"
#include "tools/bursar/simulation.hpp"
#include "tools/bursar/version.hpp"

namespace {

using bursar::ExitCode;

int fail(ExitCode code, const char* message) {
    bursar::say("{}\n", message);
    return static_cast<int>(code);
}

/// CLI11's own words, on the stream and with the code that they call for.
int finish_parse(const CLI::App& program, const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        return program.exit(error); // --help and --version: answers, on stdout
    }
    fmt::print(
        stderr, "bursar: {}\ntry \"bursar --help\" or \"bursar COMMAND --help\"\n", error.what());
    return static_cast<int>(ExitCode::usage_error);
}

std::vector<std::string> command_names(const CLI::App& program) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands({}))
        names.push_back(command->get_name());
    return names;
}

/// Whether a command takes words that are no names of commands.
bool takes_words(const CLI::App& command) {
    return !command.get_options([](const CLI::Option* option) { return option->get_positional(); })
                .empty();
}

/// The first word that should name a command, or one of a command's own, and does not; CLI11 would
/// say so without a suggestion.
std::optional<std::string> unknown_command(const CLI::App& program, int argc, char** argv) {
    const CLI::App* within = &program;
    std::string path;
    for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
        const std::vector<std::string> known = command_names(*within);
        if (known.empty() || takes_words(*within))
            return std::nullopt;
        const std::string name = argv[i];
        if (std::find(known.begin(), known.end(), name) == known.end())
            return fmt::format("bursar{}: unknown command {}; {}",
                               path,
                               bursar::in_quotes(name),
                               bursar::suggestion(name, known));
        path += ' ' + name;
        within = within->get_subcommand(name);
    }
    return std::nullopt;
}

int run_program(int argc, char** argv) {
    CLI::App program{"bursar: what a GPU cluster costs, exactly, and who waits", "bursar"};
    program.require_subcommand(1);
    program.set_version_flag("--version", fmt::format("bursar {}", bursar::version));
    program.failure_message(CLI::FailureMessage::simple);
    for (const auto add_command : bursar::all_commands)
        add_command(program);
    if (const auto unknown = unknown_command(program, argc, argv))
        return fail(ExitCode::usage_error, unknown->c_str());
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return finish_parse(program, error);
    } catch (const bursar::ScenarioError& error) {
        return fail(ExitCode::usage_error, error.what());
    } catch (const bursar::BadResult& error) {
        return fail(ExitCode::usage_error, error.what());
    } catch (const bursar::ModelError& error) {
        return fail(ExitCode::usage_error, fmt::format("bursar: {}", error.what()).c_str());
    } catch (const bursar::UnknownFact& error) {
        return fail(ExitCode::usage_error, fmt::format("bursar: {}", error.what()).c_str());
    } catch (const bursar::SimulationError& error) {
        return fail(ExitCode::simulation_error, error.what());
    } catch (const bursar::ReportError& error) {
        return fail(ExitCode::simulation_error, error.what());
    } catch (const std::bad_alloc&) {
        return fail(ExitCode::simulation_error, "bursar: out of memory");
    } catch (const std::exception& error) {
        return fail(ExitCode::simulation_error, error.what());
    }
    return static_cast<int>(ExitCode::ok);
}

} // namespace

int main(int argc, char** argv) {
    try {
        const int code = run_program(argc, argv);
        std::cout.flush();
        if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            return fail(ExitCode::simulation_error, "bursar: standard output could not be written");
        return code;
    } catch (...) { // out of memory while saying so
        return static_cast<int>(ExitCode::simulation_error);
    }
}
