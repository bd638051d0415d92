/// The engine beside a scheduler that sorts everything again at every event: the same schedule to
/// the last attempt, and how many times longer it takes. Arguments: jobs, load in percent.

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <stdexcept>
#include <string>

#include <benchmark/benchmark.h>

#include "policies/runs/simulate.hpp"

#include "tools/bench/attempt_digest.hpp"
#include "tools/bench/bench_workload.hpp"
#include "tools/bench/naive_replay.hpp"

namespace bursar { inline namespace tools { namespace bench { namespace {

constexpr std::uint32_t num_gpus = 2'000;
constexpr std::int64_t gpu_second = 1000;

PolicyChoice choice_of(NaiveOrder order) {
    PolicyChoice choice{"fifo", HeadRule::block, std::string{capacity_count}};
    switch (order) {
    case NaiveOrder::fifo:
        break;
    case NaiveOrder::sjf:
        choice.queue = "sjf";
        break;
    case NaiveOrder::srtf:
        choice.queue = "srtf";
        break;
    case NaiveOrder::las:
        choice.queue = "las";
        choice.queue_options.set("levels", {3250 * gpu_second, 7200 * gpu_second});
        break;
    case NaiveOrder::priority:
        choice.queue = "priority";
        choice.preemption = "order";
        break;
    }
    return choice;
}

Plan plan_with_priorities(benchmark::State& state) {
    Plan plan = make_plan(static_cast<std::uint32_t>(state.range(0)),
                          num_gpus,
                          static_cast<double>(state.range(1)) / 100.0);
    std::mt19937_64 random{7};
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        plan.priority.push_back(static_cast<std::int32_t>(random() % 4));
    return plan;
}

double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// CPU time, best of three, with everything it keeps: the order, the queue, the ledger.
double seconds_of_engine(const Plan& plan, const PolicyChoice& choice) {
    double best_s = 1e9;
    for (int i = 0; i < 3; ++i) {
        Workspace workspace;
        const double begin_s = cpu_seconds();
        const Outcome outcome = simulate_ledger(plan, order_for(plan, choice), choice, workspace);
        benchmark::DoNotOptimize(outcome.fingerprint);
        best_s = std::min(best_s, cpu_seconds() - begin_s);
    }
    return best_s;
}

void sort_again(benchmark::State& state, NaiveOrder order) {
    const Plan plan = plan_with_priorities(state);
    const PolicyChoice choice = choice_of(order);
    AttemptDigest naive;
    const double begin_s = cpu_seconds();
    for (auto _ : state)
        naive = NaiveReplay{plan, order, {3250 * gpu_second, 7200 * gpu_second}}.run();
    const double naive_s = (cpu_seconds() - begin_s) / static_cast<double>(state.iterations());
    if (naive != digest_of_engine(plan, choice))
        throw std::runtime_error{"the naive schedule differs from the engine's"};
    const double engine_s = seconds_of_engine(plan, choice);
    state.counters["engine_ms"] = 1e3 * engine_s;
    state.counters["times_slower"] = naive_s / engine_s;
    state.counters["preempted"] = static_cast<double>(naive.num_preempted());
}

void axes(benchmark::internal::Benchmark* bench) {
    for (const std::int64_t jobs : {10'000, 40'000}) {
        for (const std::int64_t load : {95, 150})
            bench->Args({jobs, load});
    }
    bench->ArgNames({"jobs", "load"})->Unit(benchmark::kMillisecond)->Iterations(1);
}

BENCHMARK_CAPTURE(sort_again, fifo, NaiveOrder::fifo)->Apply(axes);
BENCHMARK_CAPTURE(sort_again, sjf, NaiveOrder::sjf)->Apply(axes);
BENCHMARK_CAPTURE(sort_again, srtf, NaiveOrder::srtf)->Apply(axes);
BENCHMARK_CAPTURE(sort_again, las, NaiveOrder::las)->Apply(axes);
BENCHMARK_CAPTURE(sort_again, priority, NaiveOrder::priority)->Apply(axes);

} // namespace
}}} // namespace bursar::tools::bench

BENCHMARK_MAIN();
