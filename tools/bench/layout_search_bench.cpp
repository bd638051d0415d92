#include <stdexcept>

#include <benchmark/benchmark.h>

#include "models/training/search/layout_search.hpp"

#include "scenarios/catalog/links_and_servers.hpp"

/// Layouts of a 175B model on 1,024 GPUs that a core evaluates per second: enumerated, checked,
/// sized and, where they fit, timed. Counters have how many were timed and how many each kind of
/// rule excluded; items/s counts those whose memory was computed.
namespace bursar { inline namespace tools { namespace {

Transformer gpt_175b() {
    Transformer model;
    model.name = "gpt-175b";
    model.layers = 96;
    model.hidden = 12288;
    model.ffn = 4 * 12288;
    model.heads = 96;
    model.kv_heads = 96;
    model.head_dim = 128;
    model.vocab = 51200;
    model.sequence = 2048;
    return model;
}

/// 8 A100 of 80 GB a node, 200 Gbit/s per GPU between nodes.
Cluster a100_cluster() {
    Gpu gpu;
    gpu.name = "A100-SXM4-80GB";
    gpu.vendor = "NVIDIA";
    gpu.memory_gb = 80;
    gpu.memory_bandwidth_gb_s = 2039;
    gpu.scaleup_gb_s = 300;
    gpu.links = builtin_links();
    gpu.servers = builtin_servers();
    gpu.dense_peak_tflops = {19.5, 156, 312, 312, std::nullopt};
    return make_cluster(gpu, 8, ByteRate{200e9});
}

void search(benchmark::State& state, Attention attention) {
    TrainingJob job;
    job.model = gpt_175b();
    job.sequence = job.model.sequence;
    job.attention = attention;
    const Cluster cluster = a100_cluster();
    const StackProfile profile;
    LayoutSpace space;
    space.gpus = 1024;
    space.global_batch = 1536;
    LayoutSearch found;
    for (auto _ : state)
        found = search_layouts(job, cluster, profile, space);
    // A fast search that finds nonsense must fail: the best layout keeps these GPUs busy.
    const double flop = 6 * 175e9 * 1536 * 2048;
    const double share =
        found.best.empty() ? 0 : flop / (found.best.front().step.count() * 1024 * 312e12);
    if (share < 0.2 || share > 1)
        throw std::runtime_error("the best layout's share of the peak cannot be");
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                            (found.evaluated + found.excluded_by_memory));
    state.counters["timed"] = static_cast<double>(found.evaluated);
    state.counters["timed/s"] = benchmark::Counter(static_cast<double>(state.iterations()) *
                                                       static_cast<double>(found.evaluated),
                                                   benchmark::Counter::kIsRate);
    state.counters["excluded_by_rule"] = static_cast<double>(found.excluded_by_rule);
    state.counters["excluded_by_memory"] = static_cast<double>(found.excluded_by_memory);
    state.counters["mfu"] = share;
}

BENCHMARK_CAPTURE(search, flash, Attention::flash2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, unfused, Attention::unfused)->Unit(benchmark::kMillisecond);

} // namespace
}} // namespace bursar::tools

BENCHMARK_MAIN();
