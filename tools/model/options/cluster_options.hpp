#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/training/job/cluster.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// The options that say which GPUs a job runs on and what connects them.
class ClusterOptions {
  public:
    void add_to(Command command);

    /// Those of them that say what connects GPUs, and where their facts are from.
    void add_nodes(Command command);

    /// Throws ScenarioError for an unknown GPU or a bad quantity, UnknownFact where the catalogue
    /// lacks a bandwidth.
    [[nodiscard]] Cluster cluster() const;

    /// The same machines with another GPU; `option` is what gave its name.
    [[nodiscard]] Cluster cluster_of(const std::string& gpu, const std::string& option) const;

    /// The GPU alone.
    [[nodiscard]] Gpu gpu() const;

    /// --gpus, if it was given.
    [[nodiscard]] std::optional<std::int64_t> gpus() const { return gpus_; }
    [[nodiscard]] std::int64_t gpus_per_node() const { return gpus_per_node_; }

  private:
    [[nodiscard]] Gpu find_gpu(const std::string& name, const std::string& option) const;

    std::string gpu_{"H100"};
    std::optional<std::int64_t> gpus_;
    std::int64_t gpus_per_node_{8};
    std::string node_network_; ///< empty: usual_node_network()
    std::string catalogue_;    ///< --catalog; empty: built in
};

}} // namespace bursar::tools
