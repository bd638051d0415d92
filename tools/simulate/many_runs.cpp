#include "tools/simulate/many_runs.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <future>
#include <iterator>
#include <mutex>
#include <numeric>
#include <optional>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "scenarios/compile/plan_key.hpp"

namespace bursar { inline namespace tools {
namespace {

/// Time per job under an order or a backfill, relative to fifo. Measured at load 0.95 to 1.5 on
/// 2,000 GPUs, one core (tools/bench). Only the order of runs depends on it.
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

/// The number of jobs; of a trace, which is not read yet, the same guess for all runs.
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

/// The runs in the order in which they are made.
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

/// The plans of the runs that are being made. Each is released with the last run that needs it.
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

    /// Messages about a plan name lines of the scenario that was compiled. So each scenario that
    /// shares a wrong plan is compiled by itself, and gets its own message.
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

/// The error that ends all runs: that of the first of `runs` that threw, whatever order they were
/// made in.
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

/// How many runs fit into memory at once: their plans, their rows, and both again on a device.
class PartRoom {
  public:
    [[nodiscard]] bool is_full() const { return num_runs_ >= most_runs || bytes_ >= most_bytes; }
    void add_run() { ++num_runs_; }
    void add(const std::shared_ptr<const Compiled>& plan) {
        constexpr std::size_t row_bytes = 96;
        constexpr std::size_t column_bytes = 64;
        const bool is_new = plans_.insert(plan.get()).second;
        bytes_ += plan->plan.num_jobs() * (row_bytes + (is_new ? column_bytes : 0));
    }

  private:
    static constexpr std::size_t most_runs = 8'192;
    static constexpr std::size_t most_bytes = std::size_t{2} << 30;

    std::size_t num_runs_{};
    std::size_t bytes_{};
    std::unordered_set<const Compiled*> plans_;
};

/// Makes many runs.
class RunMaker {
  public:
    RunMaker(std::span<const PlannedRun> runs, const ManyRuns& how)
        : runs_{runs}, how_{how}, order_{order_of(runs)}, plans_{runs}, error_{runs.size()},
          progress_{runs.size(), how.on_progress}, workspaces_(std::min(how.threads, runs.size())) {
    }

    void make_each() {
        on_threads([&](Workspace& workspace) {
            for (std::size_t n = next_++; n < order_.size(); n = next_++) {
                const std::size_t i = order_[n];
                attempt(i, [&] { how_.run(i, compiled(i), workspace); });
                leave(i);
            }
        });
    }

    /// Compiles a part of all runs, makes them ahead together, and runs them; then the next part.
    void make_ahead() {
        while (next_ < order_.size()) {
            std::vector<Part> part = compile_part();
            std::vector<CompiledRun*> ahead;
            for (Part& one : part)
                if (one.run)
                    ahead.push_back(&*one.run);
            how_.ahead(ahead, order_.size() - next_);
            std::atomic<std::size_t> place{0};
            on_threads([&](Workspace& workspace) {
                for (std::size_t n = place++; n < part.size(); n = place++) {
                    const std::size_t i = part[n].number;
                    if (part[n].run)
                        attempt(i, [&] { how_.run(i, *std::move(part[n].run), workspace); });
                    part[n].run.reset();
                    leave(i);
                }
            });
        }
    }

    void throw_if_any() const { error_.throw_if_any(); }

  private:
    struct Part {
        std::size_t number{}; ///< of the run
        std::optional<CompiledRun> run{};
    };

    template <class Work>
    void on_threads(const Work& work) {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < workspaces_.size(); ++i)
            others.emplace_back([&, i] { work(workspaces_[i]); });
        work(workspaces_.front());
    }

    CompiledRun compiled(std::size_t i) {
        LoadedScenario loaded = how_.load(runs_[i].scenario);
        CompiledRun run{std::move(loaded.scenario), how_.compiled};
        run.scenario.policy.seed = runs_[i].seed;
        if (run.compiled == nullptr)
            run.compiled = plans_.of(runs_[i], [&] {
                return compile_plan(run.scenario, *loaded.catalogue, *loaded.workloads);
            });
        return run;
    }

    std::vector<Part> compile_part() {
        std::deque<Part> part; // which stay in place
        PartRoom room;
        std::mutex mutex;
        const auto take = [&]() -> Part* {
            const std::lock_guard lock{mutex};
            if (room.is_full() || next_ >= order_.size())
                return nullptr;
            room.add_run();
            return &part.emplace_back(Part{order_[next_++]});
        };
        on_threads([&](Workspace&) {
            while (Part* one = take()) {
                attempt(one->number, [&] { one->run = compiled(one->number); });
                const std::lock_guard lock{mutex};
                if (one->run)
                    room.add(one->run->compiled);
            }
        });
        return {std::move_iterator{part.begin()}, std::move_iterator{part.end()}};
    }

    template <class Act>
    void attempt(std::size_t i, const Act& act) {
        try {
            if (error_.lets(i))
                act();
        } catch (...) {
            settle(i, std::current_exception());
        }
    }

    void settle(std::size_t i, const std::exception_ptr& thrown) {
        try {
            if (!how_.on_error)
                error_.note(i, thrown);
            else if (!how_.on_error(i, thrown))
                error_.stop(thrown);
        } catch (...) {
            error_.stop(std::current_exception());
        }
    }

    void leave(std::size_t i) {
        plans_.leave(runs_[i]);
        if (progress_.done() != nullptr)
            ++*progress_.done();
    }

    std::span<const PlannedRun> runs_;
    const ManyRuns& how_;
    std::vector<std::size_t> order_;
    SharedPlans plans_;
    FirstError error_;
    ProgressWatch progress_;
    std::vector<Workspace> workspaces_; ///< one per thread
    std::atomic<std::size_t> next_{0};  ///< in order_
};

} // namespace

PlannedRun planned_run(std::size_t number, const Scenario& scenario, std::uint64_t seed) {
    return {number, seed, plan_key(scenario, seed), jobs_of(scenario) * weight_of(scenario.policy)};
}

void make_runs(std::span<const PlannedRun> runs, const ManyRuns& how) {
    if (runs.empty())
        return;
    RunMaker maker{runs, how};
    if (how.ahead)
        maker.make_ahead();
    else
        maker.make_each();
    maker.throw_if_any();
}

}} // namespace bursar::tools
