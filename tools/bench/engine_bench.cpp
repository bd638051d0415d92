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

/// Every paid slot-millisecond is in a leaf, and every tenant's work is among them.
void check_books(const Plan& plan, const Outcome& outcome) {
    int128 booked = 0;
    for (const SlotTime& cell : outcome.cells)
        booked += cell.count();
    const int128 paid = slot_time(plan.pools[0].num_gpus() * slots_per_gpu, outcome.end).count();
    std::vector<int128> work(plan.num_tenants, 0);
    for (std::uint32_t job = 0; job < plan.num_jobs(); ++job) {
        work[plan.tenant[job]] +=
            slot_time(plan.gpus(job) * slots_per_gpu, Duration{plan.work_ms[job]}).count();
    }
    bool adds_up = booked == paid && outcome.num_finished == plan.num_jobs() &&
                   outcome.num_started == plan.num_jobs() + outcome.num_preempted;
    for (std::uint32_t tenant = 0; tenant < plan.num_tenants; ++tenant) {
        adds_up = adds_up && outcome.cell(0, tenant, Leaf::prod_useful).count() == work[tenant];
    }
    if (!adds_up)
        throw std::runtime_error{"the books do not add up"};
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

/// As simulate_jobs, the jobs dealt out to as many tenants as the fourth argument says.
void simulate_tenants(benchmark::State& state, const PolicyChoice& choice) {
    Plan plan = plan_for(state);
    deal_to_tenants(plan, static_cast<std::uint16_t>(state.range(3)));
    Workspace workspace;
    Run run;
    for (auto _ : state) {
        const JobOrder order = order_for(plan, choice);
        run = simulate(plan, order, choice, Record::ledger, workspace);
    }
    check_books(plan, run.outcome);
    report(state, run.outcome.events);
}

void tenant_axes(benchmark::internal::Benchmark* bench) {
    for (const std::int64_t jobs : {100'000, 1'000'000}) {
        for (const std::int64_t load : {95, 150}) {
            for (const std::int64_t tenants : {64, 1'000})
                bench->Args({jobs, 2'000, load, tenants});
        }
    }
    bench->ArgNames({"jobs", "gpus", "load", "tenants"})->Unit(benchmark::kMillisecond);
}

PolicyChoice half_life_of_a_week() {
    PolicyChoice choice{"fair-share", HeadRule::block, "count", ""};
    choice.queue_options.set("half_life", {7 * day.count()});
    return choice;
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
BENCHMARK_CAPTURE(simulate_jobs, srtf_count, (PolicyChoice{"srtf", HeadRule::skip, "count", ""}))
    ->Apply(axes);
BENCHMARK_CAPTURE(simulate_jobs,
                  srtf_nodes,
                  (PolicyChoice{"srtf", HeadRule::skip, "nodes", "consolidated"}))
    ->Apply(axes);
BENCHMARK_CAPTURE(simulate_jobs, las_count, (PolicyChoice{"las", HeadRule::skip, "count", ""}))
    ->Apply(axes);
BENCHMARK_CAPTURE(simulate_jobs,
                  las_nodes,
                  (PolicyChoice{"las", HeadRule::skip, "nodes", "consolidated"}))
    ->Apply(axes);
BENCHMARK_CAPTURE(simulate_tenants,
                  fair_share_count,
                  (PolicyChoice{"fair-share", HeadRule::block, "count", ""}))
    ->Apply(tenant_axes);
BENCHMARK_CAPTURE(simulate_tenants,
                  fair_share_skip_nodes,
                  (PolicyChoice{"fair-share", HeadRule::skip, "nodes", "consolidated"}))
    ->Apply(tenant_axes);
BENCHMARK_CAPTURE(simulate_tenants, fair_share_decayed_count, half_life_of_a_week())
    ->Apply(tenant_axes);
BENCHMARK_CAPTURE(simulate_tenants, drf_count, (PolicyChoice{"drf", HeadRule::block, "count", ""}))
    ->Apply(tenant_axes);
BENCHMARK_CAPTURE(simulate_tenants,
                  multifactor_count,
                  (PolicyChoice{"multifactor", HeadRule::block, "count", ""}))
    ->Apply(tenant_axes);
BENCHMARK_CAPTURE(simulate_tenants, ftf_count, (PolicyChoice{"ftf", HeadRule::block, "count", ""}))
    ->Apply(tenant_axes);
BENCHMARK_CAPTURE(simulate_tenants,
                  gittins_count,
                  (PolicyChoice{"gittins", HeadRule::skip, "count", ""}))
    ->Apply(tenant_axes);

BENCHMARK_CAPTURE(simulate_jobs,
                  easy_count,
                  (PolicyChoice{"fifo", HeadRule::block, "count", "", "easy"}))
    ->Apply(axes);
BENCHMARK_CAPTURE(simulate_jobs,
                  easy_nodes,
                  (PolicyChoice{"fifo", HeadRule::block, "nodes", "consolidated", "easy"}))
    ->Apply(axes);
BENCHMARK_CAPTURE(simulate_jobs,
                  conservative_count,
                  (PolicyChoice{"fifo", HeadRule::block, "count", "", "conservative"}))
    ->Apply(axes);

} // namespace
} // namespace bursar::bench

BENCHMARK_MAIN();
