#include "tools/sweep/device_runs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "policies/runs/engine_choice.hpp"

#include "tools/batch/device_choice.hpp"
#include "tools/simulate/simulation_error.hpp"

namespace bursar { inline namespace tools {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// Number of such runs that all GPUs make at the same time, at least 1. The first run loads the
/// kernels, which takes as long for one run as for thousands.
std::size_t begin_gpus(std::span<const BatchGpu> gpus, const CompiledRun& run) {
    const EngineChoice choice = engine_choice(run.compiled->plan, run.scenario.policy);
    std::size_t num = 0;
    for (const BatchGpu& gpu : gpus) {
        try {
            const std::unique_ptr<BatchDevice> device = gpu.open();
            num += device->serves(choice) ? device->max_teams(choice) : 0;
        } catch (const BatchError&) { // reported when it gets runs
        }
    }
    return std::max<std::size_t>(num, 1);
}

} // namespace

/// The runs of one GPU, and their state.
struct DeviceRuns::Share {
    const BatchGpu* gpu{};
    std::vector<CompiledRun*> runs{};
    std::map<std::string, std::size_t> refused{}; ///< by the reason
    std::string loss{};                           ///< empty: the GPU works
    std::exception_ptr error{};                   ///< an error that is not the GPU's
};

DeviceRuns::DeviceRuns(std::vector<BatchGpu> gpus,
                       SimulatedOn on,
                       std::size_t threads,
                       std::function<void(const std::string&)> log)
    : gpus_{std::move(gpus)}, is_chosen_{on == SimulatedOn::gpus}, threads_{threads},
      log_{std::move(log)} {}

void DeviceRuns::operator()(std::span<CompiledRun* const> runs, std::size_t num_after) {
    if (gpus_.empty())
        return;
    std::vector<CompiledRun*> able;
    for (CompiledRun* run : runs) {
        if (const std::string why = why_not_ahead(*run); why.empty())
            able.push_back(run);
        else
            ++left_[why];
    }
    if (able.empty())
        return;
    if (!is_chosen_) {
        is_chosen_ = choose(able, num_after);
        if (!is_chosen_) {
            gpus_.clear();
            return;
        }
        std::erase_if(able, [](const CompiledRun* run) { return run->made != nullptr; });
    }
    make(able);
}

bool DeviceRuns::choose(std::span<CompiledRun* const> runs, std::size_t num_after) {
    if (runs.size() + num_after < least_to_measure) {
        log_(fmt::format(
            "the host makes all runs: fewer than {}, too few to measure what a GPU gains",
            least_to_measure));
        return false;
    }
    std::vector<std::size_t> places(runs.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::vector<CompiledRun*> sample;
    for (const std::size_t place : sample_of(places))
        sample.push_back(runs[place]);
    DeviceSample took{sample.size()};
    took.threads = threads_;
    // At most this many runs are prepared at a time, even if GPUs have more memory.
    took.in_flight = std::min(begin_gpus(gpus_, *sample.front()), runs.size());
    const Clock::time_point begin = Clock::now();
    make(sample);
    took.gpu_s = Seconds{Clock::now() - begin}.count();
    took.num_refused = static_cast<std::size_t>(std::erase_if(
        sample, [](const CompiledRun* run) { return run->made == nullptr || !run->made->run; }));
    if (sample.empty() || gpus_.empty()) {
        log_("the host makes the other runs: no GPU is left that makes such runs");
        return false;
    }
    // The host makes refused runs in any case.
    took.host_s = time_on_host(sample) * static_cast<double>(took.num_runs) /
                  static_cast<double>(sample.size());
    const DeviceChoice choice = choose_device(took, runs.size() - took.num_runs + num_after);
    log_((choice.takes_gpus ? "GPUs make the other runs: " : "the host makes the other runs: ") +
         choice.why);
    return choice.takes_gpus;
}

double DeviceRuns::time_on_host(std::span<CompiledRun* const> sample) const {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> differs{false};
    const auto work = [&] {
        Workspace workspace;
        for (std::size_t i = next++; i < sample.size(); i = next++) {
            const CompiledRun& run = *sample[i];
            const Plan& plan = run.compiled->plan;
            const PolicyChoice& choice = run.scenario.policy;
            const Run own =
                simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
            const Run& made = *run.made->run;
            if (own.outcome.fingerprint != made.outcome.fingerprint ||
                own.outcome.cells != made.outcome.cells ||
                own.outcome.money != made.outcome.money || own.outcome.grid != made.outcome.grid ||
                own.jobs != made.jobs || own.paid != made.paid)
                differs = true;
        }
    };
    const Clock::time_point begin = Clock::now();
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min(threads_, sample.size()); ++i)
            others.emplace_back(work);
        work();
    }
    const double host_s = Seconds{Clock::now() - begin}.count();
    if (differs)
        throw SimulationError{fmt::format("{}: a defect of bursar: the GPU has another answer than "
                                          "the host; `--device cpu` needs no GPU",
                                          sample.front()->scenario.file)};
    return host_s;
}

void DeviceRuns::make(std::span<CompiledRun* const> runs) {
    if (runs.empty())
        return;
    std::vector<Share> shares;
    for (const BatchGpu& gpu : gpus_)
        shares.push_back({&gpu});
    for (std::size_t n = 0; n < runs.size(); ++n)
        shares[n % shares.size()].runs.push_back(runs[n]);
    const Clock::time_point begin = Clock::now();
    {
        std::vector<std::jthread> threads;
        for (Share& share : shares)
            if (!share.runs.empty())
                threads.emplace_back([&] { make_share(share); });
    }
    const auto wall = (Clock::now() - begin) / static_cast<std::int64_t>(runs.size());
    for (const Share& share : shares) {
        if (share.error)
            std::rethrow_exception(share.error);
        if (!share.loss.empty())
            log_(share.loss + "; what it had finished is kept, and the host makes the rest");
        for (const auto& [why, num] : share.refused)
            left_[why] += num;
        for (const CompiledRun* run : share.runs) {
            run->made->wall = wall;
            num_made_ += run->made->run ? 1 : 0;
        }
    }
    std::vector<BatchGpu> well;
    for (const Share& share : shares)
        if (share.loss.empty())
            well.push_back(*share.gpu);
    gpus_ = std::move(well);
}

void DeviceRuns::make_share(Share& share) const {
    try {
        std::vector<BatchRequest> requests;
        for (CompiledRun* run : share.runs) {
            const Plan& plan = run->compiled->plan;
            const PolicyChoice& choice = run->scenario.policy;
            run->made = std::make_shared<MadeAhead>(MadeAhead{order_for(plan, choice)});
            requests.push_back({&plan, &run->made->order, choice, true});
        }
        const std::unique_ptr<BatchDevice> device = share.gpu->open();
        run_batch(
            *device,
            requests,
            [&](std::size_t i, Run run) { share.runs[i]->made->run = std::move(run); },
            [&](std::size_t, const std::string& why) { ++share.refused[why]; });
    } catch (const BatchError& error) {
        share.loss = share.gpu->name + ": " + error.what();
    } catch (...) {
        share.error = std::current_exception();
    }
}

}} // namespace bursar::tools
