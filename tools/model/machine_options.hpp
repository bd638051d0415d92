#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/training/job/cluster.hpp"

#include "scenarios/catalog/catalogue.hpp"

#include "tools/command_line/option_table.hpp"

namespace bursar { inline namespace tools {

/// The nodes of GPUs, and the GPU catalogue.
struct NodeOptions {
    /// Nodes of this GPU; `option` gave its name. Throws ScenarioError for an unknown GPU,
    /// UnknownFact if the catalogue lacks a bandwidth.
    [[nodiscard]] Cluster cluster_of(const std::string& gpu, const std::string& option) const;
    [[nodiscard]] Gpu gpu_of(const std::string& name, const std::string& option) const;

    std::int64_t gpus_per_node{8};
    std::optional<ByteRate> node_network; ///< absent: usual_node_network()
    std::string catalogue;                ///< --catalog; empty: built in
};

/// The GPUs that a job runs on.
struct MachineOptions {
    /// Throws as NodeOptions::cluster_of() does.
    [[nodiscard]] Cluster cluster() const { return nodes.cluster_of(gpu_name, "--gpu"); }
    [[nodiscard]] Gpu gpu() const { return nodes.gpu_of(gpu_name, "--gpu"); }
    /// --gpus, else those of one node.
    [[nodiscard]] std::int64_t gpus_or_node() const { return gpus.value_or(nodes.gpus_per_node); }

    std::string gpu_name{"H100"};
    std::optional<std::int64_t> gpus;
    NodeOptions nodes;
};

[[nodiscard]] OptionTable<NodeOptions> node_options();
[[nodiscard]] OptionTable<MachineOptions> machine_options();

/// Throws ScenarioError with the nearest names for an unknown name, which `option` gave.
[[nodiscard]] const Gpu&
gpu_named(const Catalogue& catalogue, const std::string& name, const std::string& option);

/// The price of a GPU-hour: "2.10 USD/gpu-h".
[[nodiscard]] MeasureRule<MoneyRate> gpu_hour_price();

/// The same as part of the value of `option`. Throws ScenarioError.
[[nodiscard]] MoneyRate gpu_hour_price(const std::string& text, const std::string& option);

/// Dollars of a GPU-hour.
[[nodiscard]] double usd(MoneyRate price);

}} // namespace bursar::tools
