#include "scenarios/scenario/workload/layout_keys.hpp"

#include "models/training/job/names.hpp"

#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

Table<ParallelismSpec> layout_keys() {
    const auto ranks = whole_number(1, max_ranks);
    return table<ParallelismSpec>({
        optional(
            "tensor", &ParallelismSpec::tensor, ranks, "GPUs that share every matrix; default 1"),
        optional("pipeline", &ParallelismSpec::pipeline, ranks, "stages; default 1"),
        optional("chunks",
                 &ParallelismSpec::chunks,
                 ranks,
                 "model chunks per stage; above 1 the schedule is interleaved; default 1"),
        optional(
            "context", &ParallelismSpec::context, ranks, "GPUs that share one sequence; default 1"),
        optional("expert",
                 &ParallelismSpec::expert,
                 ranks,
                 "GPUs that share the experts, out of the data-parallel ones; default 1"),
        optional("sharding",
                 &ParallelismSpec::sharding,
                 choice_of<Sharding>(sharding_names),
                 "what data-parallel ranks divide: zero1 optimizer states, zero2 and gradients, "
                 "zero3 (FSDP) and weights; default none"),
        optional("sequence_parallel",
                 &ParallelismSpec::sequence_parallel,
                 yes_or_no(),
                 "whether norms and dropout are divided over the tensor ranks; default no"),
        optional("offload_optimizer",
                 &ParallelismSpec::offload_optimizer,
                 yes_or_no(),
                 "whether optimizer states and step are on the host; default no"),
        optional("tensor_across_nodes",
                 &ParallelismSpec::tensor_across_nodes,
                 yes_or_no(),
                 "whether tensor may be more than the GPUs of a node; default no"),
    });
}

template <class Unit>
QuantityRule<Unit> physical(const Dimension& dimension, Zero zero) {
    return {dimension, zero, [](Measure m) { return Unit{static_cast<double>(m.count)}; }};
}

} // namespace

std::optional<ParallelismRule::value_type> ParallelismRule::read(const Reader& at) const {
    if (at.node().kind == NodeKind::mapping) {
        auto layout = layout_keys().read(at);
        return layout ? std::optional{value_type{*layout}} : std::nullopt;
    }
    return one_of({"auto"}).read(at) ? std::optional{value_type{}} : std::nullopt;
}

Schema ParallelismRule::schema() const {
    return {{"anyOf", {one_of({"auto"}).schema(), layout_keys().schema()}}};
}

Table<InputPipeline> input_keys() {
    const QuantityRule<Seconds> seconds{durations, Zero::allowed, [](Measure m) {
                                            return Seconds{static_cast<double>(m.count) / 1000.0};
                                        }};
    return table<InputPipeline>(
               {
                   required("sample_size",
                            &InputPipeline::bytes_per_sample,
                            physical<ByteVolume>(byte_counts, Zero::refused),
                            "bytes of one sample as stored"),
                   required("storage",
                            &InputPipeline::storage,
                            physical<ByteRate>(byte_rates, Zero::refused),
                            "what shared storage gives one node"),
                   optional("cpu_time",
                            &InputPipeline::cpu_per_sample,
                            seconds,
                            "to decode and transform one sample; default 0 s"),
                   optional("workers",
                            &InputPipeline::workers,
                            whole_number(0, 100'000),
                            "loader processes per node; default 0: in the training process"),
                   optional("prefetch",
                            &InputPipeline::prefetch,
                            whole_number(0, 1'000'000),
                            "batches kept ready; below 2 loading and training alternate; default "
                            "2"),
                   optional("cache",
                            &InputPipeline::cache,
                            physical<ByteRate>(byte_rates, Zero::refused),
                            "what a node's own cache gives; default none"),
                   optional("cache_hit",
                            &InputPipeline::cache_hit,
                            NumberRule{0, Bound::included, 1},
                            "share of bytes that the cache serves; default 0"),
                   optional("pinned_memory",
                            &InputPipeline::pinned_memory,
                            yes_or_no(),
                            "whether copies to the GPU overlap with compute; default yes"),
                   optional("file_open",
                            &InputPipeline::file_open,
                            seconds,
                            "a loader waits for a file of the shared storage; default 0 s"),
                   optional("samples_per_file",
                            &InputPipeline::samples_per_file,
                            whole_number(1, 1'000'000'000),
                            "above 1 in packed formats (TFRecord, WebDataset); default 1"),
               })
        .check([](const Reader& at, InputPipeline&, const KeysRead&) {
            if (at.find("cache_hit").has_value() != at.find("cache").has_value())
                at.mistake("cache and cache_hit need each other",
                           "a cache has a rate and a share of hits");
        });
}

}} // namespace bursar::scenarios
