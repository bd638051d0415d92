#pragma once

#include <optional>
#include <string>

#include "models/training/cluster.hpp"
#include "models/training/stack_profile.hpp"
#include "models/training/training_job.hpp"

#include "scenarios/reader/quantity_rule.hpp"

#include "reports/answer/answer.hpp"
#include "reports/answer/render.hpp"

#include "tools/bursar/model/cluster_options.hpp"
#include "tools/bursar/model/layout_options.hpp"
#include "tools/bursar/model/shape_options.hpp"
#include "tools/bursar/options.hpp"

/// Options that the subcommands of `bursar model` share. Objects live as long as the parser: hold
/// them by std::shared_ptr in the command's callback.
namespace bursar {

/// Prices of one GPU, in nano-dollars an hour. A node's price is none: these questions know no
/// nodes.
extern const Dimension gpu_hour_prices;

/// How a job computes: number format, kernels, optimizer states, software stack.
class StackOptions {
  public:
    void add_to(Command command);

    /// Throws ScenarioError for an unknown name or a bad file.
    [[nodiscard]] StackProfile profile() const;

    /// Fills precision, attention, recipe and compilation. The default precision is the best 16-bit
    /// one the GPU has, else fp32. Throws ModelError for one that it has not.
    void apply_to(TrainingJob& job, const Gpu& gpu) const;

  private:
    std::optional<Precision> precision_;
    Attention attention_{Attention::flash2};
    StateRecipe recipe_{StateRecipe::megatron_adam};
    Compilation compilation_{Compilation::eager};
    std::string stack_; ///< empty: the first of the file
    std::string file_;  ///< --stacks; empty: built in
};

/// Everything one training job needs: what is trained, on what, how.
struct JobOptions {
    ShapeOptions shape;
    ClusterOptions machines;
    LayoutOptions plan;
    StackOptions stack;

    void add_to(Command command);

    /// Throw ScenarioError, ModelError or UnknownFact for what is wrong with the options.
    [[nodiscard]] TrainingJob job() const;
    [[nodiscard]] Layout layout() const {
        return plan.layout(machines.gpus(), machines.gpus_per_node());
    }
    [[nodiscard]] Cluster cluster() const;
    [[nodiscard]] StackProfile profile() const { return stack.profile(); }
};

/// How the answer is shown.
class AnswerOptions {
  public:
    void add_to(Command command);

    /// Prints the answer on stdout and its warnings on stderr.
    void show(const Answer& answer) const;

    [[nodiscard]] AnswerFormat format() const { return format_; }

  private:
    AnswerFormat format_{AnswerFormat::table};
};

} // namespace bursar
