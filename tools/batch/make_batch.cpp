#include "tools/batch/make_batch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "policies/runs/engine_choice.hpp"

#include "tools/batch/answers.hpp"
#include "tools/batch/batch_plans.hpp"
#include "tools/batch/device_choice.hpp"
#include "tools/batch/outcome_file.hpp"
#include "tools/batch/run_on_gpus.hpp"
#include "tools/batch/run_on_host.hpp"

namespace bursar { inline namespace tools {
namespace {

using Clock = std::chrono::steady_clock;
using Runs = std::vector<std::size_t>; ///< by number of their plan

constexpr const char* host_name = "the host";
constexpr const char* gpu_name = "GPUs";

void log(const std::string& text) {
    write_error_line("bursar-batch: " + text);
}

/// Logs the first texts, and the number of further ones.
void log_each(const std::string& title, const std::vector<std::string>& texts) {
    constexpr std::size_t most = 20;
    if (texts.empty())
        return;
    log(title);
    for (std::size_t i = 0; i < std::min(most, texts.size()); ++i)
        write_error_line("  " + texts[i]);
    if (texts.size() > most)
        write_error_line("  and " + std::to_string(texts.size() - most) + " more");
}

std::string decimals(double number, int digits) {
    char text[64];
    const int size = std::snprintf(text, sizeof text, "%.*f", digits, number);
    return {text, static_cast<std::size_t>(size)};
}

/// Runs made by one kind of device, and their time without reading plans.
struct BatchTime {
    std::string device;
    std::size_t at_once{}; ///< threads, or GPUs
    MadeRuns made{};
    double seconds{};
};

/// A batch while its runs are made.
class BatchMaker {
  public:
    BatchMaker(const BatchCommand& options,
               std::span<const BatchGpu> gpus,
               std::span<const BatchPlan> plans,
               BatchAnswers& answers)
        : options_{options}, gpus_{gpus}, plans_{plans}, answers_{answers} {}

    void make(const Runs& runs) {
        switch (options_.on) {
        case BatchOn::host:
            return on_host(runs);
        case BatchOn::gpus:
            return on_gpus_alone(runs);
        case BatchOn::both:
            return on_both(runs);
        case BatchOn::either:
            return on_either(runs);
        }
    }

    [[nodiscard]] const std::vector<BatchTime>& times() const { return times_; }
    /// Plans whose answers were to be compared and were not, and why.
    [[nodiscard]] const std::vector<std::string>& uncompared() const { return uncompared_; }
    /// Whether that is because all GPUs were lost for some of them.
    [[nodiscard]] bool has_lost() const { return has_lost_; }

  private:
    void on_host(const Runs& runs) {
        const Clock::time_point begin = Clock::now();
        run_on_host(plans_,
                    runs,
                    options_.threads,
                    {[&](std::size_t plan, const Outcome& outcome) {
                         answers_.add(plan, outcome, host_name);
                     },
                     [&](std::size_t plan, const std::string& why) {
                         answers_.add_failure(plan, RowStatus::failed, why);
                     }});
        note(host_name, options_.threads, begin);
    }

    /// Runs that the GPUs did not make, each with the reason.
    using Unmade = std::vector<std::pair<std::size_t, std::string>>;

    /// refused: no memory or no kernel for them. Else the GPUs were lost.
    struct LeftRuns {
        Unmade refused, lost;
    };

    LeftRuns on_gpus(const Runs& runs) {
        const Clock::time_point begin = Clock::now();
        LeftRuns left;
        std::mutex mutex;
        const LeftByGpus by_gpus = run_on_gpus(gpus_,
                                               plans_,
                                               runs,
                                               {[&](std::size_t plan, const Outcome& outcome) {
                                                    answers_.add(plan, outcome, gpu_name);
                                                },
                                                [&](std::size_t plan, const std::string& why) {
                                                    const std::lock_guard lock{mutex};
                                                    left.refused.emplace_back(plan, why);
                                                }});
        note(gpu_name, gpus_.size(), begin);
        for (const std::string& loss : by_gpus.losses)
            log(loss + "; what it had finished is kept");
        const std::string why = by_gpus.losses.empty() ? "no GPU made it" : by_gpus.losses.back();
        for (const std::size_t plan : by_gpus.runs)
            left.lost.emplace_back(plan, why);
        return left;
    }

    void on_gpus_alone(const Runs& runs) {
        begin_gpus(runs);
        const LeftRuns left = on_gpus(runs);
        for (const auto& [plan, why] : left.refused)
            answers_.add_failure(plan, RowStatus::refused, why);
        for (const auto& [plan, why] : left.lost)
            answers_.add_failure(plan, RowStatus::failed, why);
    }

    void on_both(const Runs& runs) {
        on_host(runs);
        begin_gpus(runs);
        const LeftRuns left = on_gpus(runs);
        for (const Unmade& unmade : {left.refused, left.lost})
            for (const auto& [plan, why] : unmade)
                uncompared_.push_back(plans_[plan].file + ": " + why);
        has_lost_ = !left.lost.empty();
    }

    /// The host makes the runs that GPUs leave. Returns how many they refused; absent: they were
    /// lost, or refused all.
    std::optional<std::size_t> on_gpus_then_host(const Runs& runs) {
        const LeftRuns left = on_gpus(runs);
        Runs again;
        for (const Unmade& unmade : {left.refused, left.lost})
            for (const auto& [plan, why] : unmade)
                again.push_back(plan);
        if (!again.empty()) {
            log("the host makes the " + std::to_string(again.size()) + " runs that no GPU made");
            on_host(again);
        }
        const bool are_of_use = left.lost.empty() && left.refused.size() < runs.size();
        return are_of_use ? std::optional{left.refused.size()} : std::nullopt;
    }

    void on_either(Runs runs) {
        if (gpus_.empty() || runs.size() < least_to_measure) {
            log("the host makes all runs: " +
                (gpus_.empty() ? why_no_gpu()
                               : "fewer than " + std::to_string(least_to_measure) +
                                     ", too few to measure what a GPU gains"));
            return on_host(runs);
        }
        sort_longest_first(plans_, runs);
        const Runs sample = sample_of(runs);
        DeviceSample took{.num_runs = sample.size(), .threads = options_.threads};
        took.in_flight = begin_gpus(sample);
        on_host(sample);
        took.host_s = times_.back().seconds;
        const std::optional<std::size_t> refused = on_gpus_then_host(sample);
        took.gpu_s = times_[1].seconds;
        for (const std::size_t plan : sample)
            runs.erase(std::ranges::find(runs, plan));
        DeviceChoice choice{false, "no GPU is left that makes such runs"};
        if (refused) {
            took.num_refused = *refused;
            choice = choose_device(took, runs.size());
        }
        log(std::string{choice.takes_gpus ? "GPUs make" : "the host makes"} +
            " the other runs: " + choice.why);
        if (choice.takes_gpus)
            on_gpus_then_host(runs);
        else
            on_host(runs);
    }

    /// Has the GPUs load their kernels before the first run, which takes as long for one run as for
    /// thousands. Returns how many such runs they make at the same time.
    std::size_t begin_gpus(const Runs& runs) const {
        if (runs.empty())
            return 1;
        const Clock::time_point begin = Clock::now();
        const BatchPlan& first = plans_[runs.front()];
        const EngineChoice choice = engine_choice(*first.plan, first.choice);
        std::size_t num = 0;
        for (const BatchGpu& gpu : gpus_) {
            try {
                const std::unique_ptr<BatchDevice> device = gpu.open();
                num += device->serves(choice) ? device->max_teams(choice) : 0;
            } catch (const BatchError&) { // reported when it gets runs
            }
        }
        log("GPUs: ready after " +
            decimals(std::chrono::duration<double>(Clock::now() - begin).count(), 3) + " s, " +
            std::to_string(num) + " runs at once");
        return std::max<std::size_t>(num, 1);
    }

    void note(const char* device, std::size_t at_once, Clock::time_point begin) {
        BatchTime time{device, at_once};
        time.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        const MadeRuns now = answers_.made_by(device);
        MadeRuns& before = made_before_[device];
        time.made = {now.num_runs - before.num_runs,
                     now.num_jobs - before.num_jobs,
                     now.num_events - before.num_events};
        before = now;
        times_.push_back(std::move(time));
    }

    const BatchCommand& options_;
    std::span<const BatchGpu> gpus_;
    std::span<const BatchPlan> plans_;
    BatchAnswers& answers_;
    std::vector<BatchTime> times_;
    std::map<std::string, MadeRuns> made_before_;
    std::vector<std::string> uncompared_;
    bool has_lost_{};
};

void say_times(const std::vector<BatchTime>& times) {
    for (const BatchTime& time : times)
        log(time.device + " (" + std::to_string(time.at_once) +
            "): " + std::to_string(time.made.num_runs) + " runs of " +
            std::to_string(time.made.num_jobs) + " jobs in " + decimals(time.seconds, 3) + " s, " +
            decimals(static_cast<double>(time.made.num_events) / time.seconds / 1e6, 2) +
            " M events/s");
}

std::string csv_of(const std::vector<BatchTime>& times) {
    std::string text = "device,at_once,runs,jobs,events,seconds\n";
    for (const BatchTime& time : times)
        text += std::string{time.device == host_name ? "host" : "cuda"} + "," +
                std::to_string(time.at_once) + "," + std::to_string(time.made.num_runs) + "," +
                std::to_string(time.made.num_jobs) + "," + std::to_string(time.made.num_events) +
                "," + decimals(time.seconds, 6) + "\n";
    return text;
}

void refuse_inputs(const std::string& output, const std::vector<std::string>& files) {
    std::error_code none;
    for (const std::string& file : files)
        if (!output.empty() && std::filesystem::equivalent(output, file, none))
            throw BadCommandLine{output + ": the output would take the place of a plan"};
}

/// Refuses two outputs to one file, which would keep only the last. A device such as /dev/null
/// takes both.
void refuse_one_file(const std::string& output, const std::string& times) {
    namespace fs = std::filesystem;
    std::error_code none;
    const bool is_same = fs::weakly_canonical(fs::absolute(output, none), none) ==
                         fs::weakly_canonical(fs::absolute(times, none), none);
    const bool is_file = !fs::exists(times, none) || fs::is_regular_file(times, none);
    if (!output.empty() && !times.empty() && is_file &&
        (is_same || fs::equivalent(output, times, none)))
        throw BadCommandLine{times + ": --output and --times name one file"};
}

/// The exit code; logs plans without an answer.
int exit_code(const BatchAnswers& answers, const BatchMaker& maker) {
    const std::vector<std::string> failed = answers.unanswered(RowStatus::failed);
    const std::vector<std::string> refused = answers.unanswered(RowStatus::refused);
    log_each("answers differ:", answers.differences());
    log_each("not run, as a device or the machine failed:", failed);
    log_each("not run:", refused);
    log_each("not compared:", maker.uncompared());
    if (!answers.differences().empty() || !failed.empty() || maker.has_lost())
        return 1;
    return refused.empty() && maker.uncompared().empty() ? 0 : 4;
}

} // namespace

int make_batch(const BatchCommand& options, std::span<const BatchGpu> gpus) {
    refuse_one_file(options.output, options.times);
    const bool needs_gpu = options.on == BatchOn::gpus || options.on == BatchOn::both;
    if (needs_gpu && gpus.empty()) {
        log(why_no_gpu());
        return 1;
    }
    const std::vector<std::string> files = plan_files(options.plans);
    refuse_inputs(options.output, files);
    refuse_inputs(options.times, files);
    const std::vector<BatchPlan> plans = load_plans(files, options.threads);
    OutcomeFile file{options.output};
    const std::size_t times = options.on == BatchOn::both ? 2 : 1;
    BatchAnswers answers{plans, file, plans.size() * options.repeat * times};
    Runs runs;
    for (std::size_t again = 0; again < options.repeat; ++again)
        for (std::size_t plan = 0; plan < plans.size(); ++plan)
            if (plans[plan].refusal.empty())
                runs.push_back(plan);
    for (std::size_t plan = 0; plan < plans.size(); ++plan)
        if (!plans[plan].refusal.empty())
            answers.add_failure(plan, RowStatus::refused, plans[plan].refusal);
    BatchMaker maker{options, gpus, plans, answers};
    maker.make(runs);
    answers.finish();
    say_times(maker.times());
    if (!options.times.empty())
        write_whole_file(options.times, csv_of(maker.times()));
    return exit_code(answers, maker);
}

}} // namespace bursar::tools
