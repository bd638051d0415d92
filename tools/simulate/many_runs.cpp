#include "tools/simulate/many_runs.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <mutex>
#include <numeric>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scenarios/compile/plan_key.hpp"

namespace bursar::inline tools {
namespace {

/// What a job takes under an order or a backfill, against one under fifo: measured at load 0.95 to
/// 1.5 on 2,000 GPUs, one core (tools/bench). Only the order of runs rests on it.
double weight_of(const PolicyChoice& choice) {
    static constexpr std::pair<std::string_view, double> weights[]{
        {"fifo", 1}, {"sjf", 1.3}, {"smallest", 1.3}, {"las", 2}, {"srtf", 2}};
    const auto known =
        std::ranges::find(weights, choice.queue, &std::pair<std::string_view, double>::first);
    double weight = known == std::end(weights) ? 2.5 : known->second;
    if (choice.backfill != backfill_none)
        weight *= choice.backfill == "easy" ? 6 : 20;
    return choice.capacity == capacity_count ? weight : 1.5 * weight;
}

/// Of a trace the number of jobs is not known before it is read; all that read it have the same.
double jobs_of(const Scenario& scenario) {
    if (const auto* synthetic = std::get_if<SyntheticSpec>(&scenario.workload))
        return static_cast<double>(synthetic->jobs);
    const auto* list = std::get_if<JobList>(&scenario.workload);
    if (list == nullptr)
        return 10'000;
    return std::accumulate(
        list->jobs.begin(), list->jobs.end(), 0.0, [](double sum, const ListedJob& job) {
            return sum + static_cast<double>(job.count);
        });
}

/// Where each run stands in the order in which runs are made.
std::vector<std::size_t> order_of(std::span<const PlannedRun> runs) {
    struct Group {
        double cost{};
        std::size_t first{};
    };
    std::unordered_map<std::uint64_t, Group> groups;
    for (std::size_t i = 0; i < runs.size(); ++i)
        groups.try_emplace(runs[i].plan_key, Group{0, i}).first->second.cost += runs[i].cost;
    std::vector<std::size_t> order(runs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        const Group& of_a = groups.at(runs[a].plan_key);
        const Group& of_b = groups.at(runs[b].plan_key);
        if (of_a.first != of_b.first)
            return of_a.cost != of_b.cost ? of_a.cost > of_b.cost : of_a.first < of_b.first;
        return runs[a].cost != runs[b].cost ? runs[a].cost > runs[b].cost : a < b;
    });
    return order;
}

/// The plans of the runs that are being made; each goes with the last run that needs it.
class SharedPlans {
  public:
    explicit SharedPlans(std::span<const PlannedRun> runs) {
        for (const PlannedRun& run : runs)
            ++num_left_[run.plan_key];
    }

    std::shared_ptr<const Compiled>
    of(const PlannedRun& run, const std::function<std::shared_ptr<const Compiled>()>& make) {
        std::promise<std::shared_ptr<const Compiled>> made;
        {
            std::unique_lock lock{mutex_};
            const auto known = plans_.find(run.plan_key);
            if (known != plans_.end()) {
                const Shared shared = known->second;
                lock.unlock();
                return made_or(shared, make);
            }
            plans_.emplace(run.plan_key, made.get_future().share());
        }
        try {
            auto plan = make();
            made.set_value(plan);
            return plan;
        } catch (...) {
            made.set_exception(std::current_exception());
            throw;
        }
    }

    /// A run of it has ended.
    void leave(const PlannedRun& run) {
        const std::lock_guard lock{mutex_};
        if (--num_left_.at(run.plan_key) == 0)
            plans_.erase(run.plan_key);
    }

  private:
    using Shared = std::shared_future<std::shared_ptr<const Compiled>>;

    /// What is wrong with a plan is said with the lines of the scenario that was compiled: each
    /// that shares it is compiled by itself, and told its own.
    static std::shared_ptr<const Compiled>
    made_or(const Shared& shared, const std::function<std::shared_ptr<const Compiled>()>& make) {
        try {
            return shared.get();
        } catch (const ScenarioError&) {
            return make();
        }
    }

    std::mutex mutex_;
    std::unordered_map<std::uint64_t, Shared> plans_;
    std::unordered_map<std::uint64_t, std::size_t> num_left_;
};

/// The error that ends all runs: of those that threw the first in the order of `runs`, however
/// they were made.
class FirstError {
  public:
    explicit FirstError(std::size_t num_runs) : first_{num_runs} {}

    /// Whether a run can still matter: those before the first error may have an earlier one.
    [[nodiscard]] bool lets(std::size_t i) const { return i < first_; }
    void note(std::size_t i, const std::exception_ptr& error) {
        const std::lock_guard lock{mutex_};
        if (i >= first_)
            return;
        first_ = i;
        error_ = error;
    }
    /// Lets no more runs begin.
    void stop(const std::exception_ptr& error) { note(0, error); }
    void throw_if_any() const {
        if (error_)
            std::rethrow_exception(error_);
    }

  private:
    std::mutex mutex_;
    std::atomic<std::size_t> first_;
    std::exception_ptr error_;
};

} // namespace

PlannedRun planned_run(std::size_t number, const Scenario& scenario, std::uint64_t seed) {
    return {number, seed, plan_key(scenario, seed), jobs_of(scenario) * weight_of(scenario.policy)};
}

void make_runs(std::span<const PlannedRun> runs, const ManyRuns& how) {
    const std::vector<std::size_t> order = order_of(runs);
    SharedPlans plans{runs};
    FirstError error{runs.size()};
    std::atomic<std::size_t> next{0};
    ProgressWatch progress{runs.size(), how.on_progress};
    const auto make = [&](std::size_t i, Workspace& workspace) {
        LoadedScenario loaded = how.load(runs[i].scenario);
        CompiledRun run{std::move(loaded.scenario), how.compiled};
        run.scenario.policy.seed = runs[i].seed;
        if (run.compiled == nullptr)
            run.compiled = plans.of(runs[i], [&] {
                return compile_plan(run.scenario, *loaded.catalogue, *loaded.workloads);
            });
        how.run(i, std::move(run), workspace);
    };
    const auto settle = [&](std::size_t i, const std::exception_ptr& thrown) {
        try {
            if (!how.on_error)
                error.note(i, thrown);
            else if (!how.on_error(i, thrown))
                error.stop(thrown);
        } catch (...) {
            error.stop(std::current_exception());
        }
    };
    const auto work = [&] {
        Workspace workspace;
        for (std::size_t n = next++; n < order.size(); n = next++) {
            const std::size_t i = order[n];
            try {
                if (error.lets(i))
                    make(i, workspace);
            } catch (...) {
                settle(i, std::current_exception());
            }
            plans.leave(runs[i]);
            if (progress.done() != nullptr)
                ++*progress.done();
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min(how.threads, runs.size()); ++i)
            others.emplace_back(work);
        work();
    }
    error.throw_if_any();
}

} // namespace bursar::inline tools
