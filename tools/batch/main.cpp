#include <csignal>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "sim/plan_file/record.hpp"

#include "tools/batch/batch_command.hpp"
#include "tools/batch/gpus.hpp"
#include "tools/batch/make_batch.hpp"
#include "tools/batch/outcome_file.hpp"

namespace {

// tools/EXIT_CODES.md
constexpr int machine_failed = 1;
constexpr int wrong_input = 2;

int fail(int code, const std::string& message) {
    bursar::write_error_line(message);
    return code;
}

int list_gpus(const std::vector<bursar::BatchGpu>& gpus) {
    for (const bursar::BatchGpu& gpu : gpus)
        bursar::write_standard_output(gpu.name + "\n");
    return gpus.empty() ? fail(machine_failed, "bursar-batch: " + bursar::why_no_gpu()) : 0;
}

int run_program(const std::vector<std::string>& words) {
    try {
        std::string output;
        const std::optional<bursar::BatchCommand> options =
            bursar::read_batch_command(words, output);
        if (!options) {
            bursar::write_standard_output(output);
            return 0;
        }
        if (options->on == bursar::BatchOn::host && !options->lists_gpus)
            return bursar::make_batch(*options, {}); // no GPU is accessed
        const std::vector<bursar::BatchGpu> gpus = bursar::gpus(options->team);
        return options->lists_gpus ? list_gpus(gpus) : bursar::make_batch(*options, gpus);
    } catch (const bursar::BadCommandLine& wrong) {
        return fail(wrong_input, std::string{"bursar-batch: "} + wrong.what());
    } catch (const bursar::BadPlan& wrong) {
        return fail(wrong_input, wrong.what());
    } catch (const std::bad_alloc&) {
        return fail(machine_failed, "bursar-batch: out of memory");
    } catch (const std::exception& failed) {
        return fail(machine_failed, std::string{"bursar-batch: "} + failed.what());
    }
}

} // namespace

int main(int argc, char** argv) {
    // A write beyond the limit on file sizes fails like one to a full disk, instead of ending the
    // process.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return run_program({argv + 1, argv + argc});
    } catch (...) { // out of memory while printing the error
        return machine_failed;
    }
}
