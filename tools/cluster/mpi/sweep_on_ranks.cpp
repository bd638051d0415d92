#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/document/render.hpp"
#include "reports/files/write_files.hpp"
#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_formats.hpp"
#include "reports/text/escape.hpp"

#include "tools/bursar/scenario_options.hpp"
#include "tools/cluster/mpi/ranks.hpp"
#include "tools/command_line/failures.hpp"
#include "tools/command_line/messages.hpp"
#include "tools/command_line/options.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/command_line/terminal.hpp"
#include "tools/simulate/version.hpp"
#include "tools/sweep/merge_sweeps.hpp"
#include "tools/sweep/run_sweep.hpp"
#include "tools/sweep/sweep_lock.hpp"

namespace bursar { inline namespace tools { namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The sweep in a folder that all ranks see. sweep.sqlite has the merged results; rank-0, rank-1,
/// ... have the results of each rank until they are merged.
class SweepOnRanks {
  public:
    SweepOnRanks(const Ranks& ranks, const SweptOptions& swept, std::filesystem::path folder)
        : ranks_{ranks}, swept_{swept}, folder_{std::move(folder)} {}

    /// The exit code of all ranks.
    [[nodiscard]] int run() {
        if (const int code = together([&] { begin(); }); code != 0)
            return code;
        const int code = together([&] { work(); });
        const int end = together([&] { // finished runs are kept if a rank fails
            if (ranks_.is_first())
                finish();
        });
        return code != 0 ? code : end;
    }

  private:
    int together(const std::function<void()>& step) const;
    void begin();
    void gather() const;
    void work();
    [[nodiscard]] double run_chunks(SharedCounter& counter) const;
    void finish() const;
    [[nodiscard]] std::vector<std::filesystem::path> parts() const;

    const Ranks& ranks_;
    const SweptOptions& swept_;
    std::filesystem::path folder_;
    std::unique_ptr<SweepPlan> plan_;
    std::vector<std::vector<std::size_t>> chunks_; ///< the same on every rank
};

/// Runs `step` on each rank and waits for all. Returns the worst exit code.
int SweepOnRanks::together(const std::function<void()>& step) const {
    int code = 0;
    try {
        step();
    } catch (...) {
        const FailureReport failure = failure_report(std::current_exception());
        code = static_cast<int>(failure.code);
        // Mistakes of the input are the same on every rank.
        if (ranks_.is_first())
            log("{}\n", failure.message);
        else if (failure.code != ExitCode::usage_error)
            log("rank {}: {}\n", ranks_.own(), failure.message);
    }
    return ranks_.largest(code);
}

void SweepOnRanks::begin() {
    plan_ = std::make_unique<SweepPlan>(swept_.request());
    chunks_ = plan_->chunks_for(static_cast<std::uint64_t>(ranks_.count()));
    if (!ranks_.is_first())
        return;
    print_warnings(plan_->base());
    for (const std::string_view file : {store_name, std::string_view{"sweep.csv"}})
        check_place(folder_, file, plan_->inputs());
    gather(); // merges what an earlier run of that sweep left, which may have more parts
    const SweepLock lock{folder_};
    const SweepStore store{folder_, planned_table(*plan_)}; // refuses the folder of another sweep
}

/// Folders of ranks, of this run and of earlier ones with more ranks.
std::vector<std::filesystem::path> SweepOnRanks::parts() const {
    std::vector<std::filesystem::path> found;
    if (!std::filesystem::is_directory(folder_))
        return found;
    for (const auto& entry : std::filesystem::directory_iterator{folder_})
        if (entry.path().filename().string().starts_with("rank-") &&
            std::filesystem::exists(entry.path() / store_name))
            found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

/// Merges the folders of ranks and removes them, so that the next run starts from one sweep.
void SweepOnRanks::gather() const {
    const std::vector<std::filesystem::path> from = parts();
    if (from.empty())
        return;
    static_cast<void>(merge_sweeps(from, folder_));
    for (const std::filesystem::path& part : from)
        remove_sweep(part);
}

void SweepOnRanks::work() {
    const Clock::time_point begin = Clock::now();
    double busy_s = 0;
    std::exception_ptr error;
    {
        SharedCounter counter{ranks_}; // made and destroyed by all ranks, even if one fails
        try {
            busy_s = run_chunks(counter);
        } catch (...) {
            error = std::current_exception();
        }
    }
    busy_s = ranks_.sum(busy_s);
    const double all_s = seconds_since(begin);
    if (ranks_.is_first())
        log("{}, {}, {:.2f} s: runs took {:.1f} % of the ranks' time\n",
            counted(static_cast<std::uint64_t>(ranks_.count()), "rank"),
            counted(chunks_.size(), "chunk"),
            all_s,
            100 * busy_s / (all_s * ranks_.count()));
    if (error)
        std::rethrow_exception(error);
}

/// Runs chunks until none is left; returns the time in s.
double SweepOnRanks::run_chunks(SharedCounter& counter) const {
    const std::filesystem::path own = folder_ / fmt::format("rank-{}", ranks_.own());
    // Skips runs that any rank has finished.
    static_cast<void>(merge_sweeps(std::vector{folder_}, own));
    const SweepLock lock{own};
    SweepStore store{own, planned_table(*plan_)};
    double busy_s = 0;
    for (std::uint64_t i = counter.next(); i < chunks_.size(); i = counter.next()) {
        const Clock::time_point begin = Clock::now();
        run_sweep(*plan_, store, {.runs = chunks_[i]});
        busy_s += seconds_since(begin);
    }
    return busy_s;
}

void SweepOnRanks::finish() const {
    gather();
    const SweepTable table = SweepStore{folder_}.table();
    const std::vector<FileContent> contents{
        {"sweep.csv", [&](TextSink& sink) { write_sweep_csv(table, sink); }}};
    write_files(folder_, contents, plan_->inputs());
    log("written to {}\n", terminal_text(folder_.string()));
    StandardOutput sink{ReadBy::people};
    render_terminal(sweep_answer(table, usual_question()), terminal_width(page_width), sink);
    sink.flush();
    const auto num_done = static_cast<std::uint64_t>(
        std::ranges::count_if(table.rows, [](const SweepRow& row) { return row.failure.empty(); }));
    if (num_done < table.num_planned)
        throw SweepIncomplete{fmt::format(
            "{} of {} runs have no result", table.num_planned - num_done, table.num_planned)};
}

/// Adds `sweep`, which all ranks run together. code: receives the exit code of all ranks. A rank
/// reports its own errors on stderr.
void add_sweep_on_ranks(Command program, const Ranks& ranks, int& code) {
    struct RankOptions {
        SweptOptions swept;
        std::string folder;
    };
    using T = RankOptions;
    add_command(program,
                "sweep",
                "run every combination of some values, on all ranks, and say which are best",
                option_table<T>({{&T::swept, swept_options()},
                                 {{"--out", &T::folder, folder_name()},
                                  "folder that all ranks see, of sweep.sqlite, sweep.csv and a "
                                  "folder for each rank; what is there already is not run again"}})
                    .required("--out"),
                [&ranks, &code](const RankOptions& options) {
                    code = SweepOnRanks{ranks, options.swept, options.folder}.run();
                });
}

} // namespace
}} // namespace bursar::tools

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN); // as bursar does
    bursar::take_closed_streams();
    const bursar::Ranks ranks{argc, argv};
    if (!ranks.is_first())
        std::cout.setstate(std::ios::failbit); // only one rank prints --help
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
    const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (!is_written && code != static_cast<int>(bursar::ExitCode::simulation_error)) {
        bursar::log("{}\n", bursar::unwritable_output);
        code = static_cast<int>(bursar::ExitCode::simulation_error);
    }
    return code;
}
