#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/training/job/cluster.hpp"
#include "models/training/job/generic_network.hpp"
#include "models/training/job/layout.hpp"
#include "models/training/job/stack_profile.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/memory/memory_overheads.hpp"
#include "models/training/search/layout_space.hpp"
#include "models/training/search/usual_passes.hpp"

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/catalog/training_defaults.hpp"

#include "tools/command_line/option_table.hpp"
#include "tools/model/machine_options.hpp"
#include "tools/model/network_options.hpp"

namespace bursar { inline namespace tools {

/// How a step is divided over GPUs.
struct LayoutOptions {
    /// The layout, completed from the GPUs and the batch (complete_layout). gpus: --gpus, if given.
    /// Throws ModelError if they do not divide evenly.
    [[nodiscard]] Layout layout(std::optional<std::int64_t> gpus, std::int64_t gpus_per_node) const;

    /// The passes of that layout, as far as they are stated.
    [[nodiscard]] StatedPasses passes(const Layout& layout) const;

    /// Whether any rank, sharding or --sequence-parallel was given. Otherwise the layout is open.
    [[nodiscard]] bool states_layout() const;

    /// The layouts of `job` on `gpus` GPUs that have everything that is stated. Sets in `job` what
    /// the space does not name.
    [[nodiscard]] LayoutSpace open_layouts(TrainingJob& job, std::int64_t gpus) const;

    std::optional<std::int64_t> tensor;
    std::optional<std::int64_t> pipeline;
    std::optional<std::int64_t> chunks;
    std::optional<std::int64_t> context;
    std::optional<std::int64_t> expert;
    std::optional<std::int64_t> data;
    std::optional<std::int64_t> micro_batch;
    std::optional<std::int64_t> global_batch;
    std::optional<Sharding> sharding;
    std::optional<std::int64_t> shard_ranks;
    std::optional<Recomputation> recompute;
    bool sequence_parallel{};
    bool no_sequence_parallel{};
    bool gpipe{};
    bool offload_optimizer{};
    std::optional<std::int64_t> offload_layers;
    bool tensor_across_nodes{};
};

/// Settings of a job, and a copy of its profile.
struct ChosenStack {
    TrainingSettings settings; ///< `profile` is null
    StackProfile profile;
    std::string why; ///< for people: "no --stack, and its layers are split over GPUs"; else empty
};

/// How a job computes: number format, kernels, optimizer states, software stack.
struct StackOptions {
    /// Fills precision, scaling, attention, recipe and compilation of `job`, and of its layout what
    /// the software decides. `stated`: what other options state. The default precision is the best
    /// 16-bit one of the GPU, else fp32. Throws ModelError for a format that the GPU lacks,
    /// ScenarioError for an unknown profile or a bad file.
    ChosenStack settle(TrainingJob& job, const Gpu& gpu, StatedTraining stated) const;

    /// The same for a search of layouts of `job` that computes in `format`; absent: --precision.
    /// ranks: stated of every layout; null: nothing is.
    ChosenStack settle_for_search(TrainingJob& job,
                                  const Gpu& gpu,
                                  std::optional<Precision> format = std::nullopt,
                                  const LayoutOptions* ranks = nullptr) const;

    /// Throws ScenarioError for a --fp8-scaling that none of these formats has.
    void check_scaling(const std::vector<Precision>& formats) const;

    /// --compile, else as --framework says.
    [[nodiscard]] Compilation launches() const {
        return compilation ? *compilation : compilation_of(framework);
    }

    std::optional<Precision> precision;
    std::optional<Fp8Scaling> scaling;
    std::optional<Attention> attention;
    std::optional<StateRecipe> recipe;
    std::optional<Compilation> compilation;
    std::string framework; ///< empty: not known
    std::string stack;     ///< empty: the nearest of the file
    std::string file;      ///< --stacks; empty: built in
};

/// One training job, the machines it runs on and the software stack it runs with.
struct JobQuestion {
    TrainingJob job;                       ///< without `model` and `sequence` for a generic network
    std::optional<GenericNetwork> generic; ///< instead of a transformer
    Cluster cluster;
    StackProfile profile;
    MemoryOverheads overheads;  ///< of the framework, else of the profile's
    std::string why_stack;      ///< ChosenStack::why
    SettingReasons why;         ///< of the settings of `job`
    PassReasons why_passes;     ///< of its passes
    std::string network_source; ///< where the network's shape was published
    /// Number of layouts that fit, of which the job's is the fastest; absent: the layout was
    /// stated.
    std::optional<std::int64_t> chosen_of;
};

/// All options of a training job.
struct JobOptions {
    /// With the layout as stated; what is not stated has its default. Throws ScenarioError,
    /// ModelError or UnknownFact for bad options.
    [[nodiscard]] JobQuestion question() const;

    /// The same. If no layout of a transformer is stated, takes the fastest that fits
    /// (fitting_layouts); also throws ModelError if none fits.
    [[nodiscard]] JobQuestion fitting_question() const;

    NetworkOptions network;
    MachineOptions machines;
    LayoutOptions ranks;
    StackOptions stack;

  private:
    [[nodiscard]] JobQuestion network_question() const; ///< network and GPU only
    [[nodiscard]] static JobQuestion with_stack(JobQuestion asked, ChosenStack chosen);
};

[[nodiscard]] OptionTable<LayoutOptions> layout_options();
[[nodiscard]] OptionTable<StackOptions> stack_options();
[[nodiscard]] OptionTable<JobOptions> job_options();

/// --precisions: number formats that a search tries.
[[nodiscard]] TextListRule precision_list();
/// Throws ModelError for an unknown format.
[[nodiscard]] std::vector<Precision> precisions_of(const std::vector<std::string>& texts);

/// The profiles of `file`; the built-in ones if `file` is empty.
[[nodiscard]] Stacks stacks_of(const std::string& file);

}} // namespace bursar::tools
