#include "scenarios/catalog/training_defaults.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "models/network/link_facts.hpp"
#include "models/training/step/generic_step.hpp"

#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

struct StackYear {
    std::string_view word;
    int year;
};

// Stacks whose names carry no year; the first one whose word is found decides.
constexpr std::array stack_years{StackYear{"megatron-bridge", 2025},
                                 StackYear{"maxtext", 2025},
                                 StackYear{"pax", 2025},
                                 StackYear{"megatron-core", 2024},
                                 StackYear{"nemo", 2024},
                                 StackYear{"torchtitan", 2024},
                                 StackYear{"liger", 2024},
                                 StackYear{"megatron-deepspeed", 2022},
                                 StackYear{"composer", 2022},
                                 StackYear{"fsdp", 2023},
                                 StackYear{"deepspeed", 2023},
                                 StackYear{"flash-attn", 2023},
                                 StackYear{"oneflow", 2021},
                                 StackYear{"apex", 2020}};

constexpr int unknown_year = 2023;

bool names_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(
        words, [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

std::string_view name_of(auto setting, const auto& names) {
    return names[static_cast<std::size_t>(setting)];
}

/// Settles the settings of one job, one after the other.
class SettingRules {
  public:
    SettingRules(const StatedTraining& stated, const Gpu& gpu, const Stacks& stacks)
        : stated_{stated}, gpu_{gpu}, stacks_{stacks} {
        year_ = year_on(gpu, stated.framework);
    }

    [[nodiscard]] TrainingSettings settle() {
        settle_attention();
        out_.sharding = stated_.sharding.value_or(Sharding::none);
        out_.sequence_parallel = stated_.sequence_parallel.value_or(false);
        if (!is_named())
            settle_profile();
        words_ = lower_case(is_named()                         ? stated_.framework
                            : out_.profile->frameworks.empty() ? out_.profile->name
                                                               : out_.profile->frameworks.front());
        settle_states();
        settle_sharding();
        settle_sequence_parallel();
        settle_scaling();
        out_.compilation =
            stated_.compilation.value_or(compilation_of(is_named() ? words_ : std::string{}));
        out_.recompute = stated_.recompute;
        if (!stated_.recompute && !stated_.is_searched && is_jax(words_)) {
            // MaxText's default is to compute all layers again (remat_policy, configs/base.yml).
            out_.recompute = Recompute::full;
            out_.why.recompute = "the default of JAX stacks";
        }
        if (is_named())
            settle_profile();
        settle_offload();
        // --cross-entropy-loss-fusion is off unless given (megatron/training/arguments.py); the
        // recipes of NeMo and Megatron-Bridge have it on.
        out_.unfused_loss = is_named() && stated_.profile == nullptr &&
                            names_any(words_, {"megatron-core"}) &&
                            !names_any(words_, {"nemo", "megatron-bridge"});
        out_.overheads = memory_overheads_of(*out_.profile, out_.compilation, stated_.framework);
        return std::move(out_);
    }

  private:
    [[nodiscard]] bool is_named() const { return !stated_.framework.empty(); }

    void settle_attention() {
        const bool newest = year_ >= 2025 && supports(gpu_, Precision::fp8);
        const Attention usual = year_ < 2023 ? Attention::unfused
                                : newest     ? Attention::flash3
                                             : Attention::flash2;
        out_.attention = stated_.attention.value_or(usual);
        if (!stated_.attention)
            out_.why.attention = fmt::format("as usual in {}", year_);
    }

    void settle_states() {
        const bool known =
            names_any(words_, {"deepspeed", "fsdp", "torchtitan", "jax", "oneflow", "composer"});
        if (stated_.recipe)
            out_.recipe = *stated_.recipe;
        else if (!stated_.is_transformer)
            out_.recipe = GenericJob{}.recipe;
        else if (stated_.precision == Precision::fp32 || stated_.precision == Precision::tf32)
            out_.recipe = StateRecipe::fp32_adam;
        else if (names_any(words_, {"megatron"}) && !names_any(words_, {"deepspeed"}))
            out_.recipe = StateRecipe::megatron_adam;
        else { // FSDP and JAX stacks keep fp32 weights: the same 16 bytes
            out_.recipe = StateRecipe::mixed_adam;
            if (!known)
                out_.why.recipe = "16 bytes a parameter, with fp32 weights and moments";
        }
    }

    void settle_sharding() {
        if (stated_.sharding || !stated_.is_transformer || stated_.replicas == 1)
            return;
        if (stated_.is_searched) {
            if (const auto stage = is_named() ? zero_stage(words_) : std::nullopt) {
                out_.sharding = *stage;
                out_.why.sharding = "as the stack is named";
            }
            return;
        }
        if (names_any(words_, {"megatron", "nemo"}) && year_of_stack(words_) >= 2024) {
            out_.sharding = Sharding::zero1;
            out_.why.sharding = "distributed optimizer, as usual with this stack";
        } else if (const auto stage = zero_stage(words_)) {
            out_.sharding = *stage;
            out_.why.sharding = "as the stack is named";
        } else if (names_any(words_, {"fsdp", "torchtitan"})) {
            out_.sharding = Sharding::zero3;
            out_.why.sharding = "fully sharded, as the stack is named";
        } else if (is_named() && names_any(words_, {"deepspeed"}) &&
                   !names_any(words_, {"megatron"}) && stated_.tensor == 1 &&
                   stated_.pipeline == 1) {
            out_.sharding = Sharding::zero3;
            out_.why.sharding = "fully sharded, as usual with DeepSpeed alone";
        }
    }

    void settle_sequence_parallel() {
        const bool possible = stated_.tensor > 1 && stated_.is_transformer &&
                              stated_.sequence % (stated_.tensor * stated_.context) == 0;
        if (stated_.sequence_parallel || stated_.is_searched || !possible ||
            out_.attention == Attention::unfused || year_ < 2023)
            return;
        out_.sequence_parallel = true;
        out_.why.sequence_parallel = "as usual with tensor parallel since 2023";
    }

    void settle_scaling() {
        const auto stated = stated_.scaling ? stated_.scaling : stated_scaling(words_);
        out_.scaling = stated.value_or(Fp8Scaling::delayed);
        if (stated || year_ < 2025 || is_jax(words_))
            return;
        out_.scaling = Fp8Scaling::current;
        out_.why.scaling = fmt::format("as usual in {}", year_);
    }

    void settle_offload() {
        // cpu_offloading_num_layers of Megatron-Bridge's FSDP recipes for GB200 and GB300
        // (llama3_workload_base_configs.py) and activation_offload_layers of NeMo's
        // (model_configs_gb200.csv): 10 to 95 layers, of which none is recomputed.
        const auto has_recipes = [](const std::string& framework) {
            const std::string words = lower_case(framework);
            return names_any(words, {"megatron-bridge", "nemo"}) &&
                   !names_any(words, {"automodel"});
        };
        const bool is_usual = is_named()
                                  ? has_recipes(words_)
                                  : std::ranges::any_of(out_.profile->frameworks, has_recipes);
        out_.offloads_activations = is_usual && !stated_.recompute;
    }

    void settle_profile() {
        out_.profile = stated_.profile;
        if (out_.profile == nullptr && is_named())
            out_.profile = stacks_.for_framework(stated_.framework);
        if (out_.profile != nullptr)
            return;
        const std::string words = lower_case(stated_.framework);
        StackClues clues;
        clues.framework = words;
        clues.is_transformer = stated_.is_transformer;
        clues.is_searched = stated_.is_searched;
        clues.layout.tensor = stated_.tensor;
        clues.layout.pipeline = stated_.pipeline;
        clues.layout.sharding = out_.sharding;
        clues.layout.sequence_parallel = out_.sequence_parallel;
        clues.attention = out_.attention;
        clues.precision = stated_.precision;
        clues.has_fp8 = supports(gpu_, Precision::fp8);
        clues.year = year_;
        StackChoice choice = choose_stack(stacks_, clues);
        out_.profile = choice.profile;
        out_.why.stack = std::move(choice.why);
    }

    const StatedTraining& stated_;
    const Gpu& gpu_;
    const Stacks& stacks_;
    int year_{};
    std::string words_; ///< of the framework, or of the first one of the profile; lower case
    TrainingSettings out_;
};

} // namespace

void TrainingSettings::apply_to(TrainingJob& job) const {
    job.fp8_scaling = scaling;
    job.attention = attention;
    job.recipe = recipe;
    job.compilation = compilation;
    job.unfused_loss = unfused_loss;
    job.offloads_activations = offloads_activations;
    job.layout.sharding = sharding;
    job.layout.sequence_parallel = sequence_parallel;
    job.layout.recompute = recompute.value_or(Recompute::none);
}

std::vector<std::string> TrainingSettings::assumptions() const {
    std::vector<std::string> lines;
    const auto add =
        [&lines](std::string_view key, std::string_view value, const std::string& reason) {
            if (!reason.empty())
                lines.push_back(fmt::format("{}: {}, {}", key, value, reason));
        };
    add("attention", name_of(attention, attention_names), why.attention);
    add("states", name_of(recipe, recipe_names), why.recipe);
    add("sharding", name_of(sharding, sharding_names), why.sharding);
    add("sequence parallel", sequence_parallel ? "on" : "off", why.sequence_parallel);
    add("fp8 scales", name_of(scaling, scaling_names), why.scaling);
    if (unfused_loss)
        lines.push_back("loss: unfused, 52 bytes a logit, as usual in Megatron-Core by itself");
    if (recompute)
        add("recompute", recompute_text(*recompute), why.recompute);
    return lines;
}

TrainingSettings
training_settings(const StatedTraining& stated, const Gpu& gpu, const Stacks& stacks) {
    return SettingRules{stated, gpu, stacks}.settle();
}

Cluster usual_cluster(const Gpu& gpu,
                      const StatedNodes& stated,
                      UnknownLinks unknown,
                      std::vector<std::string>* assumptions) {
    const auto assume = [assumptions](std::string line) {
        if (assumptions != nullptr)
            assumptions->push_back(std::move(line));
    };
    const std::int64_t usual = usual_gpus_per_node(gpu);
    const std::int64_t per_node =
        stated.gpus_per_node.value_or(std::clamp<std::int64_t>(stated.gpus, 1, usual));
    if (!stated.gpus_per_node && stated.gpus > usual)
        assume(fmt::format("gpus_per_node: {}", usual));
    const ByteRate network = stated.network ? *stated.network : usual_node_network(gpu, per_node);
    if (!stated.network && stated.gpus > per_node)
        assume(fmt::format("network: {:.0f} Gbit/s per node, as usual with this GPU",
                           network.count() * 8.0 / 1e9));
    Gpu linked = gpu;
    if (!gpu.scaleup_gb_s && per_node > 1 && unknown == UnknownLinks::pcie) {
        linked.scaleup_gb_s = 25; // PCIe 4 x16 as copies reach it
        assume("link between GPUs of a node: PCIe, 25 GB/s");
    }
    Cluster cluster = job_cluster(linked, stated.gpus, per_node, network);
    if (cluster.gpus_per_node > per_node)
        assume(fmt::format("GPUs joined by their own links: {} of several nodes",
                           cluster.gpus_per_node));
    return cluster;
}

std::optional<Fp8Scaling> stated_scaling(std::string_view words) {
    const std::string text = lower_case(words);
    if (names_any(text, {"rowwise", "row-wise", "per row", "per-row"}))
        return Fp8Scaling::per_row;
    if (names_any(text, {"-cs", "-mx", "current", "block", "tensorwise", "torchtitan"}))
        return Fp8Scaling::current;
    return names_any(text, {"delayed"}) ? std::optional{Fp8Scaling::delayed} : std::nullopt;
}

bool is_jax(std::string_view framework) {
    return names_any(lower_case(framework), {"jax", "maxtext", "pax"});
}

std::optional<Sharding> zero_stage(std::string_view framework) {
    constexpr std::array stages{Sharding::zero1, Sharding::zero2, Sharding::zero3};
    const std::string words = lower_case(framework);
    const std::size_t at = words.find("zero");
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::size_t digit = words.find_first_not_of(" -_", at + 4);
    if (digit == std::string_view::npos || words[digit] < '1' || words[digit] > '3')
        return std::nullopt;
    if (digit + 1 < words.size() && std::isdigit(static_cast<unsigned char>(words[digit + 1])) != 0)
        return std::nullopt; // of a year or a version
    return stages[static_cast<std::size_t>(words[digit] - '1')];
}

int year_of_stack(std::string_view framework) {
    for (std::size_t i = 0; i + 4 <= framework.size(); ++i) {
        if (framework[i] == '2' && framework[i + 1] == '0' && std::isdigit(framework[i + 2]) != 0 &&
            std::isdigit(framework[i + 3]) != 0)
            return 2000 + 10 * (framework[i + 2] - '0') + (framework[i + 3] - '0');
    }
    const std::string words = lower_case(framework);
    for (const StackYear& known : stack_years)
        if (words.find(known.word) != std::string::npos)
            return known.year;
    return unknown_year;
}

int year_on(const Gpu& gpu, std::string_view framework) {
    const int of_gpu =
        gpu.servers == nullptr ? unknown_year : static_cast<int>(usual_server(gpu).software_year);
    if (framework.empty())
        return of_gpu;
    const int of_stack = year_of_stack(framework);
    return of_gpu > unknown_year ? std::max(of_stack, of_gpu) : of_stack;
}

Compilation compilation_of(std::string_view framework) {
    const std::string words = lower_case(framework);
    if (names_any(words, {"reduce-overhead", "max-autotune", "graph"}))
        return Compilation::cuda_graphs;
    return names_any(words, {"compile"}) ? Compilation::compiled : Compilation::eager;
}

}} // namespace bursar::scenarios
