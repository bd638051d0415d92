#pragma once

#include <optional>
#include <string>

#include "models/gpu/gpu.hpp"
#include "models/training/job/stack_profile.hpp"
#include "models/training/job/training_job.hpp"

#include "scenarios/catalog/stacks.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// A profile, and why it where no --stack names it.
struct ChosenStack {
    StackProfile profile;
    std::string why; ///< for people: "no --stack, and its layers are split over GPUs"; else empty
};

/// How a job computes: number format, kernels, optimizer states, software stack.
class StackOptions {
  public:
    void add_to(Command command);

    /// What --stack names, else the nearest to what is known of the job. Throws ScenarioError for
    /// an unknown name or a bad file.
    [[nodiscard]] ChosenStack chosen(const StackClues& clues) const;

    /// Fills precision, attention, recipe and compilation. The default precision is the best 16-bit
    /// one the GPU has, else fp32. Throws ModelError for one that it has not.
    void apply_to(TrainingJob& job, const Gpu& gpu) const;

  private:
    std::optional<Precision> precision_;
    Attention attention_{Attention::flash2};
    StateRecipe recipe_{StateRecipe::megatron_adam};
    Compilation compilation_{Compilation::eager};
    std::string stack_; ///< empty: the nearest of the file
    std::string file_;  ///< --stacks; empty: built in
};

}} // namespace bursar::tools
