#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "models/errors/model_error.hpp"
#include "models/training/job/check_layout.hpp"
#include "models/training/memory/memory_fit.hpp"
#include "models/training/search/layout_search.hpp"

#include "tests/models/training/memory/memory_fixture.hpp"

namespace bursar::layout_search_test {
namespace {

using test::a100_cluster;
using test::gpt;
using test::megatron;

/// Every combination of small numbers, without any rule of the search, except those that
/// check_layout refuses and those of other GPUs or another batch.
std::vector<Layout>
every_layout(const TrainingJob& job, const Cluster& cluster, LayoutSpace space) {
    std::vector<Layout> all;
    const auto consider = [&](const Layout& layout) {
        TrainingJob laid = job;
        laid.layout = layout;
        if (layout.gpus() == space.gpus && layout.global_batch() == space.global_batch &&
            !layout_fault(laid, cluster))
            all.push_back(layout);
    };
    const auto options = [&](Layout layout) {
        for (layout.micro_batch = 1; layout.micro_batch <= space.largest_micro_batch;
             layout.micro_batch *= 2)
            for (layout.micro_batches = 1; layout.micro_batches <= space.global_batch;
                 ++layout.micro_batches)
                for (const Recomputation& recompute : space.recompute)
                    for (const Sharding sharding : space.sharding)
                        for (const bool sequence : {false, true}) {
                            layout.recompute = recompute;
                            layout.sharding = sharding;
                            layout.sequence_parallel = sequence;
                            consider(layout);
                        }
    };
    for (std::int64_t tensor = 1; tensor <= 8; ++tensor)
        for (std::int64_t pipeline = 1; pipeline <= 16; ++pipeline)
            for (std::int64_t data = 1; data <= 16; ++data)
                for (std::int64_t chunks = 1; chunks <= 16; ++chunks)
                    if (tensor * pipeline * data == space.gpus)
                        options({.tensor = tensor,
                                 .pipeline = pipeline,
                                 .chunks = chunks,
                                 .data = data});
    return all;
}

/// Layouts that the search omits on purpose (layout_space.hpp).
bool left_out(const Layout& layout, std::int64_t layers) {
    const std::int64_t slots = layout.pipeline * layout.chunks;
    const bool uneven = layers % slots != 0 && layers % slots < slots - 3;
    return (layout.chunks > 1 && (uneven || layout.micro_batches % layout.pipeline != 0)) ||
           (layout.sharding >= Sharding::zero2 && layout.pipeline > 1) ||
           (layout.sharding != Sharding::none && layout.data == 1);
}

LayoutSpace small_space(std::int64_t gpus, std::int64_t batch) {
    LayoutSpace space;
    space.gpus = gpus;
    space.global_batch = batch;
    space.largest_micro_batch = 4;
    space.precisions = {Precision::fp16};
    return space;
}

} // namespace

TEST_CASE("the search visits every possible layout once, and finds the fastest by brute force") {
    const Cluster cluster = a100_cluster();
    const StackProfile profile;
    for (const std::int64_t gpus : {1, 8, 16}) {
        CAPTURE(gpus);
        const TrainingJob job = megatron(gpt(12, 4096, 32), {});
        const LayoutSpace space = small_space(gpus, 16);
        std::vector<Layout> visited;
        for_each_layout(
            job, cluster, space, [&](const TrainingJob& laid) { visited.push_back(laid.layout); });
        std::vector<Layout> expected = every_layout(job, cluster, space);
        std::erase_if(expected,
                      [&](const Layout& layout) { return left_out(layout, job.model.layers); });
        CHECK(visited.size() == expected.size());
        CHECK(
            std::is_permutation(visited.begin(), visited.end(), expected.begin(), expected.end()));

        const ByteVolume capacity = usable_memory(cluster.gpu);
        std::optional<Seconds> fastest;
        for (const Layout& layout : expected) {
            TrainingJob laid = job;
            laid.layout = layout;
            if (memory_use(laid).total() > capacity)
                continue;
            const Seconds step = step_time(laid, cluster, profile).total();
            fastest = fastest ? std::min(*fastest, step) : step;
        }
        const LayoutSearch found = search_layouts(job, cluster, profile, space);
        REQUIRE(fastest.has_value() == !found.best.empty());
        if (fastest)
            CHECK(found.best.front().step == *fastest);
        CHECK(found.evaluated + found.excluded_by_memory ==
              static_cast<std::int64_t>(expected.size()));
    }
}

TEST_CASE("layouts that likely fit come before faster ones that may well not") {
    const Cluster cluster = a100_cluster();
    const TrainingJob job = megatron(gpt(24, 4096, 32), {});
    MemoryOverheads overheads;
    const LayoutSearch by_time =
        search_layouts(job, cluster, {}, small_space(16, 64), 100'000, overheads);
    CHECK(std::ranges::all_of(by_time.best, &RankedLayout::likely_fits));
    overheads.error = MemoryError{0.3, "a guess"};
    const LayoutSearch found =
        search_layouts(job, cluster, {}, small_space(16, 64), 100'000, overheads);
    CHECK(found.evaluated == by_time.evaluated);
    CHECK(found.pareto.size() == by_time.pareto.size());
    const ByteVolume capacity = usable_memory(cluster.gpu, overheads);
    const auto others =
        std::ranges::find(found.best, false, &RankedLayout::likely_fits) - found.best.begin();
    REQUIRE(others > 0);
    REQUIRE(std::cmp_less(others, found.best.size()));
    CHECK(found.best[others].step < found.best.front().step); // by time alone it would be first
    for (std::size_t i = 0; i < found.best.size(); ++i) {
        const RankedLayout& ranked = found.best[i];
        const double chance = *fit_chance(ranked.memory, capacity, overheads.error);
        CHECK(ranked.likely_fits == std::cmp_less(i, others));
        CHECK((ranked.likely_fits ? chance >= likely_fit : chance <= likely_fit));
        if (i > 0 && std::cmp_not_equal(i, others))
            CHECK(found.best[i - 1].step <= ranked.step);
    }
}

TEST_CASE("no layout of the front beats another, and each other layout is beaten") {
    const Cluster cluster = a100_cluster();
    const LayoutSearch found =
        search_layouts(megatron(gpt(24, 4096, 32), {}), cluster, {}, small_space(16, 64), 100'000);
    REQUIRE(found.best.size() == static_cast<std::size_t>(found.evaluated));
    REQUIRE(found.pareto.size() > 1);
    const auto beats = [](const RankedLayout& a, const RankedLayout& b) {
        return a.step <= b.step && a.memory <= b.memory && (a.step < b.step || a.memory < b.memory);
    };
    for (const RankedLayout& kept : found.pareto)
        CHECK(std::none_of(found.best.begin(), found.best.end(), [&](const RankedLayout& other) {
            return beats(other, kept);
        }));
    for (const RankedLayout& layout : found.best) {
        const bool on_front =
            std::find(found.pareto.begin(), found.pareto.end(), layout) != found.pareto.end();
        const bool equalled =
            std::any_of(found.pareto.begin(), found.pareto.end(), [&](const RankedLayout& kept) {
                return beats(kept, layout) ||
                       (kept.step == layout.step && kept.memory == layout.memory);
            });
        CHECK((on_front || equalled));
    }
}

TEST_CASE("a micro-batch other than a power of two is tried where it is the only one") {
    LayoutSpace space = small_space(8, 48);
    space.smallest_micro_batch = space.largest_micro_batch = 3;
    int visited = 0;
    for_each_layout(megatron(gpt(12, 4096, 32), {}), a100_cluster(), space, [&](const auto& laid) {
        CHECK(laid.layout.micro_batch == 3);
        ++visited;
    });
    CHECK(visited > 0);
}

TEST_CASE("if no layout fits or is possible, the error gives the reason") {
    const Cluster cluster = a100_cluster();
    const auto fault = [&](const TrainingJob& job, const LayoutSpace& space) -> std::string {
        try {
            static_cast<void>(fitting_layouts(job, cluster, {}, space));
        } catch (const ModelError& error) {
            return error.what();
        }
        return {};
    };
    const TrainingJob large = megatron(gpt(96, 12288, 96), {});
    CHECK(fault(large, small_space(8, 8))
              .starts_with("model: no layout on 8 GPUs fits: the smallest needs "));
    const TrainingJob small = megatron(gpt(12, 4096, 32), {});
    CHECK(fault(small, small_space(8, 8)).empty());
    CHECK(fault(small, small_space(37, 7)).starts_with("batch: no layout divides 7 samples"));
    LayoutSpace divided = small_space(64, 64);
    divided.stated = {.tensor = 8, .data = 9};
    CHECK(fault(small, divided).starts_with("ranks: tensor 8 x data 9 leave no layout of 64 GPUs"));
    divided.stated = {.tensor = 8, .pipeline = 1, .context = 1, .data = 4};
    CHECK(fault(small, divided).starts_with("ranks: tensor 8 x pipeline 1 x context 1 x data 4"));
    divided.stated = {.tensor = 8, .pipeline = 1};
    divided.global_batch = 63; // of 8 replicas
    CHECK(fault(small, divided).starts_with("batch: no layout divides 63 samples over 64 GPUs"));
    TrainingJob impossible = small;
    impossible.model.kv_heads = 3;
    CHECK(fault(impossible, small_space(8, 8)).starts_with("kv_heads: 3 does not divide heads"));
}

TEST_CASE("stated degrees hold for every layout of a search") {
    const Cluster cluster = a100_cluster();
    const TrainingJob job = megatron(gpt(12, 4096, 32), {});
    LayoutSpace space = small_space(16, 64);
    space.stated = {.tensor = 4, .pipeline = 2, .sequence_parallel = true};
    const LayoutSearch found = search_layouts(job, cluster, {}, space, 1000);
    REQUIRE(!found.best.empty());
    for (const RankedLayout& ranked : found.best) {
        CHECK(ranked.layout.tensor == 4);
        CHECK(ranked.layout.pipeline == 2);
        CHECK(ranked.layout.data == 2);
        CHECK(ranked.layout.sequence_parallel);
    }
    space.sharding = {Sharding::none};
    space.recompute = {Recompute::full};
    space.smallest_micro_batch = space.largest_micro_batch = 2;
    space.stated.chunks = 3;
    CHECK(search_layouts(job, cluster, {}, space).evaluated == 1);
    space.stated.tensor = 3;
    CHECK_THROWS_WITH_AS(static_cast<void>(fitting_layouts(job, cluster, {}, space)),
                         doctest::Contains("tensor: 3 does not divide heads 32"),
                         ModelError);
}

TEST_CASE("KV heads are copied where tensor ranks are stated that they do not divide into") {
    const Cluster cluster = a100_cluster();
    TrainingJob few = megatron(gpt(12, 4096, 32), {});
    few.model.kv_heads = 2;
    TrainingJob eight = few;
    eight.model.kv_heads = 8;
    LayoutSpace space = small_space(16, 64);
    for (const RankedLayout& layout : search_layouts(few, cluster, {}, space, 1000).best)
        CHECK(layout.layout.tensor <= 2);
    space.stated = {.tensor = 8};
    const LayoutSearch copied = search_layouts(few, cluster, {}, space);
    const LayoutSearch held = search_layouts(eight, cluster, {}, space);
    REQUIRE(!copied.best.empty());
    CHECK(copied.best.front().layout == held.best.front().layout);
    CHECK(copied.best.front().step == held.best.front().step);
    CHECK(copied.best.front().memory == held.best.front().memory);
}

TEST_CASE("the best are ranked by time and all fit") {
    const Cluster cluster = a100_cluster();
    const LayoutSearch found =
        search_layouts(megatron(gpt(24, 4096, 32), {}), cluster, {}, small_space(16, 64), 5);
    REQUIRE(found.best.size() == 5);
    CHECK(std::is_sorted(
        found.best.begin(), found.best.end(), [](const RankedLayout& a, const RankedLayout& b) {
            return a.step < b.step;
        }));
    CHECK(found.best.front() == found.pareto.front());
    for (const RankedLayout& layout : found.best)
        CHECK(layout.memory <= usable_memory(cluster.gpu));
    CHECK(found.excluded_by_rule > 0);
    CHECK(found.min_memory <= found.pareto.back().memory);
}

TEST_CASE("a model that fits nowhere has no best layout") {
    const LayoutSearch found =
        search_layouts(megatron(gpt(96, 12288, 96), {}), a100_cluster(), {}, small_space(8, 8));
    CHECK(found.best.empty());
    CHECK(found.pareto.empty());
    CHECK(found.excluded_by_memory > 0);
    CHECK(found.evaluated == 0);
    REQUIRE(found.min_memory);
    CHECK(*found.min_memory > usable_memory(a100_cluster().gpu));
}

TEST_CASE("what does not fit is offloaded where the stack does so, and then timed") {
    Cluster cluster = a100_cluster();
    cluster.host_link = ByteRate{170e9};
    TrainingJob job = megatron(gpt(48, 8192, 64), {});
    LayoutSpace space;
    space.gpus = 32;
    space.global_batch = 256;
    space.smallest_micro_batch = 4;
    space.largest_micro_batch = 4;
    space.recompute = {Recompute::none};
    space.sharding = {Sharding::zero3};
    space.stated = {.tensor = 1, .pipeline = 1};
    CHECK(search_layouts(job, cluster, StackProfile{}, space).best.empty());
    job.offloads_activations = true;
    const LayoutSearch search = search_layouts(job, cluster, StackProfile{}, space);
    REQUIRE(search.evaluated == 1);
    const RankedLayout& found = search.best.front();
    CHECK(found.layout.offload_layers > 0);
    CHECK(found.memory <= usable_memory(cluster.gpu));
    TrainingJob laid = job;
    laid.layout = found.layout;
    CHECK(found.memory == memory_use(laid).total());
    laid.precision = found.precision;
    CHECK(found.step == step_time(laid, cluster, StackProfile{}).total());
}

TEST_CASE("stated layers to offload are at most those of a stage, and that is what is timed") {
    const TrainingJob job = megatron(gpt(8, 1024, 16), {.offload_layers = 3});
    std::int64_t most_stages = 0;
    for_each_layout(job, a100_cluster(), small_space(8, 16), [&](const TrainingJob& laid) {
        const std::int64_t layers = (8 + laid.layout.pipeline - 1) / laid.layout.pipeline;
        CHECK(laid.layout.offload_layers == std::min<std::int64_t>(3, layers));
        most_stages = std::max(most_stages, laid.layout.pipeline);
    });
    CHECK(most_stages == 8);
}

TEST_CASE("experts and context are searched where the space has them") {
    TrainingJob job = megatron(gpt(8, 1024, 16), {});
    job.attention = Attention::flash2;
    job.model.experts = Experts{.count = 8, .per_token = 2, .ffn = 4096, .shared_ffn = 0};
    LayoutSpace space = small_space(16, 16);
    space.largest_context = 4;
    std::int64_t largest_expert = 0;
    std::int64_t largest_context = 0;
    bool selective = false;
    for_each_layout(job, a100_cluster(), space, [&](const TrainingJob& laid) {
        largest_expert = std::max(largest_expert, laid.layout.expert);
        largest_context = std::max(largest_context, laid.layout.context);
        selective = selective || laid.layout.recompute == Recompute::selective;
    });
    CHECK(largest_expert == 8);
    CHECK(largest_context == 4);
    CHECK_FALSE(selective); // flash attention keeps no scores to compute again
}

TEST_CASE("an empty space is refused by its empty parameter") {
    const auto search = [](const LayoutSpace& space) {
        (void)search_layouts(megatron(gpt(8, 1024, 16), {}), a100_cluster(), {}, space);
    };
    CHECK_THROWS_WITH_AS(
        search(small_space(0, 8)), "gpus: 0 is below 1; give at least 1", ModelError);
    CHECK_THROWS_WITH_AS(
        search(small_space(8, -1)), "global_batch: -1 is below 1; give at least 1", ModelError);
    LayoutSpace space = small_space(8, 8);
    space.precisions = {Precision::fp8};
    CHECK_THROWS_WITH_AS(
        search(space), "precision: A100-SXM4-80GB has no fp8; choose one that it has", ModelError);
}

TEST_CASE("no tensor group of a search crosses nodes") {
    TrainingJob job = megatron(gpt(8, 1536, 24), {});
    job.model.vocab = 50304; // = 3 x 16768
    const auto uses_three = [&](std::int64_t gpus) {
        bool used = false;
        for_each_layout(job, a100_cluster(), small_space(gpus, 48), [&](const TrainingJob& laid) {
            used = used || laid.layout.tensor == 3;
        });
        return used;
    };
    CHECK(uses_three(6));
    CHECK_FALSE(uses_three(24)); // ranks 6, 7 and 8 are on two nodes of 8
}

TEST_CASE("chunks may hold embedding and loss as a layer each: 126 + 2 in 128 places") {
    TrainingJob job = megatron(gpt(126, 1024, 16), {});
    const auto chunks_of = [&job](std::int64_t layers, std::int64_t pipeline) {
        job.model.layers = layers;
        std::vector<std::int64_t> seen;
        for_each_layout(job, a100_cluster(), small_space(16, 64), [&](const TrainingJob& laid) {
            if (laid.layout.pipeline == pipeline)
                seen.push_back(laid.layout.chunks);
        });
        std::ranges::sort(seen);
        seen.erase(std::ranges::unique(seen).begin(), seen.end());
        return seen;
    };
    CHECK(chunks_of(126, 16) == std::vector<std::int64_t>{1, 2, 4});
    CHECK(chunks_of(128, 16) == std::vector<std::int64_t>{1, 2, 4, 8});
    CHECK(chunks_of(61, 4) == std::vector<std::int64_t>{1, 2, 4, 8});
    CHECK(chunks_of(59, 4) == std::vector<std::int64_t>{1, 3, 5});
}

TEST_CASE("a sequence is worth dividing into powers of two of 8,192 tokens") {
    CHECK(usual_largest_context(1) == 1);
    CHECK(usual_largest_context(16'383) == 1);
    CHECK(usual_largest_context(16'384) == 2);
    CHECK(usual_largest_context(131'072) == 16);
    CHECK(usual_largest_context(131'071) == 8);
}

} // namespace bursar::layout_search_test
