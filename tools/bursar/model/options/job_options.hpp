#pragma once

#include <optional>
#include <string>

#include "models/training/cluster.hpp"
#include "models/training/generic_network.hpp"
#include "models/training/stack_profile.hpp"
#include "models/training/training_job.hpp"

#include "tools/bursar/model/options/cluster_options.hpp"
#include "tools/bursar/model/options/rank_options.hpp"
#include "tools/bursar/model/options/shape_options.hpp"
#include "tools/bursar/model/options/stack_options.hpp"
#include "tools/bursar/options.hpp"

namespace bursar::inline tools {

/// One training job, the machines it runs on and the stack it runs with.
struct JobQuestion {
    TrainingJob job; ///< without `model` and `sequence` where the network is generic
    std::optional<GenericNetwork> generic; ///< in place of a transformer
    Cluster cluster;
    StackProfile profile;
    std::string network_source; ///< where the network's shape was published
};

/// Everything one training job needs: what is trained, on what, how.
struct JobOptions {
    ShapeOptions shape;
    ClusterOptions machines;
    RankOptions ranks;
    StackOptions stack;

    void add_to(Command command);

    /// Throws ScenarioError, ModelError or UnknownFact for what is wrong with the options.
    [[nodiscard]] JobQuestion question() const;
};

} // namespace bursar::inline tools
