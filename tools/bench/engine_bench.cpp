/// What an action of the engine costs (an arrival, a start, a stop or an end), full ledger on,
/// beside the floor: an arrival array and an event heap and nothing else. Arguments: jobs, GPUs,
/// load in percent. Every run checks its books.

#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "sim/arena/arena.hpp"
#include "sim/arena/quad_heap.hpp"
#include "sim/engine/attempts/event_key.hpp"

#include "tools/bench/bench_workload.hpp"
#include "tools/bench/bench_world.hpp"
#include "tools/bench/timed_run.hpp"

namespace bursar { inline namespace tools { namespace bench { namespace {

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

void report_memory(benchmark::State& state) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1000.0;
}

/// What is paid for: every node to the end, or from its launch to its end.
int128 paid_slot_time(const PlanPool& pool, const Outcome& outcome) {
    if (outcome.nodes.empty())
        return slot_time(pool.num_gpus() * slots_per_gpu, outcome.end).count();
    return slot_time(std::int64_t{pool.gpus_per_node} * slots_per_gpu, outcome.nodes[0].paid)
        .count();
}

/// Every paid slot-millisecond is in a leaf, and every tenant's work is among them.
void check_books(const Plan& plan, const Outcome& outcome) {
    int128 booked = 0;
    for (const SlotTime& cell : outcome.cells)
        booked += cell.count();
    const int128 paid = paid_slot_time(plan.pools[0], outcome);
    if (!outcome.money.empty()) {
        Money charged;
        for (const Money& cell : outcome.money)
            charged += cell;
        const Money cost_of_slot =
            plan.prices.of(plan.pools[0].price_series).between({}, outcome.end);
        if (charged != cost_of_slot * (plan.pools[0].num_gpus() * slots_per_gpu))
            throw std::runtime_error{"the money does not add up"};
    }
    std::vector<int128> work(plan.num_tenants, 0);
    for (std::uint32_t job = 0; job < plan.num_jobs(); ++job) {
        work[plan.tenant[job]] +=
            slot_time(plan.gpus(job) * slots_per_gpu, Duration{plan.work_ms[job]}).count();
    }
    bool adds_up = booked == paid && outcome.num_finished == plan.num_jobs() &&
                   outcome.num_started >= plan.num_jobs() + outcome.num_preempted &&
                   (plan.moves() || outcome.num_started == plan.num_jobs() + outcome.num_preempted);
    for (std::uint32_t tenant = 0; tenant < plan.num_tenants; ++tenant) {
        adds_up = adds_up && outcome.cell(0, tenant, Leaf::prod_useful).count() == work[tenant];
    }
    if (!adds_up)
        throw std::runtime_error{"the books do not add up"};
}

using EventHeap = QuadHeap<EventKey, NoPlaces>;

/// Arrivals and ends in order of time, no queue, no capacity, no ledger: what any simulator must
/// pay. The number of actions: a start is one, though it is no event. Not inlined, so that
/// callgrind can count inside it (cost_per_action).
[[gnu::noinline]] std::uint64_t replay_floor(const Plan& plan, EventHeap heap) {
    std::uint64_t actions = 0;
    for (std::uint32_t job = 0; job < plan.num_jobs(); ++job) {
        const std::int64_t now = plan.submit_ms[job];
        for (; !heap.empty() && heap.top().time_ms() <= now; ++actions)
            heap.pop();
        heap.push({now + plan.work_ms[job], EventKind::release, job % EventKey::max_slots});
        actions += 2;
    }
    for (; !heap.empty(); ++actions)
        heap.pop();
    return actions;
}

void floor_of_events(benchmark::State& state) {
    const Plan& plan = plan_for(state);
    Workspace workspace;
    ArenaCarver measure{nullptr};
    EventHeap{measure, static_cast<std::uint32_t>(plan.num_jobs())};
    ArenaCarver carver{workspace.reserve(measure.used())};
    const EventHeap heap{carver, static_cast<std::uint32_t>(plan.num_jobs())};
    std::uint64_t actions = 0;
    for (auto _ : state)
        actions = replay_floor(plan, heap);
    if (actions != 3 * plan.num_jobs())
        throw std::runtime_error{"the floor lost actions"};
    report(state, plan.num_jobs(), actions);
    report_memory(state);
}

/// The order is part of what is timed.
void time_runs(benchmark::State& state, const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    Outcome outcome;
    for (auto _ : state)
        outcome = order_and_run(plan, choice, workspace);
    check_books(plan, outcome);
    report(state, plan.num_jobs(), num_actions(outcome));
    report_memory(state);
}

/// As a batch runs: the same jobs again and again, in an order that was made once.
void simulate_scenarios(benchmark::State& state, const PolicyChoice& choice) {
    const Plan& plan = plan_for(state);
    const JobOrder order = order_for(plan, choice);
    Workspace workspace;
    Outcome outcome;
    for (auto _ : state)
        outcome = simulate_ledger(plan, order, choice, workspace);
    check_books(plan, outcome);
    report(state, plan.num_jobs(), num_actions(outcome));
    state.counters["scenarios_per_second"] =
        benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void simulate_jobs(benchmark::State& state, const PolicyChoice& choice) {
    time_runs(state, plan_for(state), choice);
}

/// As simulate_jobs, while the provider takes nodes back and others fail.
void simulate_worlds(benchmark::State& state, const PolicyChoice& choice) {
    Plan plan = plan_for(state);
    let_world_move(plan);
    time_runs(state, plan, choice);
}

/// As simulate_jobs, every job of one of four priorities.
void simulate_priorities(benchmark::State& state, const PolicyChoice& choice) {
    Plan plan = plan_for(state);
    std::mt19937_64 random{plan.num_jobs()};
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        plan.priority.push_back(static_cast<std::int32_t>(random() % 4));
    time_runs(state, plan, choice);
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

void world_axes(benchmark::internal::Benchmark* bench) {
    for (const std::int64_t jobs : {100'000, 1'000'000}) {
        for (const std::int64_t load : {80, 95, 99})
            bench->Args({jobs, 2'000, load});
    }
    bench->ArgNames({"jobs", "gpus", "load"})->Unit(benchmark::kMillisecond);
}

/// Of these loads, those that no other axes have.
void floor_axes(benchmark::internal::Benchmark* bench) {
    for (const std::int64_t jobs : {100'000, 1'000'000}) {
        for (const std::int64_t load : {80, 99})
            bench->Args({jobs, 2'000, load});
    }
}

/// A scenario that fits the cache.
void small_axes(benchmark::internal::Benchmark* bench) {
    for (const std::int64_t load : {95, 150})
        bench->Args({10'000, 2'000, load});
    bench->ArgNames({"jobs", "gpus", "load"})->Unit(benchmark::kMicrosecond);
}

/// As simulate_jobs, the jobs dealt out to as many tenants as the fourth argument says.
void simulate_tenants(benchmark::State& state, const PolicyChoice& choice) {
    Plan plan = plan_for(state);
    deal_to_tenants(plan, static_cast<std::uint16_t>(state.range(3)));
    time_runs(state, plan, choice);
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

/// As simulate_jobs, the price of every GPU in as many steps as the fourth argument says.
void simulate_prices(benchmark::State& state, const PolicyChoice& choice) {
    Plan plan = plan_for(state);
    const std::int64_t last_ms = plan.submit_ms.back();
    PriceSeries series;
    std::mt19937_64 random{44};
    for (std::int64_t step = 0; step < state.range(3); ++step) {
        series.start_ms.push_back(last_ms / state.range(3) * step);
        series.rate.push_back(500'000'000 + static_cast<std::int64_t>(random() % 900'000'000));
    }
    plan.pools[0].price_series = static_cast<std::uint16_t>(plan.prices.add(series));
    time_runs(state, plan, choice);
}

void price_axes(benchmark::internal::Benchmark* bench) {
    for (const std::int64_t load : {95, 150}) {
        for (const std::int64_t steps : {10, 1'000'000})
            bench->Args({1'000'000, 2'000, load, steps});
    }
    bench->ArgNames({"jobs", "gpus", "load", "steps"})->Unit(benchmark::kMillisecond);
}

/// What is timed, under the name that its row has.
struct Row {
    const char* name;
    PolicyChoice choice;
};

std::vector<Row> job_rows() {
    const HeadRule block = HeadRule::block;
    const HeadRule skip = HeadRule::skip;
    return {{"fifo_count", {"fifo", block, "count"}},
            {"fifo_nodes", {"fifo", block, "nodes"}},
            {"fifo_skip_count", {"fifo", skip, "count"}},
            {"sjf_count", {"sjf", block, "count"}},
            {"sjf_nodes", {"sjf", block, "nodes"}},
            {"srtf_count", {"srtf", skip, "count"}},
            {"srtf_nodes", {"srtf", skip, "nodes"}},
            {"las_count", {"las", skip, "count"}},
            {"las_nodes", {"las", skip, "nodes"}},
            {"easy_count", {"fifo", block, "count", "consolidated", "easy"}},
            {"easy_nodes", {"fifo", block, "nodes", "consolidated", "easy"}},
            {"conservative_count", {"fifo", block, "count", "consolidated", "conservative"}},
            {"gittins_count", {"gittins", skip, "count"}}};
}

std::vector<Row> scenario_rows() {
    return {{"fifo_count", {"fifo", HeadRule::block, "count"}},
            {"srtf_count", {"srtf", HeadRule::skip, "count"}},
            {"las_count", {"las", HeadRule::skip, "count"}},
            {"easy_count", {"fifo", HeadRule::block, "count", "consolidated", "easy"}}};
}

std::vector<Row> price_rows() {
    return {{"fifo_count", {"fifo", HeadRule::block, "count"}},
            {"srtf_count", {"srtf", HeadRule::skip, "count"}}};
}

std::vector<Row> world_rows() {
    return {{"srtf_count", {"srtf", HeadRule::skip, "count"}},
            {"srtf_nodes", {"srtf", HeadRule::skip, "nodes"}}};
}

std::vector<Row> priority_rows() {
    PolicyChoice preempting{"priority", HeadRule::block, "count"};
    preempting.preemption = "priority";
    return {{"priority_count", {"priority", HeadRule::block, "count"}},
            {"priority_nodes", {"priority", HeadRule::block, "nodes"}},
            {"priority_preempting_count", preempting}};
}

std::vector<Row> tenant_rows() {
    PolicyChoice decayed{"fair-share", HeadRule::block, "count"};
    decayed.queue_options.set("half_life", {7 * day.count()});
    return {{"fair_share_count", {"fair-share", HeadRule::block, "count"}},
            {"fair_share_skip_nodes", {"fair-share", HeadRule::skip, "nodes"}},
            {"fair_share_decayed_count", decayed},
            {"drf_count", {"drf", HeadRule::block, "count"}},
            {"multifactor_count", {"multifactor", HeadRule::block, "count"}},
            {"ftf_count", {"ftf", HeadRule::block, "count"}}};
}

using Simulate = void (*)(benchmark::State&, const PolicyChoice&);

benchmark::internal::Benchmark* add(const std::string& of, Simulate simulate, const Row& row) {
    return benchmark::RegisterBenchmark(
        (of + row.name).c_str(),
        [simulate, choice = row.choice](benchmark::State& state) { simulate(state, choice); });
}

void add_all() {
    benchmark::RegisterBenchmark("floor_of_events", floor_of_events)
        ->Apply(axes)
        ->Apply(floor_axes)
        ->Apply(small_axes);
    for (const Row& row : job_rows())
        add("simulate_jobs/", simulate_jobs, row)->Apply(axes);
    // The still world beside them, at loads that a fleet of which some is away can do.
    for (const Row& row : world_rows()) {
        add("simulate_worlds/", simulate_worlds, row)->Apply(world_axes);
        add("simulate_still_worlds/", simulate_jobs, row)->Apply(world_axes);
    }
    for (const Row& row : priority_rows())
        add("simulate_priorities/", simulate_priorities, row)->Apply(axes);
    for (const Row& row : price_rows())
        add("simulate_prices/", simulate_prices, row)->Apply(price_axes);
    for (const Row& row : tenant_rows())
        add("simulate_tenants/", simulate_tenants, row)->Apply(tenant_axes);
    for (const Row& row : scenario_rows())
        add("simulate_scenarios/", simulate_scenarios, row)->Apply(small_axes);
}

} // namespace
}}} // namespace bursar::tools::bench

int main(int argc, char** argv) {
    bursar::bench::add_all();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
