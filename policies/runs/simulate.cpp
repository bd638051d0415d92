#include "policies/runs/simulate.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>

#include "sim/plan/check_plan.hpp"
#include "sim/record/recorder.hpp"

#include "policies/preemption/registry.hpp"
#include "policies/queue/registry.hpp"
#include "policies/runs/engine_instances.hpp"
#include "policies/runs/make_allocator.hpp"

namespace bursar { inline namespace policies {

namespace {

/// Measures the time in the decisions of an allocator.
class TimedAllocator final : public Allocator {
  public:
    explicit TimedAllocator(Allocator& timed) : timed_{timed} {}

    void begin() override { timed_.begin(); }
    void allocate(const AllocationView& view, std::vector<AllocationRow>& rows) override {
        const auto begin = std::chrono::steady_clock::now();
        timed_.allocate(view, rows);
        time_ += std::chrono::steady_clock::now() - begin;
    }
    [[nodiscard]] bool moves_with_time() const override { return timed_.moves_with_time(); }
    [[nodiscard]] std::span<const JobId> refused() const override { return timed_.refused(); }
    [[nodiscard]] std::string remark() const override { return timed_.remark(); }
    [[nodiscard]] std::chrono::nanoseconds time() const { return time_; }

  private:
    Allocator& timed_;
    std::chrono::nanoseconds time_{};
};

/// One run of the engine under a choice, with its allocator, if it has one.
Outcome run_with_allocator(const Plan& plan,
                           const JobOrder& order,
                           const PolicyChoice& choice,
                           EngineChoice resolved,
                           Workspace& workspace,
                           const std::function<RunRecorder&()>& make_recorder,
                           AllocatorWork* work = nullptr) {
    const std::unique_ptr<Allocator> allocator = make_allocator(choice, plan);
    if (allocator == nullptr)
        return run_choice<RunRecorder>(plan, order, resolved, workspace, make_recorder);
    TimedAllocator timed{*allocator};
    AllocatorRun run{timed};
    resolved.options.allocator = &run;
    Outcome outcome = run_choice<RunRecorder>(plan, order, resolved, workspace, make_recorder);
    if (work != nullptr)
        *work = {timed.time(), timed.remark()};
    return outcome;
}

Run record_run(const Plan& plan,
               const JobOrder& order,
               const PolicyChoice& choice,
               Recording wanted,
               Workspace& workspace) {
    assert(!check_plan(plan));
    const EngineChoice resolved = engine_choice(plan, choice);
    wanted.watch = resolved.watch;
    RunRecorder recorder;
    const auto make_recorder = [&]() -> RunRecorder& {
        if (wanted.watcher != nullptr)
            wanted.watcher->begun();
        return recorder = RunRecorder{plan, wanted};
    };
    Run run;
    run.outcome =
        run_with_allocator(plan, order, choice, resolved, workspace, make_recorder, &run.allocator);
    run.jobs = recorder.take_jobs(run.outcome.end);
    run.timeline = recorder.take_timeline();
    run.places = recorder.take_places();
    run.paid = recorder.take_paid();
    run.by_time = recorder.take_buckets();
    return run;
}

} // namespace

Run simulate(const Plan& plan,
             const JobOrder& order,
             const PolicyChoice& choice,
             Record wanted,
             Workspace& workspace,
             std::atomic<std::uint64_t>* finished_jobs,
             const std::optional<BucketWidth>& buckets) {
    return record_run(plan,
                      order,
                      choice,
                      {.timeline = wanted == Record::timeline,
                       .finished_jobs = finished_jobs,
                       .buckets = buckets},
                      workspace);
}

Run simulate_watched(const Plan& plan,
                     const JobOrder& order,
                     const PolicyChoice& choice,
                     Workspace& workspace,
                     RunWatcher& watcher) {
    return record_run(plan, order, choice, {.watcher = &watcher}, workspace);
}

Outcome simulate_ledger(const Plan& plan,
                        const JobOrder& order,
                        const PolicyChoice& choice,
                        Workspace& workspace) {
    assert(!check_plan(plan));
    RunRecorder nothing;
    return run_with_allocator(
        plan, order, choice, engine_choice(plan, choice), workspace, [&]() -> RunRecorder& {
            return nothing;
        });
}

namespace {

/// Whether the queue's order reads keys at events only.
bool tests_at_events(const PolicyChoice& choice) {
    bool tests = false;
    QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
        if constexpr (RuleOf<P>::traits.tests_at_events)
            tests = with_options<P>(choice.queue_options).tests_at_events();
    });
    return tests;
}

/// The reason why every round must be processed; empty: none.
std::string_view done_at_every_round(const PolicyChoice& choice) {
    if (choice.allocator != allocator_none)
        return "the allocator decides";
    const std::string_view preemption = preemption_of(choice);
    if (preemption == PreemptByQuantum::name)
        return "jobs take turns";
    if (preemption == PreemptByValue::name)
        return "stops are weighed";
    if (preemption == PreemptByOrder::name && tests_at_events(choice))
        return "attained service is compared";
    return {};
}

} // namespace

std::optional<std::string> round_limit(const Plan& plan, const PolicyChoice& choice) {
    const std::string_view what = done_at_every_round(choice);
    if (choice.quantum == Duration{} || what.empty() || plan.num_jobs() == 0)
        return std::nullopt;
    std::int64_t last_ms = 0; // the run lasts at least to here
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        last_ms = std::max(last_ms, plan.submit_ms[job] + plan.work_ms[job]);
    const std::int64_t rounds = plan.until.value_or(Duration{last_ms}) / choice.quantum;
    if (rounds <= max_rounds)
        return std::nullopt;
    return "too many rounds (up to " + std::to_string(rounds) + ", and " + std::string{what} +
           " at each; at most " + std::to_string(max_rounds) +
           "); use longer rounds, or an earlier `until`";
}

}} // namespace bursar::policies
