/// Jobs per second of the engine, full ledger on, beside the floor: an arrival array and an event
/// heap and nothing else. Arguments: jobs, GPUs, load in percent. Every run checks its books.

#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "policies/simulate.hpp"

#include "tools/bench/bench_workload.hpp"

namespace bursar::bench {
namespace {

const Plan& plan_for(const benchmark::State& state) {
    // One plan at a time: at 1e7 jobs two would not leave the memory figure readable.
    static std::tuple<std::int64_t, std::int64_t, std::int64_t> held{};
    static Plan plan;
    const std::tuple wanted{state.range(0), state.range(1), state.range(2)};
    if (held != wanted) {
        plan = Plan{};
        plan = make_plan(static_cast<std::uint32_t>(state.range(0)),
                         static_cast<std::uint32_t>(state.range(1)),
                         static_cast<double>(state.range(2)) / 100.0);
        held = wanted;
    }
    return plan;
}

void report(benchmark::State& state, std::uint64_t events_per_run) {
    const auto runs = static_cast<double>(state.iterations());
    state.SetItemsProcessed(state.iterations() * state.range(0));
    state.counters["time_per_event"] =
        benchmark::Counter(runs * static_cast<double>(events_per_run),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1000.0;
}

/// Every paid slot-millisecond is in a leaf, and every job's work is among them.
void check_books(const Plan& plan, const Outcome& outcome) {
    int128 booked = 0;
    for (const SlotTime& cell : outcome.cells)
        booked += cell.count();
    const int128 paid = slot_time(plan.pools[0].num_gpus() * slots_per_gpu, outcome.end).count();
    int128 work = 0;
    for (std::uint32_t job = 0; job < plan.num_jobs(); ++job) {
        work += slot_time(plan.gpus(job) * slots_per_gpu, Duration{plan.work_ms[job]}).count();
    }
    if (booked != paid || outcome.num_finished != plan.num_jobs() ||
        outcome.cell(0, 0, Leaf::prod_useful).count() != work) {
        throw std::runtime_error{"the books do not add up"};
    }
}

/// Arrivals and ends in order of time, no queue, no capacity, no ledger: what any simulator must
/// pay. Not inlined, so that instructions can be counted inside it (instructions_per_event).
[[gnu::noinline]] std::uint64_t replay_floor(const Plan& plan, EventHeap heap) {
    std::uint64_t events = 0;
    for (std::uint32_t job = 0; job < plan.num_jobs(); ++job) {
        const std::int64_t now = plan.submit_ms[job];
        for (; !heap.empty() && heap.top().time_ms() <= now; ++events)
            heap.pop();
        heap.push({now + plan.work_ms[job], EventKind::release, job % EventKey::max_slots});
        ++events;
    }
    for (; !heap.empty(); ++events)
        heap.pop();
    return events;
}

void floor_of_events(benchmark::State& state) {
    const Plan& plan = plan_for(state);
    Workspace workspace;
    ArenaCarver measure{nullptr};
    EventHeap{measure, static_cast<std::uint32_t>(plan.num_jobs())};
    ArenaCarver carver{workspace.reserve(measure.used())};
    const EventHeap heap{carver, static_cast<std::uint32_t>(plan.num_jobs())};
    std::uint64_t events = 0;
    for (auto _ : state)
        events = replay_floor(plan, heap);
    if (events != 2 * plan.num_jobs())
        throw std::runtime_error{"the floor lost events"};
    report(state, events);
}

void simulate_jobs(benchmark::State& state, const PolicyChoice& choice) {
    const Plan& plan = plan_for(state);
    Workspace workspace;
    Run run;
    for (auto _ : state) {
        const JobOrder order = order_for(plan, choice);
        run = simulate(plan, order, choice, Record::ledger, workspace);
    }
    check_books(plan, run.outcome);
    report(state, run.outcome.events);
}

void axes(benchmark::internal::Benchmark* bench) {
    for (const std::int64_t jobs : {100'000, 1'000'000, 10'000'000}) {
        for (const std::int64_t gpus : {2'000, 50'000}) {
            for (const std::int64_t load : {95, 150})
                bench->Args({jobs, gpus, load});
        }
    }
    bench->ArgNames({"jobs", "gpus", "load"})->Unit(benchmark::kMillisecond);
}

BENCHMARK(floor_of_events)->Apply(axes);
BENCHMARK_CAPTURE(simulate_jobs, fifo_count, (PolicyChoice{"fifo", HeadRule::block, "count", ""}))
    ->Apply(axes);
BENCHMARK_CAPTURE(simulate_jobs,
                  fifo_nodes,
                  (PolicyChoice{"fifo", HeadRule::block, "nodes", "consolidated"}))
    ->Apply(axes);
BENCHMARK_CAPTURE(simulate_jobs,
                  fifo_skip_count,
                  (PolicyChoice{"fifo", HeadRule::skip, "count", ""}))
    ->Apply(axes);
BENCHMARK_CAPTURE(simulate_jobs, sjf_count, (PolicyChoice{"sjf", HeadRule::block, "count", ""}))
    ->Apply(axes);
BENCHMARK_CAPTURE(simulate_jobs,
                  sjf_nodes,
                  (PolicyChoice{"sjf", HeadRule::block, "nodes", "consolidated"}))
    ->Apply(axes);

} // namespace
} // namespace bursar::bench

BENCHMARK_MAIN();
