/// What an action costs under the placements that score nodes, full ledger on. Arguments: jobs,
/// nodes of 8 GPUs, load in percent. Every run checks its books.

#include <random>
#include <stdexcept>
#include <tuple>

#include <benchmark/benchmark.h>

#include "tools/bench/bench_workload.hpp"
#include "tools/bench/timed_run.hpp"

namespace bursar { inline namespace tools { namespace bench { namespace {

/// What the plan's jobs ask for beside whole GPUs on one node.
enum class Demand { whole_gpus, shares_and_cpu, racks };

/// make_plan's jobs, half of those of one GPU asking for a part of it, all with CPU and memory:
/// nodes have 96 cores and 768 GiB, most jobs ask for less than their GPUs' share of that.
void ask_for_shares_and_cpu(Plan& plan) {
    plan.pools[0].cpu_milli = 96'000;
    plan.pools[0].memory_mib = 768 * 1024;
    plan.shapes.clear();
    const auto add = [&](std::uint32_t gpus, std::uint16_t slots, std::uint32_t cpu) {
        JobShape shape{gpus, 1};
        shape.gpu_slots = slots;
        shape.cpu_milli = cpu;
        shape.memory_mib = cpu * 8;
        plan.shapes.push_back(shape);
    };
    const std::uint16_t slots[] = {200, 250, 500, 750};
    for (const std::uint16_t part : slots)
        add(1, part, 4'000);
    add(1, slots_per_gpu, 8'000);
    add(1, slots_per_gpu, 14'000);
    for (const std::uint32_t gpus : {2U, 4U, 8U})
        add(gpus, slots_per_gpu, gpus * 10'000);
    std::mt19937_64 random{7};
    for (std::uint16_t& shape : plan.shape)
        shape = static_cast<std::uint16_t>(shape == 0 ? random() % 6 : shape + 5U);
}

/// A tenth of the jobs becomes gangs of 16 to 64 GPUs, in racks of 8 nodes and pods of 32.
void ask_for_racks(Plan& plan) {
    const std::uint32_t nodes = plan.pools[0].num_nodes;
    plan.num_levels = 4;
    for (const std::uint32_t size : {1U, 8U, 32U, nodes}) {
        plan.level_begin.push_back(static_cast<std::uint32_t>(plan.node_group.size()));
        for (std::uint32_t node = 0; node < nodes; ++node)
            plan.node_group.push_back(node / size);
    }
    plan.shapes = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {16, 1}, {24, 1}, {32, 1}, {64, 1}};
    plan.shapes[4].required_level = 1;
    plan.shapes[6].preferred_level = 1;
    std::mt19937_64 random{7};
    for (std::uint16_t& shape : plan.shape)
        shape = static_cast<std::uint16_t>(random() % 40 == 0 ? 4 + random() % 4 : shape);
}

std::int64_t slots_of(const Plan& plan, std::uint32_t job) {
    return plan.shapes[plan.shape[job]].slots();
}

/// Stretches the time between submits so that the load is what was asked for.
void settle_load(Plan& plan, double load) {
    double asked = 0;
    for (std::uint32_t job = 0; job < plan.num_jobs(); ++job)
        asked += static_cast<double>(slots_of(plan, job)) * static_cast<double>(plan.work_ms[job]);
    const double held = static_cast<double>(plan.pools[0].num_gpus() * slots_per_gpu) *
                        static_cast<double>(plan.submit_ms.back());
    for (std::int64_t& submit : plan.submit_ms)
        submit = static_cast<std::int64_t>(static_cast<double>(submit) * asked / held / load);
}

const Plan& plan_for(const benchmark::State& state, Demand demand) {
    static std::tuple<std::int64_t, std::int64_t, std::int64_t, Demand> held{};
    static Plan plan;
    const std::tuple wanted{state.range(0), state.range(1), state.range(2), demand};
    if (held != wanted) {
        const double load = static_cast<double>(state.range(2)) / 100.0;
        plan = make_plan(static_cast<std::uint32_t>(state.range(0)),
                         static_cast<std::uint32_t>(state.range(1) * 8),
                         load);
        if (demand == Demand::shares_and_cpu)
            ask_for_shares_and_cpu(plan);
        if (demand == Demand::racks)
            ask_for_racks(plan);
        settle_load(plan, load);
        held = wanted;
    }
    return plan;
}

/// Every paid slot-millisecond is in a leaf, and every job's work is among them.
void check_books(const Plan& plan, const Outcome& outcome) {
    int128 booked = 0;
    for (const SlotTime& cell : outcome.cells)
        booked += cell.count();
    const int128 paid = slot_time(plan.pools[0].num_gpus() * slots_per_gpu, outcome.end).count();
    int128 work = 0;
    for (std::uint32_t job = 0; job < plan.num_jobs(); ++job)
        work += slot_time(slots_of(plan, job), Duration{plan.work_ms[job]}).count();
    if (booked != paid || outcome.num_finished != plan.num_jobs() ||
        outcome.cell(0, 0, Leaf::prod_useful).count() != work)
        throw std::runtime_error{"the books do not add up"};
}

void place_jobs(benchmark::State& state, const char* placement, HeadRule head, Demand demand) {
    const Plan& plan = plan_for(state, demand);
    const PolicyChoice choice{"fifo", head, "nodes", placement};
    Workspace workspace;
    Outcome outcome;
    for (auto _ : state)
        outcome = order_and_run(plan, choice, workspace);
    check_books(plan, outcome);
    report(state, plan.num_jobs(), num_actions(outcome));
}

void axes(benchmark::internal::Benchmark* bench, std::int64_t nodes) {
    for (const std::int64_t jobs : {100'000, 1'000'000}) {
        for (const std::int64_t load : {95, 150})
            bench->Args({jobs, nodes, load});
    }
    bench->ArgNames({"jobs", "nodes", "load"})->Unit(benchmark::kMillisecond);
}
void large(benchmark::internal::Benchmark* bench) {
    axes(bench, 1000);
}
void small(benchmark::internal::Benchmark* bench) {
    axes(bench, 250);
}

BENCHMARK_CAPTURE(place_jobs, fgd, "fgd", HeadRule::block, Demand::shares_and_cpu)->Apply(large);
BENCHMARK_CAPTURE(place_jobs, fgd_skip, "fgd", HeadRule::skip, Demand::shares_and_cpu)
    ->Apply(large);
BENCHMARK_CAPTURE(place_jobs, dot_product, "dot-product", HeadRule::block, Demand::shares_and_cpu)
    ->Apply(large);
BENCHMARK_CAPTURE(
    place_jobs, dot_product_skip, "dot-product", HeadRule::skip, Demand::shares_and_cpu)
    ->Apply(large);
BENCHMARK_CAPTURE(
    place_jobs, best_fit, "best-fit-decreasing", HeadRule::block, Demand::shares_and_cpu)
    ->Apply(large);
BENCHMARK_CAPTURE(place_jobs, random, "random", HeadRule::block, Demand::shares_and_cpu)
    ->Apply(large);
BENCHMARK_CAPTURE(place_jobs, fgd_whole, "fgd", HeadRule::block, Demand::whole_gpus)->Apply(large);
BENCHMARK_CAPTURE(place_jobs, topology, "topology", HeadRule::block, Demand::racks)->Apply(small);
BENCHMARK_CAPTURE(place_jobs, topology_skip, "topology", HeadRule::skip, Demand::racks)
    ->Apply(small);
BENCHMARK_CAPTURE(place_jobs, consolidated_racks, "consolidated", HeadRule::block, Demand::racks)
    ->Apply(small);

} // namespace
}}} // namespace bursar::tools::bench

BENCHMARK_MAIN();
