#pragma once

#include <optional>
#include <string>

#include "models/gpu/gpu.hpp"
#include "models/training/stack_profile.hpp"
#include "models/training/training_job.hpp"

#include "tools/bursar/options.hpp"

namespace bursar::inline tools {

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

} // namespace bursar::inline tools
