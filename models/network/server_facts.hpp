#pragma once

#include <string>
#include <vector>

#include "models/gpu/gpu.hpp"

namespace bursar { inline namespace models {

/// What is known of the servers that GPUs of one generation usually stand in.
struct ServerFacts {
    std::string name;              ///< "PCIe 4, a NIC per GPU"
    std::vector<std::string> gpus; ///< starts of the names of GPUs that stand in it
    bool for_unknown{};            ///< taken for GPUs that no `gpus` names
    double host_gb_s{};   ///< GPU to host memory, one direction, as copies reach it; GB/s, > 0
    double nic_gb_s{};    ///< of one GPU's NIC, one direction; GB/s, 0: the node's are shared
    double shared_gb_s{}; ///< of all NICs of a node; GB/s, 0: each GPU has its own
    std::string source;   ///< of the facts
};

/// The servers of a catalogue (scenarios/catalog/servers.yaml or the user's own).
struct ServerTable {
    std::vector<ServerFacts> all;
};

/// The first server of the GPU's catalogue that names it, else the first for unknown GPUs. Throws
/// UnknownFact where there is none.
[[nodiscard]] const ServerFacts& usual_server(const Gpu& gpu);

}} // namespace bursar::models
