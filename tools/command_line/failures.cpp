#include "tools/command_line/failures.hpp"

#include <new>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/gpu/gpu.hpp"

#include "sim/plan_file/record.hpp"

#include "scenarios/errors/scenario_error.hpp"

#include "reports/errors/report_error.hpp"
#include "reports/files/input_files.hpp"

#include "tools/simulate/simulation_error.hpp"

namespace bursar { inline namespace tools {

FailureReport failure_report(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const UsageError& wrong) {
        return {ExitCode::usage_error, wrong.what()};
    } catch (const ScenarioError& wrong) {
        return {ExitCode::usage_error, wrong.what()};
    } catch (const BadPlan& wrong) {
        return {ExitCode::usage_error, wrong.what()};
    } catch (const BadResult& wrong) {
        return {ExitCode::usage_error, wrong.what()};
    } catch (const OutputIsInput& wrong) {
        return {ExitCode::usage_error, wrong.what()};
    } catch (const InputTooLarge& wrong) {
        return {ExitCode::usage_error, wrong.what()};
    } catch (const ModelError& wrong) {
        return {ExitCode::usage_error, fmt::format("bursar: {}", wrong.what())};
    } catch (const UnknownFact& wrong) {
        return {ExitCode::usage_error, fmt::format("bursar: {}", wrong.what())};
    } catch (const AssertionFailed& failed) {
        return {ExitCode::assertion_failed, failed.what()};
    } catch (const SweepIncomplete& incomplete) {
        return {ExitCode::sweep_incomplete, incomplete.what()};
    } catch (const std::bad_alloc&) {
        return {ExitCode::simulation_error, "bursar: out of memory"};
    } catch (const std::exception& failed) {
        return {ExitCode::simulation_error, failed.what()};
    }
}

}} // namespace bursar::tools
