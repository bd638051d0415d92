#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "models/training/job/layout.hpp"
#include "models/training/job/stack_profile.hpp"
#include "models/training/job/training_job.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/reader/written.hpp"

namespace bursar { inline namespace scenarios {

/// How long training goes on.
enum class GoalKind : std::uint8_t { tokens, steps, epochs, target_loss };

struct TrainingTarget {
    GoalKind kind{};
    double amount{}; ///< > 0
};

/// Samples, or the tokens in them.
struct SampleCount {
    std::int64_t count{}; ///< > 0
    bool in_tokens{};
};

/// The layout as far as the user gave it; what the gang's size decides is left out.
struct ParallelismSpec {
    std::int64_t tensor{1};
    std::int64_t pipeline{1};
    std::int64_t chunks{1};
    std::int64_t context{1};
    std::int64_t expert{1};
    Sharding sharding{Sharding::none};
    bool sequence_parallel{};
    bool offload_optimizer{};
    bool tensor_across_nodes{};
};

/// What the jobs of a class train and how. Absent where the user left the choice to the program.
struct TrainingSpec {
    std::optional<Architecture> model;  ///< absent: jobs take the time their workload says
    std::optional<TrainingTarget> goal; ///< present with a model
    std::optional<SampleCount> dataset; ///< one epoch
    std::optional<SampleCount> batch;   ///< per step, over all GPUs; present with a model
    std::optional<std::int64_t> micro_batch;
    std::optional<std::int64_t> sequence;       ///< tokens per sample
    std::optional<ParallelismSpec> parallelism; ///< absent: searched
    std::optional<Precision> precision; ///< absent: what policy.precision makes of the GPU's best
                                        ///< of 16 bits; also of jobs with a run time
    std::optional<Recompute> recompute;
    std::optional<Attention> attention;
    std::optional<Compilation> compilation;
    std::optional<StackProfile> stack; ///< absent: the program chooses one of Scenario::stacks
    std::optional<InputPipeline> input;
    /// By the name the models use; "" is the class itself.
    std::map<std::string, Written> written;
};

}} // namespace bursar::scenarios
