#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/gpu/gpu.hpp"

#include "sim/plan_file/bad_plan.hpp"

#include "scenarios/errors/scenario_error.hpp"

#include "reports/errors/report_error.hpp"
#include "reports/files/input_files.hpp"

#include "tools/bursar/command.hpp"
#include "tools/bursar/messages.hpp"
#include "tools/bursar/options.hpp"
#include "tools/simulate/simulation_error.hpp"
#include "tools/simulate/version.hpp"

namespace {

using bursar::ExitCode;

int fail(ExitCode code, const char* message) {
    bursar::say("{}\n", message);
    return static_cast<int>(code);
}

int run_program(int argc, char** argv) {
    bursar::Program program{"bursar",
                            "bursar: simulate a GPU cluster and account for every paid GPU-hour",
                            fmt::format("bursar {}", bursar::version)};
    for (const auto add_command : bursar::all_commands)
        add_command(program.root());
    try {
        program.run(argc, argv);
    } catch (const bursar::UsageError& error) {
        return fail(ExitCode::usage_error, error.what());
    } catch (const bursar::ScenarioError& error) {
        return fail(ExitCode::usage_error, error.what());
    } catch (const bursar::BadPlan& error) {
        return fail(ExitCode::usage_error, error.what());
    } catch (const bursar::BadResult& error) {
        return fail(ExitCode::usage_error, error.what());
    } catch (const bursar::OutputIsInput& error) {
        return fail(ExitCode::usage_error, error.what());
    } catch (const bursar::ModelError& error) {
        return fail(ExitCode::usage_error, fmt::format("bursar: {}", error.what()).c_str());
    } catch (const bursar::UnknownFact& error) {
        return fail(ExitCode::usage_error, fmt::format("bursar: {}", error.what()).c_str());
    } catch (const bursar::AssertionFailed& error) {
        return fail(ExitCode::assertion_failed, error.what());
    } catch (const bursar::SweepIncomplete& error) {
        return fail(ExitCode::sweep_incomplete, error.what());
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
    // A limit on the size of files is told as a full disk is, not by the end of the process.
    std::signal(SIGXFSZ, SIG_IGN);
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
