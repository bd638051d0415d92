#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "models/training/job/check_layout.hpp"
#include "models/training/job/training_job.hpp"

#include "scenarios/catalog/architecture_rule.hpp"
#include "scenarios/catalog/training_defaults.hpp"
#include "scenarios/keys/workload/workload_keys.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/workload_spec.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Largest gang: the most GPUs of a pool.
inline constexpr std::int64_t max_ranks = (std::int64_t{1} << 24) - 1;

/// `auto`, or the layout as a mapping; the rest of the gang is data parallel.
struct ParallelismRule {
    using value_type = std::optional<ParallelismSpec>; ///< absent: auto
    [[nodiscard]] std::optional<value_type> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// A name of `recompute_names`, or `every N`.
struct RecomputeRule {
    using value_type = Recomputation;
    [[nodiscard]] std::optional<Recomputation> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// The names, and one rule of layers as an example.
ChoiceRule<Recomputation> recompute_choices() {
    ChoiceRule<Recomputation> rule;
    for (const std::string_view name : recompute_names)
        rule.choices.emplace_back(name, *recompute_named(name));
    rule.choices.emplace_back("every 2", Recomputation{Recompute::full, 2});
    return rule;
}

PatternRule every_nth_layer() {
    return {"every [1-9][0-9]{0,3}", "a rule of layers", "every 2"};
}

std::optional<Recomputation> RecomputeRule::read(const Reader& at) const {
    if (at.node().kind == NodeKind::scalar && at.node().text.starts_with("every ")) {
        const std::optional<std::string> rule = every_nth_layer().read(at);
        return rule ? recompute_named(*rule) : std::nullopt;
    }
    return recompute_choices().read(at);
}

Schema RecomputeRule::schema() const {
    return {{"anyOf", {recompute_choices().schema(), every_nth_layer().schema()}}};
}

Table<ParallelismSpec> layout_keys() {
    const auto ranks = whole_number(1, max_ranks);
    return table<ParallelismSpec>({
        {optional("tensor", &ParallelismSpec::tensor, ranks),
         "GPUs that share every matrix; default 1"},
        {optional("pipeline", &ParallelismSpec::pipeline, ranks), "stages; default 1"},
        {optional("chunks", &ParallelismSpec::chunks, ranks),
         "model chunks per stage; above 1 the schedule is interleaved; default 1"},
        {optional("context", &ParallelismSpec::context, ranks),
         "GPUs that share one sequence; default 1"},
        {optional("expert", &ParallelismSpec::expert, ranks),
         "GPUs that share the experts, out of the data-parallel ones; default 1"},
        {optional("sharding", &ParallelismSpec::sharding, choice_of<Sharding>(sharding_names)),
         "what data-parallel ranks divide: zero1 optimizer states, zero2 and gradients, "
         "zero3 (FSDP) and weights; default: usual for the software stack"},
        {optional("sequence_parallel", &ParallelismSpec::sequence_parallel, yes_or_no()),
         "whether norms and dropout are divided over the tensor ranks; default: with fused "
         "attention"},
        {optional("shard_ranks", &ParallelismSpec::shard, ranks),
         "GPUs that the states are divided over (HSDP); divides context x data; default all"},
        {optional("offload_optimizer", &ParallelismSpec::offload_optimizer, yes_or_no()),
         "whether optimizer states and step are on the host; default no"},
        {optional("offload_layers", &ParallelismSpec::offload_layers, whole_number(1, max_layers)),
         "layers of a stage whose activations wait on the host for their backward pass; default "
         "none"},
        {optional("tensor_across_nodes", &ParallelismSpec::tensor_across_nodes, yes_or_no()),
         "whether tensor may be more than the GPUs of a node; default no"},
        {optional("anyway", &ParallelismSpec::anyway, yes_or_no()),
         "whether a layout that does not fit by the memory model is timed, with a warning; default "
         "no"},
    });
}

template <class Unit>
QuantityRule<Unit> physical(const Dimension& dimension, Zero zero) {
    return {dimension, zero, [](Measure m) { return Unit{static_cast<double>(m.count)}; }};
}

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

/// How samples reach the GPUs.
Table<InputPipeline> input_keys() {
    const QuantityRule<Seconds> seconds{durations, Zero::allowed, [](Measure m) {
                                            return Seconds{static_cast<double>(m.count) / 1000.0};
                                        }};
    return table<InputPipeline>(
               {
                   {required("sample_size",
                             &InputPipeline::bytes_per_sample,
                             physical<ByteVolume>(byte_counts, Zero::refused)),
                    "bytes of one sample as stored"},
                   {required("storage",
                             &InputPipeline::storage,
                             physical<ByteRate>(byte_rates, Zero::refused)),
                    "what shared storage gives one node"},
                   {optional("cpu_time", &InputPipeline::cpu_per_sample, seconds),
                    "to decode and transform one sample; default 0 s"},
                   {optional("workers", &InputPipeline::workers, whole_number(0, 100'000)),
                    "loader processes per node; default 0: in the training process"},
                   {optional("prefetch", &InputPipeline::prefetch, whole_number(0, 1'000'000)),
                    "batches kept ready; below 2 loading and training alternate; default "
                    "2"},
                   {optional("cache",
                             &InputPipeline::cache,
                             physical<ByteRate>(byte_rates, Zero::refused)),
                    "what a node's own cache gives; default none"},
                   {optional(
                        "cache_hit", &InputPipeline::cache_hit, NumberRule{0, Bound::included, 1}),
                    "share of bytes that the cache serves; default 0"},
                   {optional("pinned_memory", &InputPipeline::pinned_memory, yes_or_no()),
                    "whether copies to the GPU overlap with compute; default yes"},
                   {optional("file_open", &InputPipeline::file_open, seconds),
                    "a loader waits for a file of the shared storage; default 0 s"},
                   {optional("samples_per_file",
                             &InputPipeline::samples_per_file,
                             whole_number(1, 1'000'000'000)),
                    "above 1 in packed formats (TFRecord, WebDataset); default 1"},
               })
        .check([](const Reader& at, InputPipeline&, const KeysRead&) {
            if (at.find("cache_hit").has_value() != at.find("cache").has_value())
                at.mistake("cache and cache_hit need each other",
                           "a cache has a rate and a share of hits");
        });
}

constexpr std::array token_units{Unit{"tokens", 1},
                                 Unit{"ktokens", 1'000},
                                 Unit{"Mtokens", 1'000'000},
                                 Unit{"Gtokens", 1'000'000'000},
                                 Unit{"Ttokens", 1'000'000'000'000}};
constexpr std::array sample_units{Unit{"samples", 1},
                                  Unit{"sequences", 1},
                                  Unit{"tokens", 1},
                                  Unit{"ktokens", 1'000},
                                  Unit{"Mtokens", 1'000'000},
                                  Unit{"Gtokens", 1'000'000'000},
                                  Unit{"Ttokens", 1'000'000'000'000}};
constexpr std::int64_t max_amount = 1'000'000'000'000'000'000;
const Dimension token_counts{
    "a number of tokens", "300 Gtokens", token_units, max_amount, "1000000 Ttokens"};
const Dimension sample_counts{
    "a number of samples or tokens", "1536 samples", sample_units, max_amount, "1000000 Ttokens"};
const Dimension sequence_lengths{
    "a sequence length", "4096 tokens", token_units, 100'000'000, "100 Mtokens"};

constexpr std::int64_t max_steps = 1'000'000'000'000;

QuantityRule<SampleCount> sample_count() {
    return {sample_counts, Zero::refused, [](Measure m) {
                return SampleCount{m.count, m.unit->name.ends_with("tokens")};
            }};
}

/// A key of one member of ClassSpec::training.
template <class Member, ValueRule Rule>
KeyRow<ClassSpec> training_key(std::string name, Member TrainingSpec::*member, Rule rule) {
    return optional(std::move(name), within(&ClassSpec::training, member), std::move(rule));
}

/// A goal, read by the rule for its kind of amount.
template <ValueRule Amount>
class GoalRule {
  public:
    using value_type = TrainingTarget;
    GoalRule(GoalKind kind, Amount amount) : kind_{kind}, amount_{std::move(amount)} {}

    [[nodiscard]] std::optional<TrainingTarget> read(const Reader& at) const {
        const auto amount = amount_.read(at);
        if (!amount)
            return std::nullopt;
        return TrainingTarget{kind_, static_cast<double>(*amount)};
    }
    [[nodiscard]] Schema schema() const { return amount_.schema(); }

  private:
    GoalKind kind_;
    Amount amount_;
};

constexpr std::array<std::string_view, 4> goal_names{"tokens", "steps", "epochs", "target_loss"};

std::string_view written_goal(const Reader& at) {
    for (const std::string_view goal : goal_names)
        if (at.find(goal))
            return goal;
    return {};
}

/// Notes the places of all keys, those of `parallelism` and `input` included.
void note_places(const Reader& at, TrainingSpec& spec) {
    spec.written[""] = {at.node().place(), at.path()};
    for (const Pair& pair : at.node().pairs) {
        const Reader value = at.member(pair.key.text, pair.value);
        spec.written[pair.key.text] = {value.node().place(), value.path()};
        if (pair.key.text != "parallelism" && pair.key.text != "input")
            continue;
        for (const Pair& inner : pair.value.pairs) {
            const Reader at_inner = value.member(inner.key.text, inner.value);
            spec.written[inner.key.text] = {at_inner.node().place(), at_inner.path()};
        }
    }
}

/// Reports keys that do not apply to a network given by its FLOP per sample.
void check_generic(const Reader& at, const TrainingSpec& spec) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> only_transformers{{
        {"tokens", "this network counts samples: give steps or epochs"},
        {"target_loss", "no scaling law is known for this network"},
        {"sequence", "this network counts samples"},
        {"attention", "this network has no attention core"},
        {"fp8_scaling", "this network's products are not laid out"},
        {"recompute", "the layers of this network are not known"},
    }};
    for (const auto& [key, why] : only_transformers)
        if (at.find(key))
            at.mistake_at(key, "only for transformers", std::string{why});
    if (spec.parallelism)
        at.mistake_at("parallelism", "only for transformers", "this network is data parallel");
    for (const auto& [key, count] :
         {std::pair{"batch", spec.batch}, std::pair{"dataset", spec.dataset}})
        if (count && count->in_tokens)
            at.mistake_at(key, "counts tokens", "this network counts samples");
}

/// The keys of what is trained, and for how long.
std::vector<Key<ClassSpec>> goal_keys(const KnownNames& names) {
    using T = TrainingSpec;
    return {
        {training_key("model", &T::model, ArchitectureRule{names.architectures}),
         "what the jobs train: a network of the catalogue, a file with one, or its "
         "shape; replaces the durations of the workload"},
        {training_key(
             "tokens", &T::goal, GoalRule{GoalKind::tokens, amount(token_counts, Zero::refused)}),
         "how long: tokens seen"},
        {training_key("steps", &T::goal, GoalRule{GoalKind::steps, whole_number(1, max_steps)}),
         "how long: optimizer steps"},
        {training_key("epochs", &T::goal, GoalRule{GoalKind::epochs, positive_number()}),
         "how long: passes over dataset"},
        {training_key("target_loss", &T::goal, GoalRule{GoalKind::target_loss, positive_number()}),
         "how long: until the scaling law reaches this loss, in nats per token"},
        {training_key("dataset", &T::dataset, sample_count()), "one epoch"},
    };
}

/// The keys of how it is trained.
std::vector<Key<ClassSpec>> step_keys(const KnownNames& names) {
    using T = TrainingSpec;
    return {
        {training_key("batch", &T::batch, sample_count()),
         "of one step, over all GPUs of the job; needed with model"},
        {training_key("micro_batch", &T::micro_batch, whole_number(1, max_ranks)),
         "samples per replica and pass; default: the layout search's, or as fits"},
        {training_key("sequence", &T::sequence, amount(sequence_lengths, Zero::refused)),
         "tokens per sample; default the model's"},
        {training_key("parallelism", &T::parallelism, ParallelismRule{}),
         "layout of the model over the gang; auto searches; default auto"},
        {training_key("recompute", &T::recompute, RecomputeRule{}),
         "activations recomputed in the backward pass, in all layers or every n-th; default: "
         "searched, or none unless that takes a third more than the memory"},
        {training_key("attention", &T::attention, choice_of<Attention>(attention_names)),
         "how the attention core runs; default flash2"},
        {training_key("compile", &T::compilation, choice_of<Compilation>(compilation_names)),
         "how kernels reach the GPU; default eager"},
        {training_key("fp8_scaling", &T::scaling, choice_of<Fp8Scaling>(scaling_names)),
         "source of the scales of fp8 products; default usual for the framework"},
        {training_key("framework", &T::framework, text()),
         "framework by its usual name and version (\"NeMo 25.04\"): attention, states, sharding "
         "and "
         "stack that are not stated are as usual for it"},
        {training_key("stack", &T::stack, EntryRule<Stacks>{names.stacks, read_stacks, "--stacks"}),
         "software-stack profile of the catalogue, or a file with one; default the "
         "nearest to what the class says"},
        {training_key("input", &T::input, input_keys()), "how samples reach the GPUs"},
    };
}

} // namespace

std::vector<Key<ClassSpec>> training_keys(const KnownNames& names) {
    std::vector<Key<ClassSpec>> keys = goal_keys(names);
    for (Key<ClassSpec>& key : step_keys(names))
        keys.push_back(std::move(key));
    return keys;
}

void check_training(const Reader& at,
                    ClassSpec& spec,
                    const KeysRead& keys,
                    std::span<const std::string> training) {
    note_places(at, spec.training);
    if (!at.find("model")) {
        for (const std::string& key : training)
            if (const auto unused = at.find(key))
                unused->mistake("has no effect without a model", "model says what is trained");
        return;
    }
    if (!keys.good("model"))
        return;
    const std::string_view goal = written_goal(at);
    if (goal.empty())
        at.mistake(fmt::format("a model needs one of {}", fmt::join(goal_names, ", ")),
                   "how long it is trained");
    if (!at.find("batch"))
        at.mistake("a model needs a batch", "the samples of one step, over all GPUs of the job");
    if (goal == "epochs" && !at.find("dataset"))
        at.mistake("epochs need a dataset", "what one of them holds");
    if (const auto unused = at.find("dataset"); unused && goal != "epochs")
        unused->mistake("has no effect without epochs");
    const std::optional<Precision>& format = spec.training.precision;
    if (const auto unused = at.find("fp8_scaling"); unused && format && format != Precision::fp8)
        unused->mistake(fmt::format("has no effect on {}", name(*format)),
                        "mxfp8 and nvfp4 have a scale per block");
    if (std::holds_alternative<GenericNetwork>(*spec.training.model))
        check_generic(at, spec.training);
}

}} // namespace bursar::scenarios
