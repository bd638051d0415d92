#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/training/job/cluster.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/measurements/operator_file.hpp"

#include "tools/command_line/option_table.hpp"

namespace bursar { inline namespace tools {

/// The nodes of GPUs, and the GPU catalogue.
struct NodeOptions {
    /// The cluster of a job of `gpus` GPUs, absent: of one node; `option` gave the GPU's name.
    /// Throws ScenarioError for an unknown GPU, UnknownFact if the catalogue lacks a bandwidth.
    [[nodiscard]] Cluster cluster_of(const std::string& gpu,
                                     const std::string& option,
                                     std::optional<std::int64_t> gpus) const;
    /// Throws ScenarioError for a bad file. Only with `operators`.
    [[nodiscard]] OperatorTable operators_of(const Gpu& gpu) const;
    [[nodiscard]] Gpu gpu_of(const std::string& name, const std::string& option) const;
    /// --gpus-per-node, else as usual for the GPU.
    [[nodiscard]] std::int64_t node_gpus(const Gpu& gpu) const {
        return gpus_per_node ? *gpus_per_node : usual_gpus_per_node(gpu);
    }

    std::optional<std::int64_t> gpus_per_node; ///< absent: usual_gpus_per_node()
    std::optional<ByteRate> node_network;      ///< absent: usual_node_network()
    std::string catalogue;                     ///< --catalog; empty: built in
    std::string operators; ///< file of measured operators (OperatorTable); empty: formulas alone
};

/// The GPUs that a job runs on.
struct MachineOptions {
    /// Throws as NodeOptions::cluster_of() does.
    [[nodiscard]] Cluster cluster() const { return nodes.cluster_of(gpu_name, "--gpu", gpus); }
    [[nodiscard]] Gpu gpu() const { return nodes.gpu_of(gpu_name, "--gpu"); }
    /// --gpus, else those of one node.
    [[nodiscard]] std::int64_t gpus_or_node() const { return gpus ? *gpus : node_gpus(); }
    [[nodiscard]] std::int64_t node_gpus() const { return nodes.node_gpus(gpu()); }

    std::string gpu_name{"H100"};
    std::optional<std::int64_t> gpus;
    NodeOptions nodes;
};

[[nodiscard]] OptionTable<NodeOptions> node_options();
[[nodiscard]] OptionTable<MachineOptions> machine_options();

/// What a file of measured operators gave, for an answer's sources: "operators: 12 rows of FILE".
[[nodiscard]] std::string source_text(const OperatorTable& table, const std::string& file);

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
