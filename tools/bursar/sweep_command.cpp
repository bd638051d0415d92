#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "reports/document/render.hpp"
#include "reports/files/write_files.hpp"
#include "reports/text/escape.hpp"

#include "tools/bursar/scenario_options.hpp"
#include "tools/bursar/sweep_output.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/messages.hpp"
#include "tools/command_line/progress_line.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/command_line/terminal.hpp"
#include "tools/sweep/device_runs.hpp"
#include "tools/sweep/merge_sweeps.hpp"
#include "tools/sweep/refine_sweep.hpp"
#include "tools/sweep/run_sweep.hpp"
#include "tools/sweep/sweep_lock.hpp"
#include "tools/sweep/sweep_overview.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::uint64_t max_shards = 1'000'000;

struct SweepOptions {
    SweptOptions swept;
    SweepOutput output;
    std::optional<std::size_t> threads; ///< absent: one per core
    std::string device_name{"auto"};
    std::string shard_text;
    std::string directory;
    std::string status;
    std::optional<std::uint64_t> refine;
    bool dry_run{};

    [[nodiscard]] std::size_t num_threads() const {
        return threads.value_or(std::max(1U, std::thread::hardware_concurrency()));
    }
    void run() const;
    void show_status() const;
    void make_runs(const SweepPlan& plan, const Shard& shard, SweepStore& store) const;
};

std::optional<std::uint64_t> number_of(std::string_view text) {
    std::uint64_t number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

/// The part of this process in a Slurm array (submitted as 1-N) or an indexed job of Kubernetes.
std::uint64_t part_of_this_process() {
    for (const auto& [name, first] :
         {std::pair{"SLURM_ARRAY_TASK_ID", 0U}, std::pair{"JOB_COMPLETION_INDEX", 1U}})
        if (const char* value = std::getenv(name)) // NOLINT(concurrency-mt-unsafe)
            if (const auto number = number_of(value))
                return *number + first;
    throw UsageError{"--shard: auto takes the part from SLURM_ARRAY_TASK_ID or "
                     "JOB_COMPLETION_INDEX, and neither is a number here"};
}

Shard shard_of(const std::string& text) {
    if (text.empty())
        return {};
    const std::size_t slash = text.find('/');
    const auto count =
        slash == std::string::npos ? std::nullopt : number_of(text.substr(slash + 1));
    const std::string part = text.substr(0, slash);
    const auto index =
        part == "auto" && count ? std::optional{part_of_this_process()} : number_of(part);
    if (!index || !count || *count < 1 || *count > max_shards)
        throw UsageError{
            fmt::format("--shard: \"{}\" is not I/N or auto/N: part I of N, such as 2/8", text)};
    if (*index < 1 || *index > *count)
        throw UsageError{
            fmt::format("--shard: part {} of {}: parts are 1 to {}", *index, *count, *count)};
    return {*index, *count};
}

OptionTable<SweepOptions> sweep_options() {
    using T = SweepOptions;
    return option_table<T>(
        {{&T::swept, swept_options()},
         {{"--threads", &T::threads, whole_in(up_to(4096))}, "threads (default: one per core)"},
         {{"--device", &T::device_name, one_of_texts({"auto", "cpu", "cuda"})},
          "where runs are simulated. auto: on GPUs if they are measured to be faster; cuda: "
          "on GPUs, except runs that they cannot simulate. Results are the same"},
         {{"--shard", &T::shard_text, word("I/N")},
          "run part I of N; `bursar merge` joins the parts. auto/N: the part of this task "
          "of a Slurm array (1-N) or Kubernetes indexed job"},
         {{"--out", &T::directory, folder_name()},
          "folder for all outputs and sweep.sqlite, which keeps each finished run; those are not "
          "run again"},
         {{"--refine", &T::refine, whole_in(up_to(max_refinements))},
          "after the grid, N times, run the scenarios halfway between the answer and its "
          "neighbours on each axis of numbers"},
         {"--dry-run", &T::dry_run, "estimate the work: count the runs and time one of them"},
         {{"--status", &T::status, folder_name()},
          "list the runs without a result in the sweep of a folder"},
         {&T::output, sweep_output_options()}});
}

void put_answer(const Document& answer) {
    StandardOutput sink{ReadBy::people};
    render_terminal(answer, terminal_width(page_width), sink);
    sink.flush();
}

void SweepOptions::run() const {
    const Shard shard = shard_of(shard_text);
    const SweepQuestion request = output.question(); // throws before the runs
    if (!status.empty())
        return show_status();
    if (refine && !shard_text.empty())
        throw UsageError{"--refine: a shard does not know the answer of the sweep; `bursar merge` "
                         "the shards, then sweep with --refine and --out in the merged folder"};
    if (refine && swept.prune)
        throw UsageError{"--refine: not with --prune, which may leave out the neighbours of the "
                         "answer"};
    SweepPlan plan{swept.request()};
    print_warnings(plan.base());
    if (refine)
        check_refinable(plan, *refine);
    if (dry_run)
        return put_answer(estimate_sweep(plan, shard, num_threads(), refine));
    std::optional<SweepLock> lock;
    if (!directory.empty()) {
        lock.emplace(directory);
        for (const std::string_view file : {store_name, std::string_view{"sweep.csv"}})
            check_place(directory, file, plan.inputs());
        add_refined_of(directory, plan);
    }
    SweepStore store{directory, planned_table(plan)};
    if (const auto before = store.extended_from())
        log("{}: continues a sweep of {} runs, which now has {}\n",
            terminal_text(directory),
            *before,
            plan.runs().size());
    make_runs(plan, shard, store);
    if (refine) {
        log("--refine {}: at most {} runs more\n",
            *refine,
            max_refined_scenarios(plan, *refine) * plan.most_runs());
        const std::string_view why_not =
            refine_sweep(plan, store, {*refine, request, [&] { make_runs(plan, shard, store); }});
        if (!why_not.empty())
            log("--refine: {}\n", why_not);
    }
    store.keep_question(request);
    output.show(store.table(), request, directory, plan.runs_of(shard).size(), plan.inputs());
}

void SweepOptions::make_runs(const SweepPlan& plan, const Shard& shard, SweepStore& store) const {
    std::vector<BatchGpu> found;
    if (device_name != "cpu")
        found = gpus();
    if (device_name == "cuda" && found.empty())
        throw std::runtime_error{fmt::format("--device cuda: {}", why_no_gpu())};
    std::vector<std::string> notes; // logged after the progress line is erased
    std::optional<DeviceRuns> on_gpus;
    if (!found.empty())
        on_gpus.emplace(std::move(found),
                        device_name == "cuda" ? SimulatedOn::gpus : SimulatedOn::either,
                        num_threads(),
                        [&](const std::string& note) { notes.push_back(note); });
    SweepRunning running{shard, num_threads()};
    if (on_gpus)
        running.ahead = [&](std::span<CompiledRun* const> runs, std::size_t num_after) {
            (*on_gpus)(runs, num_after);
        };
    const auto log_notes = [&] {
        for (const std::string& note : notes)
            log("{}\n", note);
    };
    try {
        with_progress("runs", [&](const OnProgress& on_progress) {
            running.on_progress = on_progress;
            run_sweep(plan, store, running);
            return 0;
        });
    } catch (...) {
        log_notes();
        throw;
    }
    if (!on_gpus)
        return;
    log_notes();
    log("{} runs were simulated on GPUs\n", on_gpus->num_made());
    for (const auto& [why, num] : on_gpus->left())
        log("{} runs were simulated on the host: {}\n", num, why);
}

void SweepOptions::show_status() const {
    const SweepStatus found = sweep_status(status);
    put_answer(found.answer);
    if (found.num_missing > 0)
        throw SweepIncomplete{fmt::format("{} runs have no result", found.num_missing)};
}

} // namespace

void add_sweep_command(Command program) {
    add_command(program,
                "sweep",
                "run every combination of values and rank them",
                sweep_options(),
                &SweepOptions::run);
}

void add_merge_command(Command program) {
    struct MergeOptions {
        std::vector<std::string> from;
        std::string to;
        SweepOutput output;
    };
    using T = MergeOptions;
    add_command(
        program,
        "merge",
        "join the parts of a sweep (sweep --shard)",
        option_table<T>({{{"DIR", &T::from, argument()}, "folders of `bursar sweep --out`"},
                         {{"--out", &T::to, folder_name()}, "folder of the whole sweep"},
                         {&T::output, sweep_output_options()}})
            .required("DIR")
            .required("--out"),
        [](const MergeOptions& options) {
            const SweepQuestion request = options.output.question();
            const std::vector<std::filesystem::path> from{options.from.begin(), options.from.end()};
            const SweepTable table = merge_sweeps(from, options.to, request);
            options.output.show(table, request, options.to, table.num_planned, {});
        });
}

}} // namespace bursar::tools
