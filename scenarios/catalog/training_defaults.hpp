#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/training/job/cluster.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/memory/memory_overheads.hpp"

#include "scenarios/catalog/stacks.hpp"

/// The settings of training jobs that are not stated. Every command, scenarios and published rows
/// take them from here, so that all give the same step times.
namespace bursar { inline namespace scenarios {

/// What a command, a scenario or a published row states of a training job; absent: not stated.
struct StatedTraining {
    std::string framework{};       ///< its name ("NeMo 25.04"); empty: not known
    const StackProfile* profile{}; ///< named; null: not
    bool is_transformer{true};
    bool is_searched{}; ///< the program searches the layout
    std::int64_t tensor{1};
    std::int64_t pipeline{1};
    std::int64_t context{1};
    std::int64_t replicas{}; ///< ranks that states could be divided over; 0: not known
    std::int64_t sequence{}; ///< tokens per sample; 0: not known
    Precision precision{Precision::bf16};
    std::optional<Fp8Scaling> scaling{};
    std::optional<Attention> attention{};
    std::optional<StateRecipe> recipe{};
    std::optional<Compilation> compilation{};
    std::optional<Sharding> sharding{};
    std::optional<bool> sequence_parallel{};
    std::optional<Recomputation> recompute{};
};

/// Why settings have their values, for people: "as usual in 2025"; empty: stated, or nothing else
/// is usual.
struct SettingReasons {
    std::string scaling, attention, recipe, sharding, sequence_parallel, recompute, stack;
};

/// The settings of a training job, stated or usual.
struct TrainingSettings {
    Fp8Scaling scaling{};
    Attention attention{};
    StateRecipe recipe{};
    Compilation compilation{};
    Sharding sharding{}; ///< of a search: that of all its layouts where why.sharding says so
    bool sequence_parallel{};
    bool unfused_loss{};                      ///< as in TrainingJob
    bool offloads_activations{};              ///< as in TrainingJob
    std::optional<Recomputation> recompute{}; ///< absent: not stated, and nothing is usual
    const StackProfile* profile{};            ///< of the given stacks, or as stated; never null
    MemoryOverheads overheads;                ///< of the framework, else of the profile's
    SettingReasons why;

    /// Sets all of them in `job` but the profile. An absent recompute is none.
    void apply_to(TrainingJob& job) const;
    /// The reasons, each with its setting: "attention: flash3, as usual in 2025".
    [[nodiscard]] std::vector<std::string> assumptions() const;
};

/// The settings of a job on `gpu`:
/// - stack: as stated, else the profile of the framework, else the nearest (choose_stack)
/// - without a framework the others are those of the first framework of that profile, not older
///   than the software of the GPU's server (ServerFacts::software_year)
/// - attention: unfused before 2023; flash3 from 2025 on GPUs with fp8; else flash2
/// - states: fp32 in 32-bit formats, 18 bytes a parameter in Megatron, else 16
/// - sharding: none of a single replica; zero1 in Megatron since 2024, zero3 in FSDP and
///   torchtitan; the stage in the framework's name ("zero-2"), else zero3 in DeepSpeed without
///   Megatron, tensor and pipeline ranks
///   where the layout is searched, only a stage in the framework's name counts
/// - sequence parallel: with tensor parallel and fused attention since 2023
/// - scales of fp8: as the framework's name has them (stated_scaling); else from the tensor itself
///   from 2025 on, as the recipes of Megatron-Bridge 25.11 have them, except in JAX stacks, whose
///   Transformer Engine and Flax layers take them from earlier steps
/// - recompute: full in JAX stacks
/// - loss: as the stated profile has it, else unfused in Megatron-Core by itself; NeMo and
///   Megatron-Bridge fuse it
/// - activations are offloaded before any are recomputed: in NeMo and Megatron-Bridge, and without
/// a
///   framework where the profile is theirs, if recompute is not stated
/// stacks: not empty.
[[nodiscard]] TrainingSettings
training_settings(const StatedTraining& stated, const Gpu& gpu, const Stacks& stacks);

/// The machines of a job; absent: not stated.
struct StatedNodes {
    std::int64_t gpus{}; ///< of the job
    std::optional<std::int64_t> gpus_per_node{};
    std::optional<ByteRate> network{}; ///< of a node, all adapters together
};

/// What joins GPUs of a node whose facts have no links.
enum class UnknownLinks : std::uint8_t {
    refused, ///< nothing: UnknownFact
    pcie     ///< PCIe 4
};

/// The cluster of a job. Usual are the nodes of the GPU's server, or one node that the job fills,
/// and their network. Adds to `assumptions` what is not stated. Throws as job_cluster() does.
[[nodiscard]] Cluster usual_cluster(const Gpu& gpu,
                                    const StatedNodes& stated,
                                    UnknownLinks unknown = UnknownLinks::refused,
                                    std::vector<std::string>* assumptions = nullptr);

/// Scales of fp8 by the words of a format or framework. "rowwise", "per row"; "fp8-cs", "fp8-mx",
/// "tensorwise", torchtitan: from the tensor itself; "delayed": from earlier steps. Absent: no such
/// word.
[[nodiscard]] std::optional<Fp8Scaling> stated_scaling(std::string_view words);

/// Whether a framework is built on JAX: MaxText, PaxML, or one with "jax" in its name.
[[nodiscard]] bool is_jax(std::string_view framework);

/// The stage of ZeRO that a framework is named after: "DeepSpeed ZeRO-3", "zero2".
[[nodiscard]] std::optional<Sharding> zero_stage(std::string_view framework);

/// The year in a framework's name ("Megatron-LM 2021"); else the year of a known stack; else 2023.
[[nodiscard]] int year_of_stack(std::string_view framework);

/// The year of the software that trains on a GPU: of the named framework, and not before that of
/// the GPU's server where that is past the usual 2023, as older releases do not know the GPU.
/// framework: empty where none is named, then the year of the server.
[[nodiscard]] int year_on(const Gpu& gpu, std::string_view framework);

/// How a framework launches kernels, by words of its name: "compile", "reduce-overhead".
[[nodiscard]] Compilation compilation_of(std::string_view framework);

/// The names of sources of fp8 scales, in the order of Fp8Scaling.
inline constexpr std::array<std::string_view, 3> scaling_names{"delayed", "current", "per-row"};

}} // namespace bursar::scenarios
