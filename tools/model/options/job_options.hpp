#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/training/job/cluster.hpp"
#include "models/training/job/generic_network.hpp"
#include "models/training/job/stack_profile.hpp"
#include "models/training/job/training_job.hpp"

#include "tools/command_line/options.hpp"
#include "tools/model/options/cluster_options.hpp"
#include "tools/model/options/rank_options.hpp"
#include "tools/model/options/shape_options.hpp"
#include "tools/model/options/stack_options.hpp"

namespace bursar { inline namespace tools {

/// One training job, the machines it runs on and the stack it runs with.
struct JobQuestion {
    TrainingJob job; ///< without `model` and `sequence` where the network is generic
    std::optional<GenericNetwork> generic; ///< in place of a transformer
    Cluster cluster;
    StackProfile profile;
    std::string why_stack;      ///< as ChosenStack says it
    std::string network_source; ///< where the network's shape was published
    /// Layouts that fit, of which the job's is the fastest; absent: the layout was stated.
    std::optional<std::int64_t> chosen_of;
};

/// Everything one training job needs: what is trained, on what, how.
struct JobOptions {
    ShapeOptions shape;
    ClusterOptions machines;
    RankOptions ranks;
    StackOptions stack;

    void add_to(Command command);

    /// With the layout as stated, and its defaults where it is not. Throws ScenarioError,
    /// ModelError or UnknownFact for what is wrong with the options.
    [[nodiscard]] JobQuestion question() const;

    /// The same; where no layout of a transformer is stated, with the fastest that fits
    /// (fitting_layouts). Throws ModelError where none does, too.
    [[nodiscard]] JobQuestion fitting_question() const;

  private:
    [[nodiscard]] JobQuestion question_without_layout() const; ///< nor stack
    void choose_stack(const StackClues& clues, JobQuestion& asked) const;
};

}} // namespace bursar::tools
