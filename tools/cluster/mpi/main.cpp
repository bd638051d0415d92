#include <csignal>
#include <exception>
#include <iostream>

#include <fmt/format.h>

#include "tools/cluster/mpi/ranks.hpp"
#include "tools/cluster/mpi/sweep_on_ranks.hpp"
#include "tools/command_line/failures.hpp"
#include "tools/command_line/messages.hpp"
#include "tools/command_line/options.hpp"
#include "tools/simulate/version.hpp"

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN); // as bursar does
    const bursar::Ranks ranks{argc, argv};
    if (!ranks.is_first())
        std::cout.setstate(std::ios::failbit); // --help is told once
    int code = 0;
    bursar::Program program{"bursar-mpi",
                            "bursar-mpi: bursar's sweeps on all ranks of an MPI run",
                            fmt::format("bursar-mpi {}", bursar::version)};
    bursar::add_sweep_on_ranks(program.root(), ranks, code);
    try {
        program.run(argc, argv);
    } catch (...) {
        const bursar::FailureReport failure = bursar::failure_report(std::current_exception());
        code = static_cast<int>(failure.code);
        if (ranks.is_first())
            bursar::log("{}\n", failure.message);
    }
    return code;
}
